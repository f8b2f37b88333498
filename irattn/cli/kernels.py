"""Tables of what kernels need, and of their instructions."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from irattn.binary.codeobject import isa_of
from irattn.binary.inspection.figures import INSTRUCTION_CLASSES, KernelFigures
from irattn.cli.common import echo_table


def not_decoded(target: str) -> str:
    """Why no instructions of a target's code are shown here, and what to do."""
    if isa_of(target) is None:
        return "irattn has no instruction tables for it"
    return "instructions are not decoded: pip install 'irattn[isa]'"


def print_kernels(kernels: Sequence[KernelFigures], names: Mapping[str, str], target: str) -> None:
    """Registers, memory and occupancy, then instructions by class; `names` are what is shown."""
    headers = ["kernel", "VGPRs", "AGPRs", "SGPRs", "spills", "scratch B", "LDS B", "wave"]
    rows = [[names.get(kernel.name, kernel.name), *_resources(kernel)] for kernel in kernels]
    echo_table(rows, [*headers, "waves per SIMD", "limited by", "code B"])
    click.echo()
    counted = [(names.get(kernel.name, kernel.name), kernel.instructions) for kernel in kernels]
    rows = [[name, *counts.values()] for name, counts in counted if counts is not None]
    if rows:
        echo_table(rows, ["instructions", *INSTRUCTION_CLASSES])
    else:
        click.echo(f"{target}: {not_decoded(target)}")


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
