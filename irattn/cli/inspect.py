"""`irattn inspect`."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from irattn.binary.inspection import Inspection, disassemble, inspect_artifact
from irattn.binary.inspection.figures import KernelFigures, StepFigures
from irattn.cli.code_file import Wanted, check_wanted, code_file_to_dict, print_code_file
from irattn.cli.common import echo_json, echo_table, json_option
from irattn.cli.execution import print_executed
from irattn.cli.kernels import print_kernels
from irattn.cli.waits import MissingWaits, missing_by_kernel, print_waits, waits_to_dict
from irattn.compiling.artifact import Artifact, artifacts_in
from irattn.core.progress import steps
from irattn.lab.profiling import code_objects, obstacles
from irattn.lab.profiling import execute as executed
from irattn.specs import spec_from_dict
from irattn.targets import get as get_target

_GIGA = 1e9


@click.command("inspect")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--isa", is_flag=True, help="List the machine code of AMD kernels.")
@click.option("--execute", is_flag=True, help="Run AMD kernels once in the emulator, and count.")
@click.option(
    "--launch",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="How to execute a code object: a JSON file with kernel, grid, workgroup and arguments.",
)
@click.option(
    "--waits",
    is_flag=True,
    help="Find waits and hazards that AMD kernels do not heed; exit with 1 where there are some.",
)
@json_option
def inspect_command(
    paths: tuple[Path, ...],
    isa: bool,
    execute: bool,
    launch: Path | None,
    waits: bool,
    as_json: bool,
) -> None:
    """Show what compiled code does and needs: PATHS of artifacts, folders of them, or AMD code
    objects of any compiler (.hsaco, .co).

    All is read from the files themselves: steps in order, and for AMD targets the registers, LDS,
    occupancy and instructions of each kernel. Matrix FLOPs are an estimate from grid, tiles and
    the bounds of loops. --execute counts what really runs, and estimates times from it.
    """
    if launch and not execute:
        raise click.UsageError("--launch says how to --execute a code object: give both")
    if launch and not any(path.is_file() for path in paths):
        raise click.UsageError(
            "--launch is for code objects, given as files; artifacts have their own"
        )
    wanted = Wanted(isa, waits, execute, launch)
    subjects = [one for path in paths for one in _subjects_at(path)]
    for one in subjects:
        if isinstance(one, Artifact):
            check_wanted(one.target, wanted)
    each = steps(subjects, _called)
    if as_json:
        facts = [_to_dict(subject, wanted) for subject in each]
        echo_json(facts)
        is_missing = any(one.get("missing_waits") for one in facts)
    else:
        is_missing = any([_print_subject(subject, wanted, i) for i, subject in enumerate(each)])
    if is_missing:
        sys.exit(1)


# What is shown: an artifact, or a file with code objects.
_Subject = Artifact | Path


def _called(subject: _Subject) -> str:
    if isinstance(subject, Path):
        return str(subject)
    return f"{subject.manifest.name} for {subject.target}"


def _print_subject(subject: _Subject, wanted: Wanted, number: int) -> bool:
    """Print one of several; whether waits are missing in it."""
    if number:
        click.echo()
    if isinstance(subject, Path):
        return print_code_file(subject, wanted)
    inspection = inspect_artifact(subject)
    _print(inspection, obstacles(subject))
    if wanted.execute:
        names = inspection.names.kernels
        print_executed(executed(subject).dispatches, names, get_target(subject.target))
    if wanted.isa:
        _print_isa(subject)
    return print_waits(_missing_waits(subject)) if wanted.waits else False


def _subjects_at(path: Path) -> Sequence[_Subject]:
    if path.is_file():
        return [path]
    artifacts = artifacts_in(path)
    if not artifacts:
        raise click.UsageError(
            f"{path}: expected an artifact or a folder of artifacts, and found none there; "
            "`irattn compile` makes them"
        )
    return artifacts


def _missing_waits(artifact: Artifact) -> MissingWaits:
    return missing_by_kernel(code_objects(artifact))


def _to_dict(artifact: _Subject, wanted: Wanted) -> dict[str, Any]:
    if isinstance(artifact, Path):
        return code_file_to_dict(artifact, wanted)
    facts = {"path": str(artifact.path), **inspect_artifact(artifact).to_dict()}
    facts["emulator_stops_at"] = obstacles(artifact)
    if wanted.isa:
        facts["isa"] = {name: list(lines) for name, lines in disassemble(artifact.vmfb).items()}
    if wanted.execute:
        facts["executed"] = [one.to_dict() for one in executed(artifact).dispatches]
    if wanted.waits:
        facts["missing_waits"] = waits_to_dict(_missing_waits(artifact))
    return facts


def _print(inspection: Inspection, stops: list[str]) -> None:
    manifest, module, names = inspection.manifest, inspection.module, inspection.names
    click.echo(f"{manifest.name} for {manifest.target}")
    for key, value in _facts(inspection):
        click.echo(f"  {key:10} {value}")
    if module.kernels:
        more = f", and {len(stops) - 1} more" if len(stops) > 1 else ""
        click.echo(f"  {'emulator':10} " + (f"stops: {stops[0]}{more}" if stops else "executes it"))
    click.echo()
    echo_table(
        [
            [i, *_step_row(name, step, module.kernels)]
            for i, (name, step) in enumerate(zip(names.steps, module.steps, strict=True), 1)
        ],
        ["step", "what", "kernel", "workgroups", "threads", "matrix GFLOP"],
    )
    if module.kernels:
        click.echo()
        print_kernels(module.kernels, names.kernels, manifest.target)


def _facts(inspection: Inspection) -> Iterator[tuple[str, str]]:
    """The lines at the top: key and value."""
    manifest, module = inspection.manifest, inspection.module
    graph = manifest.formulation or manifest.dialect
    yield "spec", f"{manifest.spec['op']}, {graph}: {_changed_fields(manifest.spec)}"
    compiled = spec_from_dict(manifest.spec).compiled
    for role, tensors in (("inputs", compiled.inputs), ("outputs", compiled.outputs)):
        yield role, ", ".join(f"{tensor.name} {tensor}" for tensor in tensors)
    yield (
        "made by",
        f"irattn {manifest.irattn_version}, {manifest.compiler} {manifest.compiler_version} "
        f"(bytecode {module.bytecode_version}) {' '.join(manifest.flags)}",
    )
    yield "memory", f"{module.transient_bytes} bytes besides inputs and outputs"
    efficiency = inspection.work_efficiency
    if efficiency is not None:
        executed = (inspection.executed_flops or 0) / _GIGA
        yield (
            "work",
            f"{inspection.needed_flops / _GIGA:.3g} GFLOP needed, {executed:.3g} in matrix "
            f"instructions (estimate): {efficiency:.0%}",
        )


def _changed_fields(spec: dict[str, Any]) -> str:
    """The fields that say something."""
    silent: tuple[Any, ...] = (None, False, [])
    said = [f"{key} {value}" for key, value in spec.items() if key != "op" and value not in silent]
    return ", ".join(said)


def _step_row(name: str, step: StepFigures, kernels: Iterable[KernelFigures]) -> list[Any]:
    if step.what != "dispatch":
        return [f"{name} {step.bytes} bytes", "", "", "", ""]
    kernel = next((kernel for kernel in kernels if kernel.name == step.kernel), None)
    flops = "" if not step.matrix_flops else f"{step.matrix_flops / _GIGA:.3g}"
    return [
        name,
        step.kernel,
        _sizes(step.workgroups or ()),
        _sizes(kernel.workgroup_size) if kernel else "",
        flops,
    ]


def _sizes(sizes: Iterable[int | str]) -> str:
    return " x ".join(map(str, sizes))


def _print_isa(artifact: Artifact) -> None:
    for name, lines in disassemble(artifact.vmfb).items():
        click.echo(f"\n{name}:")
        for line in lines:
            click.echo(f"  {line}")
