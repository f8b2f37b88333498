"""The public verbs, from render and compile to compare, certify and tune."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from irattn import catalog, targets
from irattn import certificates as _certificates
from irattn import rendering as _rendering
from irattn.artifact import Artifact
from irattn.benchmark import Report, bench_specs
from irattn.build import build
from irattn.bundles import Bundle, bundle_targets, check_place, write_bundle
from irattn.certificates import Certificate, Check, Settings, certify_artifact, read_certificate
from irattn.comparison import Comparison, compare_sources
from irattn.errors import ArgumentError
from irattn.executors import check_same_everywhere, executor_of, using
from irattn.loadable import check_compiled_for, check_no_entry, recognise
from irattn.runtime import Kernel, load_artifact, load_variant
from irattn.runtime.arguments import check_arguments
from irattn.specs import Spec
from irattn.specs.pipeline import stages_of
from irattn.tuning import Entry, Session, budget_of, chosen_tile, read_tuning
from irattn.verification import StagesVerdict, Verdict, Verifier
from irattn.verification.stages import arguments_of

Loadable: TypeAlias = Artifact | Spec | str | Path


def render(
    spec: Spec | str,
    *,
    target: str = "gfx1100",
    formulation: str | None = None,
    dialect: str = "linalg",
) -> str:
    """The MLIR text of a spec or catalogue name, as it would be compiled for a target.

    `formulation` is `fused` or `blocked` (default: the target's own), `dialect` is `linalg` or
    `torch`. Raises CatalogueError, TargetError or RenderError.
    """
    return _rendering.render(
        _spec(spec), targets.get(target), formulation=formulation, dialect=dialect
    )


def compile(
    spec: Spec | str,
    *,
    target: str = "gfx1100",
    formulation: str | None = None,
    dialect: str = "linalg",
    name: str | None = None,
    tuning: str | Path | None = None,
    out: str | Path | None = None,
) -> Artifact:
    """The artifact of a spec or catalogue name for a target, compiled if it is not in the store.

    It lies in `<out>/<target>/<name>/`; `out` defaults to `IRATTN_CACHE` or the user's cache
    folder. `tuning` is a file of `irattn tune`, whose tile for this spec and target is used; the
    artifact then lies in `<name>.tuned`. Raises CompileError where the compiler fails, TuningError
    for a file that is none, or has no tile for these.
    """
    found, chosen = _spec(spec), targets.get(target)
    word = name or (spec if isinstance(spec, str) else None)
    tile = None
    if tuning is not None:
        path = _path(tuning, "tuning")
        tile = chosen_tile(read_tuning(path), path, word or found.op, found, chosen).tile
    return build(
        found,
        chosen,
        name=word,
        formulation=formulation,
        dialect=dialect,
        tile=tile,
        root=_folder(out),
    )


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
    entries = _named_specs(specs)
    targets_in_order = target if isinstance(target, Iterable) else [target]
    chosen = bundle_targets([target] if isinstance(target, str) else targets_in_order, cpu)
    place = _path(file, "file")
    check_place(place)
    root = _folder(out)
    return write_bundle(
        place,
        [
            build(spec, one, name=name, root=root)
            for name, spec in entries.items()
            for one in chosen
        ],
    )


def load(
    artifact_or_spec: Loadable,
    *,
    target: str | None = None,
    name: str | None = None,
    device: str = "auto",
    out: str | Path | None = None,
) -> Kernel:
    """A callable kernel: `kernel(query=q, key=k, value=v) -> np.ndarray`, or `kernel(q, k, v)`.

    Takes an artifact, the path of an artifact's folder or of a bundle (`FILE.irattn`), a spec or a
    catalogue name; the last two are compiled for `target` (default `cpu`) unless the store has
    them. Of a bundle, `name` is the entry, needed where there are several, and the variant is the
    one that runs here: `kernel.selection` says why not the others. `device` is `auto` (the
    artifact's GPU if it is there, else the CPU with one logged warning), `cpu`, `local-sync`,
    `local-task`, `hip`, `cuda` or another provider's name; only `auto` ever falls back. Raises
    ArtifactError or DeviceError, and ArgumentError for anything else than these.
    """
    loadable = recognise(artifact_or_spec, "artifact_or_spec")
    root = _folder(out)
    if isinstance(loadable, Bundle):
        return load_variant(loadable, name, device, target)
    check_no_entry(name)
    if isinstance(loadable, Artifact):
        check_compiled_for(loadable, target)
        return load_artifact(loadable, device, root)
    word = artifact_or_spec if isinstance(artifact_or_spec, str) else None
    artifact = build(loadable, targets.get(target or "cpu"), name=word, root=root)
    return load_artifact(artifact, device, root)


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
    names are compiled for `target` (default `cpu`); for a GPU without its device, the same fused
    graph compiled for the CPU runs instead: each verdict says what ran. Artifacts run as they are,
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
        seed=seed,
        out=_folder(out),
    )
    return [verify_one() for _, verify_one in list(verifier.work(artifacts_or_specs))]


def certify(
    artifacts: Artifact | str | Path | Iterable[Artifact | str | Path],
    *,
    workgroups: int = Settings.workgroups,
    mutants: int = Settings.mutants,
    seed: int = 0,
    out: str | Path | None = None,
) -> list[Certificate]:
    """What can be proved of artifacts here, and how: a certificate for each.

    Takes an artifact, its folder, a folder of artifacts, a bundle, or several of these. AMD code
    is executed by the emulator: of kernels whose results no later kernel reads at most `workgroups`
    (0: all). `mutants` wrong versions of the code are tried, which the proofs must notice. With
    `out` certificates are written there, as `<out>/<target>/<name>.certificate.json`: in-toto
    Statements. A claim that is found wrong is `refuted`, and such a certificate is not written:
    `Certificate.holds` tells. Raises ArgumentError for anything else than artifacts, ArtifactError
    for what is not sound.
    """
    settings = Settings(**_counts(workgroups=workgroups, mutants=mutants, seed=seed))
    root = _folder(out)
    made = [certify_artifact(one, settings) for one in _artifacts(artifacts, "artifacts")]
    for certificate in made:
        if root and certificate.holds:
            certificate.write(root)
    return made


def check_certificate(
    certificate: Certificate | str | Path, artifact: Artifact | str | Path
) -> Check:
    """Prove a certificate, or one in a file, again from its artifact, or from its folder.

    Hashes come first; `Check.problems` are the claims that no longer hold, each with the reason.
    Raises CertificateError for what is no certificate, and what `certify` raises.
    """
    if not isinstance(certificate, Certificate):
        certificate = read_certificate(_path(certificate, "certificate"))
    found = _artifacts(artifact, "artifact")
    if len(found) != 1:
        raise ArgumentError(f"artifact: expected one, got {len(found)} in {artifact}")
    return _certificates.check_certificate(certificate, found[0])


def run_stages(
    spec: Spec | str,
    tensors: Mapping[str, np.ndarray],
    *,
    target: str | None = None,
    device: str = "auto",
    out: str | Path | None = None,
) -> dict[str, np.ndarray]:
    """What every stage of contiguous attention gives for a call's tensors, by its op, in order.

    These are the scores after each step, before they become an output: `irattn.specs.stages` says
    what each is, and which of them ONNX asks for. Stages are compiled and loaded as `load` does.
    Raises UsageError for a spec that stages cannot say, ArgumentError for a tensor.
    """
    whole = _spec(spec)
    stages = stages_of(whole, spec if isinstance(spec, str) else None)
    check_arguments(whole, tensors)
    outputs: dict[str, np.ndarray] = {}
    before = None
    for stage in stages:
        kernel = load(stage, target=target, device=device, out=out)
        (before,) = kernel.outputs(**arguments_of(stage, before, tensors))
        outputs[stage.op] = before
    return outputs


def compare(
    baseline: Artifact | str | Path,
    candidate: Artifact | str | Path,
    *,
    baseline_revision: str | None = None,
    policy: str | Path | None = None,
    numerics: bool = True,
    execute: bool = False,
    seed: int = 0,
) -> Comparison:
    """Compare artifacts layer by layer, with a verdict and its reasons for each.

    A side is an artifact, its folder, a folder of artifacts (`<root>/<target>/<name>/`) or of
    baseline files (`<root>/<target>/<name>.json`), one such file, or `REVISION:PATH` of git; with
    `baseline_revision` the baseline's path is read as it was at that revision. Artifacts whose
    graph, flags or compiler changed are run against the reference unless `numerics` is false.
    With `execute` the machine code of both sides runs in the emulator where anything changed, and
    what it executes is compared. `policy` is a TOML file that says which changes count. Raises
    SourceError, PolicyError or ArtifactError.
    """
    return compare_sources(
        baseline,
        candidate,
        baseline_revision=baseline_revision,
        policy=_path(policy, "policy") if policy else None,
        numerics=numerics,
        execute=execute,
        seed=seed,
    )


def bench(
    specs: Mapping[str, Spec] | Iterable[str] | str | None = None,
    *,
    target: str = "cpu",
    device: str = "auto",
    against: str | None = None,
) -> Report:
    """Time specs beside a peer, and beside what the machine can do, which is measured too.

    `specs` are catalogue names, or specs by names of their own; None is the catalogue's suite.
    `against` is `torch`, `onnxruntime` or `numpy`; None is torch, or irattn alone where torch is
    not installed. Each side has a process of its own; outputs are compared before anything is
    timed, and what is wrong is not timed: `Row.failure` says so. Times are medians of calls taken
    in turns; a row's `ratio` is the peer's over irattn's. On a GPU launches are timed, many with
    one synchronisation; `device` never falls back. Raises UsageError for a peer that is not
    installed, DeviceError for a device that is not there.
    """
    named = _named_specs(catalog.names([catalog.BENCH]) if specs is None else specs)
    return bench_specs(named, targets.get(target), device=device, against=against)


def tune(
    specs: Mapping[str, Spec] | Iterable[str] | str,
    file: str | Path,
    *,
    target: str,
    device: str = "auto",
    budget: int | str | None = None,
    tokens: int = 512,
    executor: str | None = None,
    out: str | Path | None = None,
) -> list[Entry]:
    """Choose tiles of attention with evidence, and keep both in a tuning file; see its README.

    `specs` are catalogue names, or specs by names of your own. What the file has of equal inputs is
    not done again. `budget` is how many tiles of a spec are tried, 40, or for how long new ones are
    begun, `"10m"`. Cuts have at most so many `tokens`. The best are timed on `device`, `auto`
    where it is there. `executor` is `local:N`, by default with all cores, or `dask://HOST:PORT`.
    Raises RenderError for a spec that has no tile, DeviceError where nothing can rank tiles,
    TuningError for a file that is none, and the first error that was no tile's fault.
    """
    named, chosen = _named_specs(specs), targets.get(target)
    with using(executor_of(executor or f"local:{os.cpu_count() or 1}")) as workers:
        check_same_everywhere(workers, [chosen])
        session = Session(
            path=_path(file, "file"),
            executor=workers,
            device=device,
            tokens=tokens,
            budget=budget_of(None if budget is None else str(budget)),
            command="irattn.tune",
            root=_folder(out),
        )
        found = [session.tune(name, spec, chosen) for name, spec in named.items()]
    for _, trials in found:
        for error in trials.failures.values():
            raise error
    return [entry for entry, _ in found]


def _spec(spec: Spec | str) -> Spec:
    """The spec itself or of the catalogue; ArgumentError for anything else."""
    if isinstance(spec, str):
        return catalog.get(spec)
    if not isinstance(spec, Spec):
        raise ArgumentError(f"spec: expected a spec or a catalogue name, got {type(spec).__name__}")
    return spec


def _named_specs(specs: Mapping[str, Spec] | Iterable[str] | str) -> dict[str, Spec]:
    """Specs by the names of their entries; ArgumentError for what says neither."""
    if isinstance(specs, Mapping):
        return {name: _spec(spec) for name, spec in specs.items()}
    names = [specs] if isinstance(specs, str | Spec) or not isinstance(specs, Iterable) else specs
    return {_catalogue_name(name): catalog.get(name) for name in names}


def _catalogue_name(given: object) -> str:
    if not isinstance(given, str):
        raise ArgumentError(
            "specs: expected catalogue names, or specs by names of your own, as {'mine': spec}, "
            f"got {type(given).__name__}"
        )
    return given


def _folder(out: str | Path | None) -> Path | None:
    return _path(out, "out") if out else None


def _path(given: str | Path, argument: str) -> Path:
    if not isinstance(given, str | Path):
        raise ArgumentError(f"{argument}: expected a path, got {given!r}")
    return Path(given)


def _artifacts(given: object, argument: str) -> list[Artifact]:
    """Artifacts, or those of folders and bundles; ArgumentError for anything else."""
    if isinstance(given, Artifact | str | Path) or not isinstance(given, Iterable):
        given = [given]
    found = []
    for one in given:
        if not isinstance(one, Artifact | str | Path):
            raise ArgumentError(
                f"{argument}: expected an artifact or the path of its folder, got "
                f"{type(one).__name__}"
            )
        found += [one] if isinstance(one, Artifact) else _certificates.artifacts_at(Path(one))
    return found


def _counts(**counts: object) -> dict[str, Any]:
    """Whole numbers from 0; ArgumentError for anything else."""
    for name, count in counts.items():
        if type(count) is not int or count < 0:
            raise ArgumentError(f"{name}: expected a whole number from 0, got {count!r}")
    return counts
