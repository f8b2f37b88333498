"""Print what a launch executed: `irattn inspect --execute`."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from irattn.binary.inspection.figures import INSTRUCTION_CLASSES
from irattn.cli.common import echo_table
from irattn.cli.dies import print_dies
from irattn.cli.order import print_order
from irattn.lab.profiling import Executed, lds_conflicts
from irattn.targets import Target
from irattn.targets.chips import Peak

_KIBI = 1024


def print_executed(
    executed: Sequence[Executed],
    names: Mapping[str, str],
    target: Target,
    how: str = "on random inputs",
) -> None:
    """Tables of instructions, of traffic, and of estimated times; `names` are for kernels."""
    called = [names[one.counts.kernel] for one in executed]
    click.echo(f"\nexecuted once {how}, by the emulator:\n")
    rows = [[name, *_instructions(one)] for name, one in zip(called, executed, strict=True)]
    echo_table(rows, ["dispatch", "waves", *INSTRUCTION_CLASSES, "matrix GFLOP", "barriers"])
    click.echo()
    rows = [[name, *_traffic(one)] for name, one in zip(called, executed, strict=True)]
    echo_table(
        rows,
        ["dispatch", "asked KiB", "lines KiB", "touched KiB", "LDS KiB", "LDS cycles", "conflicts"],
    )
    peak = target.chip.peak if target.chip else None
    models = [one.estimate for one in executed if one.estimate]
    if peak is None or len(models) < len(executed):
        return
    click.echo(
        f"\nestimated for {peak.product}, in microseconds (a model, no measurement), with "
        f"{_caches(peak)}:"
    )
    units = [unit for unit in _UNITS if unit in models[0].busy]
    rows = [[name, *_times(one, units)] for name, one in zip(called, executed, strict=True)]
    echo_table(rows, ["dispatch", *units, "idle", *_WHOLE])
    named = list(zip(called, models, strict=True))
    print_order([(name, model.order) for name, model in named if model.order])
    print_dies([(name, model.dies) for name, model in named if model.dies])


# The whole, with units at work together and one after the other, and what it comes to; cycles with
# waits, without the overhead of a launch.
_WHOLE = ("in all", "apart", "bound by", "matrix share", "others per matrix", "cycles")
_UNITS = ("issue", "matrix", "SIMD", "LDS", "cache", "memory", "fabric")


def _instructions(one: Executed) -> list[Any]:
    counts = one.counts
    by_class = [counts.instructions.get(kind, 0) for kind in INSTRUCTION_CLASSES]
    return [counts.waves, *by_class, f"{counts.matrix_flops / 1e9:.3g}", counts.barriers]


def _traffic(one: Executed) -> list[Any]:
    counts, traffic = one.counts, one.counts.traffic
    assert traffic is not None
    conflicts = lds_conflicts(traffic.lds_cycles, traffic.lds_phases)
    return [
        f"{counts.global_bytes / _KIBI:.0f}",
        f"{traffic.cache_lines * 64 / _KIBI:.0f}",
        f"{traffic.touched_bytes / _KIBI:.0f}",
        f"{counts.lds_bytes / _KIBI:.0f}",
        traffic.lds_cycles,
        f"{conflicts:.2f}x" if conflicts else "",
    ]


def _caches(peak: Peak) -> str:
    """The caches between compute units and memory."""
    dies = f"{peak.dies} dies of " if peak.dies > 1 else ""
    after = peak.infinity_cache
    last = f" and {after.mebibytes} MiB of Infinity Cache" if after else ""
    return f"{dies}{peak.l2_mebibytes} MiB of L2{last}"


def _times(one: Executed, units: Sequence[str]) -> list[Any]:
    estimate = one.estimate
    assert estimate is not None
    busy = [f"{estimate.busy[unit]:.2f}" for unit in units]
    times = [f"{estimate.microseconds:.1f}", f"{estimate.apart:.1f}", estimate.bound_by]
    per_matrix = one.others_per_matrix
    ratios = (
        ["", ""] if per_matrix is None else [f"{estimate.matrix_share:.0%}", f"{per_matrix:.1f}"]
    )
    cycles = f"{estimate.cycles.least} to {estimate.cycles.most}" if estimate.cycles else ""
    return [*busy, f"{estimate.idle_share:.0%}", *times, *ratios, cycles]
