"""Count what a launch executed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from irattn.lab.emulator.measure.latencies import Span
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.emulator.measure.work import WorkgroupCounts


@dataclass(frozen=True)
class Counts:
    """The counts of a launch, summed over its waves.

    `instructions` has the classes of `figures.INSTRUCTION_CLASSES`. Bytes are those that the lanes
    asked for. `barriers` counts each wave's arrival. `executed` are the places, in bytes from the
    start, of the instructions that some wave came to. `traffic` is there where it was measured.
    `transcendental` are those of the vector instructions that approximate. `by_workgroup` has the
    counts of each workgroup. `blocks` are the basic blocks of the chunk of workgroups that executed
    the most, which depends on the order of waves. `alone` is how many cycles one wave would take by
    itself, where traffic was measured: see `one_wave`.
    """

    kernel: str
    workgroups: int
    waves: int
    instructions: Mapping[str, int]
    matrix_flops: float
    global_bytes: int
    lds_bytes: int
    barriers: int
    executed: frozenset[int]
    traffic: Traffic | None = None
    transcendental: int = 0
    by_workgroup: WorkgroupCounts | None = field(default=None, compare=False)
    blocks: int = field(default=0, compare=False)
    alone: Span | None = None
