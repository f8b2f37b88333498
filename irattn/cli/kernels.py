"""Tables of what kernels need, and of their instructions."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from irattn.cli.common import echo_table
from irattn.inspection.figures import INSTRUCTION_CLASSES, KernelFigures

NO_TABLES = "instructions are not decoded: pip install 'irattn[isa]'"


def print_kernels(kernels: Sequence[KernelFigures], names: Mapping[str, str]) -> None:
    """Registers, memory and occupancy, then instructions by class; `names` are what is shown."""
    headers = ["kernel", "VGPRs", "AGPRs", "SGPRs", "spills", "scratch B", "LDS B", "wave"]
    rows = [[names[kernel.name], *_resources(kernel)] for kernel in kernels]
    echo_table(rows, [*headers, "waves per SIMD", "limited by", "code B"])
    click.echo()
    counted = [(names[kernel.name], kernel.instructions) for kernel in kernels]
    rows = [[name, *counts.values()] for name, counts in counted if counts is not None]
    if rows:
        echo_table(rows, ["instructions", *INSTRUCTION_CLASSES])
    else:
        click.echo(NO_TABLES)


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
