"""`irattn inspect`."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from irattn.artifact import Artifact, artifacts_in
from irattn.cli.common import echo_json, echo_table, json_option
from irattn.cli.execution import print_executed
from irattn.cli.waits import Found, found_early, print_waits, waits_to_dict
from irattn.codeobject import has_tables
from irattn.errors import DeviceError
from irattn.inspection import Inspection, disassemble, inspect_artifact
from irattn.inspection.figures import INSTRUCTION_CLASSES, KernelFigures, StepFigures
from irattn.profiling import code_objects, obstacles
from irattn.profiling import execute as executed
from irattn.progress import steps
from irattn.runtime import emulated_device
from irattn.specs import spec_from_dict
from irattn.targets import get as get_target

_GIGA = 1e9
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_TABLES = "instructions are not decoded: pip install 'irattn[isa]'"


@click.command("inspect")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--isa", is_flag=True, help="List the machine code of AMD kernels.")
@click.option("--execute", is_flag=True, help="Run AMD kernels once in the emulator, and count.")
@click.option(
    "--waits", is_flag=True, help="Find waits that AMD kernels lack; exit with 1 where some do."
)
@json_option
def inspect_command(
    folders: tuple[Path, ...], isa: bool, execute: bool, waits: bool, as_json: bool
) -> None:
    """Show what artifacts do and need: FOLDERS of artifacts, or folders that hold some.

    All is read from the files themselves: steps in order, and for AMD targets the registers, LDS,
    occupancy and instructions of each kernel. Matrix FLOPs are an estimate from grid, tiles and
    the bounds of loops. --execute counts what really runs, and estimates times from it.
    """
    artifacts = [artifact for folder in folders for artifact in _found(folder)]
    each = steps(artifacts, lambda artifact: f"{artifact.manifest.name} for {artifact.target}")
    if as_json:
        found = [_to_dict(artifact, isa, execute, waits) for artifact in each]
        echo_json(found)
        if any(one.get("missing_waits") for one in found):
            sys.exit(1)
        return
    missing = False
    for i, artifact in enumerate(each):
        if i:
            click.echo()
        inspection = inspect_artifact(artifact)
        _print(inspection, obstacles(artifact))
        if execute:
            names = inspection.names.kernels
            print_executed(executed(artifact).dispatches, names, get_target(artifact.target))
        if isa:
            _print_isa(artifact)
        if waits:
            missing |= print_waits(_found_early(artifact))
    if missing:
        sys.exit(1)


def _found(folder: Path) -> list[Artifact]:
    found = artifacts_in(folder)
    if not found:
        raise click.UsageError(
            f"{folder}: expected an artifact or a folder of artifacts, and found none there; "
            "`irattn compile` makes them"
        )
    return found


def _found_early(artifact: Artifact) -> Found:
    if problem := emulated_device.problem(get_target(artifact.target)):
        raise DeviceError(f"--waits: {artifact.target} {problem}")
    return found_early(code_objects(artifact))


def _to_dict(artifact: Artifact, isa: bool, execute: bool, waits: bool) -> dict[str, Any]:
    found = {"path": str(artifact.path), **inspect_artifact(artifact).to_dict()}
    found["emulator_stops_at"] = obstacles(artifact)
    if isa:
        found["isa"] = {name: list(lines) for name, lines in disassemble(artifact.vmfb).items()}
    if execute:
        found["executed"] = [one.to_dict() for one in executed(artifact).dispatches]
    if waits:
        found["missing_waits"] = waits_to_dict(_found_early(artifact))
    return found


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
        headers = ["kernel", "VGPRs", "AGPRs", "SGPRs", "spills", "scratch B", "LDS B", "wave"]
        rows = [[names.kernels[kernel.name], *_resources(kernel)] for kernel in module.kernels]
        echo_table(rows, [*headers, "waves per SIMD", "limited by", "code B"])
        _print_instructions(module.kernels, names.kernels)


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


def _resources(kernel: KernelFigures) -> list[Any]:
    occupancy = kernel.occupancy
    return [
        kernel.vgprs,
        kernel.agprs,
        kernel.sgprs,
        kernel.spills,
        kernel.scratch_bytes,
        kernel.lds_bytes,
        kernel.wave_size,
        f"{occupancy.waves_per_simd} of {occupancy.most}" if occupancy else "not known",
        occupancy.limited_by if occupancy else "",
        kernel.code_bytes,
    ]


def _print_instructions(kernels: tuple[KernelFigures, ...], names: Mapping[str, str]) -> None:
    click.echo()
    counted = [(names[kernel.name], kernel.instructions) for kernel in kernels]
    rows = [[name, *counts.values()] for name, counts in counted if counts is not None]
    if rows:
        echo_table(rows, ["instructions", *INSTRUCTION_CLASSES])
    else:
        click.echo(_TABLES)


def _print_isa(artifact: Artifact) -> None:
    if not has_tables(artifact.target):
        raise DeviceError(f"--isa: {artifact.target}: {_TABLES}")
    for name, lines in disassemble(artifact.vmfb).items():
        click.echo(f"\n{name}:")
        for line in lines:
            click.echo(f"  {line}")
