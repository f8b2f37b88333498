"""An instruction for the rules of hazards: which unit executes it, with which registers."""

from dataclasses import dataclass
from functools import cached_property

from irattn.lab.emulator.isa.accesses import begun
from irattn.lab.emulator.isa.transcendental import is_transcendental
from irattn.lab.emulator.machine.underway import scalar_key
from irattn.lab.emulator.ops.effects import Touches
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.waits.touched import Keys, matrix_registers

_MEMORY_KINDS = frozenset(("load", "store", "sample", "bvh"))


@dataclass(frozen=True, eq=False)
class Site:
    """One instruction of a kernel; registers are numbered as in `Operation`."""

    ops: Operands
    touched: Touches

    @cached_property
    def reads(self) -> Keys:
        """All registers that it reads."""
        return self.touched.reads | frozenset(map(scalar_key, self.touched.s_reads))

    @cached_property
    def writes(self) -> Keys:
        """All registers that it writes."""
        vectors = self.touched.writes | self.touched.lanes_written
        return vectors | frozenset(map(scalar_key, self.touched.s_writes))

    @cached_property
    def matrices(self) -> dict[str, Keys]:
        """The registers of a matrix instruction by operand: src0, src1, src2, vdst."""
        return matrix_registers(self.ops) if self.ops.instruction.kind == "matrix" else {}

    @cached_property
    def is_vector(self) -> bool:
        """Whether the vector unit executes it, matrix instructions with it."""
        return self.ops.instruction.kind in ("vector", "matrix")

    @cached_property
    def is_matrix(self) -> bool:
        """Whether it multiplies matrices."""
        return self.ops.instruction.kind == "matrix"

    @cached_property
    def is_plain_vector(self) -> bool:
        """Whether the vector unit executes it, and it is no product of matrices."""
        return self.is_vector and not self.is_matrix

    @cached_property
    def is_scalar_unit(self) -> bool:
        """Whether the scalar unit executes it; scalar loads are none of its own."""
        return self.ops.encoding.startswith("SOP")

    @cached_property
    def is_transcendental(self) -> bool:
        """Whether it is a root, an exponential and the like, which take longer than others."""
        return is_transcendental(self.ops.name)

    @cached_property
    def begins(self) -> frozenset[str]:
        """The kinds of operations that it begins."""
        returns = bool(self.touched.writes)
        return frozenset(begun(self.ops.encoding, self.ops.name, returns=returns))

    @cached_property
    def is_memory(self) -> bool:
        """Whether it loads or stores global memory or scratch."""
        return not _MEMORY_KINDS.isdisjoint(self.begins)

    @cached_property
    def is_access(self) -> bool:
        """Whether it accesses any memory, LDS and exports too."""
        return self.is_memory or not self.begins.isdisjoint(("lds", "export"))

    @cached_property
    def states(self) -> int:
        """How many wait states it stands for: S_NOP for as many as it says."""
        return self.ops.field("simm16") % 16 + 1 if self.ops.name == "s_nop" else 1
