"""Show a file of code objects: `irattn inspect FILE.hsaco`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from irattn.binary.codeobject import CodeObject, has_tables
from irattn.binary.inspection import disassemble_kernels, kernel_figures
from irattn.cli.common import counted, echo_table
from irattn.cli.execution import print_executed
from irattn.cli.kernels import not_decoded, print_kernels
from irattn.cli.waits import missing_by_kernel, print_waits, waits_to_dict
from irattn.core.errors import DeviceError, UsageError
from irattn.lab.codefiles import (
    BufferAfter,
    Description,
    ExecutedFile,
    estimated,
    execute_file,
    read_code_file,
    read_description,
)
from irattn.lab.profiling import emulation_problem, obstacles_of
from irattn.targets import get as get_target

# How many elements of a buffer are shown.
_FIRST = 4


@dataclass(frozen=True)
class Wanted:
    """Options that ask for more than figures; `launch` is a file that says how to execute."""

    isa: bool = False
    waits: bool = False
    execute: bool = False
    launch: Path | None = None


def read_checked(path: Path, wanted: Wanted) -> list[CodeObject]:
    """The code objects in a file, where all that is wanted of them can be told."""
    code_objects = read_code_file(path)
    if wanted.execute and wanted.launch is None:
        raise UsageError(f"{path}: a code object is executed as a description says: give --launch")
    for one in code_objects:
        check_wanted(one.gfx, wanted)
    return code_objects


def check_wanted(target: str, wanted: Wanted) -> None:
    """DeviceError where what is wanted of a target's code cannot be told here."""
    if wanted.isa and not has_tables(target):
        raise DeviceError(f"--isa: {target}: {not_decoded(target)}")
    problem = emulation_problem(target)
    if problem and (wanted.waits or wanted.execute):
        raise DeviceError(f"{'--waits' if wanted.waits else '--execute'}: {problem}")


def print_code_file(path: Path, wanted: Wanted) -> bool:
    """Print it; whether it lacks waits."""
    code_objects = read_checked(path, wanted)
    description = read_description(wanted.launch) if wanted.launch else None
    for one in code_objects:
        _print_code_object(path, one, wanted, description)
    missing = print_waits(missing_by_kernel(code_objects)) if wanted.waits else False
    if description:
        run = execute_file(code_objects, description)
        target = get_target(run.code_object.gfx)
        name = run.counts.kernel
        print_executed([estimated(run)], {name: name}, target, "as described")
        click.echo()
        rows = [_buffer_row(one) for one in run.buffers]
        echo_table(rows, ["buffer", "dtype", "shape", "changed B", "first elements"])
    return missing


def _print_code_object(
    path: Path, code_object: CodeObject, wanted: Wanted, description: Description | None
) -> None:
    kernels = kernel_figures(code_object, _dynamic_lds(code_object, description))
    click.echo(f"{path}: {counted(kernels, 'kernel')} for {code_object.gfx}")
    stops = obstacles_of(code_object)
    more = f", and {len(stops) - 1} more" if len(stops) > 1 else ""
    click.echo(f"  emulator   {f'stops: {stops[0]}{more}' if stops else 'executes it'}\n")
    print_kernels(kernels, {kernel.name: kernel.name for kernel in kernels}, code_object.gfx)
    if wanted.isa:
        for name, lines in disassemble_kernels(code_object).items():
            click.echo("\n  ".join((f"\n{name}:", *lines)))


def _dynamic_lds(code_object: CodeObject, description: Description | None) -> dict[str, int]:
    """The bytes of LDS that the described launch adds, by the kernel that it is of."""
    if description is None:
        return {}
    names = [kernel.name for kernel in code_object.kernels]
    launched = [name for name in names if description.kernel in (None, name)]
    return dict.fromkeys(launched, description.dynamic_lds)


def _buffer_row(buffer: BufferAfter) -> list[Any]:
    first = ", ".join(str(value) for value in buffer.data.ravel()[:_FIRST])
    more = ", ..." if buffer.data.size > _FIRST else ""
    shape = " x ".join(map(str, buffer.data.shape))
    return [buffer.name, buffer.dtype, shape, buffer.changed, first + more]


def code_file_to_dict(path: Path, wanted: Wanted) -> dict[str, Any]:
    """The JSON form of a file of code objects."""
    code_objects = read_checked(path, wanted)
    description = read_description(wanted.launch) if wanted.launch else None
    facts: dict[str, Any] = {
        "path": str(path),
        "code_objects": [_code_object_to_dict(one, wanted, description) for one in code_objects],
    }
    if wanted.waits:
        facts["missing_waits"] = waits_to_dict(missing_by_kernel(code_objects))
    if description and wanted.execute:
        facts.update(_run_to_dict(execute_file(code_objects, description)))
    return facts


def _code_object_to_dict(
    code_object: CodeObject, wanted: Wanted, description: Description | None
) -> dict[str, Any]:
    kernels = kernel_figures(code_object, _dynamic_lds(code_object, description))
    facts: dict[str, Any] = {
        "gfx": code_object.gfx,
        "kernels": [asdict(kernel) for kernel in kernels],
        "emulator_stops_at": obstacles_of(code_object),
    }
    if wanted.isa:
        listed = disassemble_kernels(code_object)
        facts["isa"] = {name: list(lines) for name, lines in listed.items()}
    return facts


def _run_to_dict(run: ExecutedFile) -> dict[str, Any]:
    buffers = [
        {
            "name": one.name,
            "dtype": one.dtype,
            "shape": list(one.data.shape),
            "changed_bytes": one.changed,
        }
        for one in run.buffers
    ]
    return {"executed": [estimated(run).to_dict()], "buffers": buffers}
