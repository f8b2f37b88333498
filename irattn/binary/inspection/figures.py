"""The figures of a compiled module: what it does and costs, in plain numbers for JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

# How an instruction counts: what it uses the compute unit for.
INSTRUCTION_CLASSES = ("matrix", "vector", "scalar", "lds", "global", "scratch", "wait", "branch")


@dataclass(frozen=True)
class Occupancy:
    """The waves that a SIMD can hold at once, by each limit; the smallest decides."""

    waves_per_simd: int
    by_registers: int
    by_lds: int
    most: int

    @property
    def limited_by(self) -> str:
        """The limit that decides: `registers`, `LDS` or `the hardware`."""
        if self.by_registers == self.waves_per_simd < self.most:
            return "registers"
        if self.by_lds == self.waves_per_simd < self.most:
            return "LDS"
        return "the hardware"


@dataclass(frozen=True)
class KernelFigures:
    """The machine code of one dispatch on an AMD GPU, from its code object.

    `instructions` counts by class, each instruction once, however often it runs; None where the
    instruction tables are not installed. `occupancy` is None where the hardware's figures are not
    known. Registers are per lane (VGPR, AGPR) or wave (SGPR). `lds_bytes` are those of a workgroup,
    with what its launch adds where that is known: code objects alone do not say it.
    """

    name: str
    vgprs: int
    agprs: int
    sgprs: int
    vgpr_spills: int
    sgpr_spills: int
    scratch_bytes: int
    lds_bytes: int
    wave_size: int
    workgroup_size: tuple[int, int, int]
    code_bytes: int
    code_sha256: str
    occupancy: Occupancy | None
    instructions: Mapping[str, int] | None

    @property
    def spills(self) -> int:
        """Registers of both kinds that did not fit."""
        return self.vgpr_spills + self.sgpr_spills


@dataclass(frozen=True)
class StepFigures:
    """One step that the host has the device do: a dispatch, a fill or a copy.

    `workgroups` are numbers, or for sizes that the call chooses formulas of them. `matrix_flops`
    is what the dispatch's matrix instructions compute; None where that is not known. `reads` and
    `writes` are the buffers, `input0`, `output0`, `constant0` or `transient0`; memory that holds
    several outputs stands for them all. Both are empty in figures of before they were kept.
    """

    what: str
    kernel: str | None
    workgroups: tuple[int | str, int | str, int | str] | None
    bytes: int | str | None
    matrix_flops: float | None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModuleFigures:
    """A compiled module: its steps in order, its kernels, and the memory that it needs for a call.

    `kernels` is empty where the target is not an AMD GPU.
    """

    bytecode_version: str
    signature: str
    steps: tuple[StepFigures, ...]
    transient_bytes: int | str
    kernels: tuple[KernelFigures, ...]

    @property
    def dispatches(self) -> tuple[StepFigures, ...]:
        """The steps that launch a kernel."""
        return tuple(step for step in self.steps if step.what == "dispatch")

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return asdict(self)
