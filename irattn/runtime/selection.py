"""Load a kernel from a bundle: the variant that this machine runs, and why not the others."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.bundles import Bundle
from irattn.core.errors import ArtifactError, DeviceError, UsageError
from irattn.runtime.iree_providers import registry
from irattn.runtime.kernel import Kernel, Selection, logger
from irattn.runtime.loading import (
    DIRECT,
    check_device,
    check_launcher,
    choices,
    cpu_problem,
    direct_kernel,
    launcher_of,
    launches,
    open_session,
    session_of,
    why_not,
)
from irattn.runtime.session import Loaded, Unopened

if TYPE_CHECKING:
    from irattn.runtime.direct import DirectSession


def select(bundle: Bundle, name: str, device: str = "auto") -> Selection:
    """The variant that loading would try first; loads nothing.

    GPU variants come before those for CPUs, and otherwise the bundle's own order counts.
    """
    accepted = None
    rejected = []
    for target in _order(bundle, name):
        reason = f"{accepted} comes first" if accepted else _problem(bundle, name, target, device)
        if reason:
            rejected.append((target, reason))
        else:
            accepted = target
    return Selection(name, accepted, tuple(rejected))


def load_variant(
    bundle: Bundle,
    name: str | None = None,
    device: str = "auto",
    target: str | None = None,
    fall_back: bool = True,
    launcher: str | None = None,
) -> Kernel:
    """A kernel of the variant that a device runs; `kernel.selection` says why not the others.

    What cannot be known before loading is found out by loading. `target` allows this variant only.
    `auto` takes a variant for CPUs where no GPU's is accepted, and, unless `fall_back` is false,
    where a launch fails; where there is a GPU that is not used, a warning is logged.
    ArgumentError for a name or target that is not in the bundle, ArtifactError for a variant that
    is damaged, DeviceError where none runs.
    """
    check_device(device)
    entry = bundle.entry(name)
    order = _order(bundle, entry) if target is None else [bundle.variant(entry, target)]
    if launcher == DIRECT:
        return _launched(bundle, entry, order, device)
    rejected: list[tuple[str, str]] = []
    for i, variant in enumerate(order):
        is_launched = launcher is None and launches(targets.get(variant), device)
        if not is_launched and (reason := _problem(bundle, entry, variant, device)):
            rejected.append((variant, reason))
            continue
        artifact = bundle.artifact(entry, variant)
        try:
            session = session_of(artifact, device, launcher)
        except DeviceError as error:
            rejected.append((variant, str(error)))
            continue
        if device == "auto" and rejected and not targets.get(variant).is_gpu:
            # A bundle is for machines without a GPU, too: only one that is here is missed.
            level = logging.WARNING if _has_gpu(rejected) else logging.INFO
            logger.log(level, "%s", Selection(entry, variant, tuple(rejected)))
        rejected += [(other, f"{variant} comes first") for other in order[i + 1 :]]
        direct = None if launcher else launcher_of(artifact, device)
        return _kernel(
            bundle,
            session,
            Selection(entry, variant, tuple(rejected), *choices(artifact, device, session, direct)),
            fall_back and device == "auto",
            direct,
        )
    raise _none_runs(bundle, entry, rejected)


def _launched(bundle: Bundle, entry: str, order: Sequence[str], device: str) -> Kernel:
    """A kernel of the first variant that the driver itself launches."""
    rejected: list[tuple[str, str]] = []
    for variant in order:
        artifact = bundle.artifact(entry, variant)
        try:
            check_launcher(DIRECT, artifact)
            kernel = direct_kernel(artifact, device)
            kernel.prepare()
        except (DeviceError, UsageError) as error:
            rejected.append((variant, str(error)))
            continue
        assert kernel.selection
        kernel.selection = replace(kernel.selection, entry=entry, rejected=tuple(rejected))
        return kernel
    raise _none_runs(bundle, entry, rejected)


def _none_runs(bundle: Bundle, entry: str, rejected: Sequence[tuple[str, str]]) -> DeviceError:
    reasons = "; ".join(f"{variant}: {reason}" for variant, reason in rejected)
    return DeviceError(
        f"{bundle.path}: {entry}: no variant runs here: {reasons}; bundle it again with a --target "
        "or --cpu that does"
    )


def _order(bundle: Bundle, name: str) -> list[str]:
    """Targets of an entry, those of GPUs first."""
    return sorted(bundle.entries[name], key=lambda target: not targets.get(target).is_gpu)


def _problem(bundle: Bundle, name: str, target_name: str, device: str) -> str | None:
    """Why a device does not run a variant; None where it does, or where only loading will tell."""
    target = targets.get(target_name)
    if problem := why_not(target, device):
        return problem
    if target.is_gpu:
        return None
    return cpu_problem(target, bundle.artifact(name, target_name).manifest.target_identity)


def _has_gpu(rejected: Sequence[tuple[str, str]]) -> bool:
    """Whether there is a GPU of a kind that rejected variants are for."""
    gpus = {target.driver for name, _ in rejected if (target := targets.get(name)).is_gpu}
    return any(registry().get(driver).status().devices for driver in gpus)


def _kernel(
    bundle: Bundle,
    session: Loaded | Unopened,
    selection: Selection,
    fall_back: bool,
    direct: "Callable[[], DirectSession] | None",
) -> Kernel:
    """The kernel, which a failed launch on a GPU takes to the CPU."""
    if not fall_back or not targets.get(session.artifact.target).is_gpu:
        return Kernel(session, selection=selection, direct=direct)

    def to_cpu(reason: str) -> Loaded:
        logger.warning("%s; falling back to the CPU", reason)
        return open_session(_cpu_variant(bundle, selection.entry, reason), "cpu")

    return Kernel(session, to_cpu, selection, direct=direct)


def _cpu_variant(bundle: Bundle, name: str, reason: str) -> Artifact:
    for target in bundle.entries[name]:
        if not targets.get(target).is_gpu and not _problem(bundle, name, target, "cpu"):
            return bundle.artifact(name, target)
    raise ArtifactError(f"{bundle.path}: {name}: {reason}, and no variant runs on this CPU")
