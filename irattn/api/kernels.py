"""The verbs that make kernels and call them: render, compile, bundle, load, verify."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import numpy as np

from irattn import rendering
from irattn.api.given import count_of, folder_of, named_specs, path_of, spec_of
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.compiling.bundles import Bundle, bundle_targets, check_place, write_bundle
from irattn.compiling.loadable import check_compiled_for, check_no_entry, recognise
from irattn.compiling.prebuilt import artifact_for
from irattn.compiling.several import Failed, build_each
from irattn.compiling.store import Store
from irattn.core.errors import ArgumentError
from irattn.lab.verification import StagesVerdict, Verdict, Verifier
from irattn.lab.verification.stages import arguments_of
from irattn.rendering import GraphRequest
from irattn.runtime import Kernel, load_artifact, load_variant
from irattn.runtime.arguments import check_arguments
from irattn.runtime.machine import target_or_here
from irattn.specs import Spec
from irattn.specs.pipeline import stages_of

Loadable: TypeAlias = Artifact | Spec | str | Path


def render(
    spec: Spec | str,
    *,
    target: str | None = None,
    formulation: str | None = None,
    dialect: str = "linalg",
) -> str:
    """The MLIR text of a spec or catalogue name, as it would be compiled for a target.

    `target` is by default this machine's: its GPU's where there is one, else `cpu`.
    `formulation` is `fused` or `blocked` (default: the target's own), `dialect` is `linalg` or
    `torch`. Raises CatalogueError, TargetError or RenderError.
    """
    return rendering.render(
        GraphRequest(spec_of(spec), target_or_here(target), formulation, dialect)
    )


def compile(
    spec: Spec | str,
    *,
    target: str | None = None,
    formulation: str | None = None,
    dialect: str = "linalg",
    name: str | None = None,
    tuning: str | Path | None = None,
    out: str | Path | None = None,
) -> Artifact:
    """The artifact of a spec or catalogue name for a target, compiled if it is not in the store.

    `target` is by default this machine's: its GPU's where there is one, else `cpu`. The artifact
    lies in `<out>/<target>/<name>/`; `out` defaults to `IRATTN_CACHE` or the user's cache
    folder. `tuning` is a file of `irattn tune`, whose tile for this spec and target is used; the
    artifact then lies in `<name>.tuned`. Raises CompileError where the compiler fails, TuningError
    for a file that is none, or has no tile for these.
    """
    given, chosen = spec_of(spec), target_or_here(target)
    word = spec if name is None and isinstance(spec, str) else name
    tile = None
    if tuning is not None:
        # Few take a tile from a file, and what tunes takes long to import.
        from irattn.lab.tuning import chosen_tile, read_tuning

        path = path_of(tuning, "tuning")
        tile = chosen_tile(read_tuning(path), path, word or given.op, given, chosen).tile
    request = GraphRequest(given, chosen, formulation, dialect, tile)
    return build(request, Store(folder_of(out)), name=word)


def bundle(
    specs: Mapping[str, Spec] | Iterable[str] | str,
    file: str | Path,
    *,
    target: str | Iterable[str],
    cpu: str | None = "x86-64-v3",
    out: str | Path | None = None,
) -> Bundle:
    """One file with a variant of each spec for each target, and one for CPUs.

    `specs` are catalogue names, or specs by the names of their entries; targets are preferred in
    their order. `cpu` is the target of the fallback, None for no fallback. `file` ends in
    `.irattn`; what lies there is replaced only if it is a bundle. Artifacts are compiled, or found
    under `out`, as `compile` does. Raises ArgumentError or CompileError.
    """
    entries = named_specs(specs)
    targets_in_order = target if isinstance(target, Iterable) else [target]
    chosen = bundle_targets([target] if isinstance(target, str) else targets_in_order, cpu)
    place = path_of(file, "file")
    check_place(place)
    work = [(name, GraphRequest(spec, one)) for name, spec in entries.items() for one in chosen]
    artifacts = []
    with closing(build_each(work, Store(folder_of(out)))) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                raise outcome.error
            artifacts.append(outcome.artifact)
    return write_bundle(place, artifacts)


def load(
    artifact_or_spec: Loadable,
    *,
    target: str | None = None,
    name: str | None = None,
    device: str = "auto",
    out: str | Path | None = None,
    launcher: str | None = None,
) -> Kernel:
    """A callable kernel: `kernel(query=q, key=k, value=v) -> np.ndarray`, or `kernel(q, k, v)`.

    Takes an artifact, the path of an artifact's folder or of a bundle (`FILE.irattn`), a spec or a
    catalogue name; the last two are compiled for `target`, by default that of the device that is
    named, else this machine's, unless a bundle in the store's folder, or the store itself, has
    them. Of a bundle, `name` is the entry, needed where there are several, and the variant is the
    one that runs here: `kernel.selection` says why not the others. `device` is `auto` (the
    artifact's GPU if it is there, else the CPU with one logged warning), `cpu`, `local-sync`,
    `local-task`, `hip`, `cuda` or another provider's name; only `auto` ever falls back. `launcher`
    None takes PyTorch's arrays on a GPU, and those of other libraries with DLPack, where they lie,
    and gives NumPy's and device arrays to IREE's runtime; `iree` takes these alone, and with
    `direct` IREE takes no part. Raises ArtifactError or DeviceError, and ArgumentError for anything
    else than these.
    """
    loadable = recognise(artifact_or_spec, "artifact_or_spec")
    root = folder_of(out)
    if isinstance(loadable, Bundle):
        return load_variant(loadable, name, device, target, launcher=launcher)
    check_no_entry(name)
    if isinstance(loadable, Artifact):
        check_compiled_for(loadable, target)
        return load_artifact(loadable, device, root, launcher)
    word = artifact_or_spec if isinstance(artifact_or_spec, str) else None
    chosen = target_or_here(target, device)
    artifact = artifact_for(loadable, chosen, Store(root), name=word)
    return load_artifact(artifact, device, root, launcher)


def verify(
    artifacts_or_specs: Loadable | Iterable[Loadable] | Mapping[str, Spec],
    *,
    target: str | None = None,
    name: str | None = None,
    device: str = "auto",
    formulation: str | None = None,
    dialect: str = "linalg",
    stages: bool = False,
    seed: int = 0,
    out: str | Path | None = None,
) -> list[Verdict | StagesVerdict]:
    """Run kernels on random and adversarial inputs; compare them with the float64 reference.

    Takes what `load` takes, several of these, or specs by names of your own. Specs and catalogue
    names are compiled for `target`, by default as `load` does; for a GPU without its device the
    emulator executes them where that takes less than a minute, else the same fused graph compiled
    for the CPU runs: each verdict says what was executed. Artifacts run as they are,
    and so does of each entry of a bundle, or of the entry `name`, the variant that runs here, or
    that of `target`. With `stages`, contiguous attention runs stage by stage, too, and the verdict
    says which is wrong. Raises what `load` raises, ArgumentError also for a formulation, dialect,
    folder or stages of what is compiled already, UsageError for stages of another op.
    """
    verifier = Verifier(
        target=target,
        name=name,
        device=device,
        formulation=formulation,
        dialect=dialect,
        stages=stages,
        seed=count_of(seed, "seed"),
        out=folder_of(out),
    )
    return [verify_one() for _, verify_one in list(verifier.work(artifacts_or_specs))]


def run_stages(
    spec: Spec | str,
    tensors: Mapping[str, np.ndarray],
    *,
    target: str | None = None,
    device: str = "auto",
    out: str | Path | None = None,
) -> dict[str, np.ndarray]:
    """Run every stage of contiguous attention on a call's tensors; gives results by op, in order.

    These are the scores after each step, before they become an output: `irattn.specs.stages` says
    what each is, and which of them ONNX asks for. Stages are compiled and loaded as `load` does.
    Raises UsageError for a spec that stages cannot say, ArgumentError for a tensor.
    """
    whole = spec_of(spec)
    stages = stages_of(whole, spec if isinstance(spec, str) else None)
    if not isinstance(tensors, Mapping):
        raise ArgumentError(f"tensors: expected arrays by name, got {type(tensors).__name__}")
    check_arguments(whole, tensors)
    outputs: dict[str, np.ndarray] = {}
    before = None
    for stage in stages:
        kernel = load(stage, target=target, device=device, out=out)
        (before,) = kernel.outputs(**arguments_of(stage, before, tensors))
        outputs[stage.op] = before
    return outputs
