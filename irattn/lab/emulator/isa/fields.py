"""Fields of an instruction: numbers of registers, and constants."""

from functools import cache, cached_property
from typing import Any

import numpy as np

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.families import Family
from irattn.lab.emulator.isa.kinds import F64, I64, U64, Kind
from irattn.lab.emulator.isa.names import without_length

VGPR, LITERAL, DPP = 256, 255, 250
# The number 0.
ZERO = 128
# The operand that is the condition code.
SCC = 253
# A place of accumulation registers, for questions to whose answer it makes no difference.
ANYWHERE = 256
_FLOATS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0}
_INV_2PI = 248
_INV_2PI_BITS = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}


@cache
def _layout(encoding: Any, family: Family) -> dict[str, Any]:
    """Where an encoding's fields lie."""
    layout = dict(encoding._fields)
    for own, usual in family.fields.items():
        if own in layout:
            layout.setdefault(usual, layout[own])
    return layout


class Fields:
    """One instruction's fields, by the names that they have on RDNA3."""

    def __init__(
        self, instruction: Instruction, family: Family, accumulators: int | None = None
    ) -> None:
        self.instruction = instruction
        self.family = family
        self.accumulators = accumulators
        self.encoding: str = instruction.encoding.__name__
        self.layout = _layout(instruction.encoding, family)
        self.name = family.usual_name(instruction.name)

    def has(self, name: str) -> bool:
        """Whether the encoding has a field."""
        return name in self.layout

    def field(self, name: str, default: int = 0) -> int:
        """A field as an unsigned number."""
        field = self.layout.get(name)
        return default if field is None else int(self.instruction.raw >> field.lo & field.mask)

    def signed(self, name: str) -> int:
        """A field as a signed number."""
        field = self.layout[name]
        value = self.field(name)
        return value - ((value & (int(field.mask) + 1 >> 1)) << 1)

    @cached_property
    def own_name(self) -> str:
        """The family's name for the instruction, without the suffix that says how long it is."""
        return without_length(self.instruction.name)

    @cached_property
    def is_short(self) -> bool:
        """Whether the numbers of 16-bit destinations may say which half is meant."""
        return self.encoding.startswith(("VOP1", "VOP2"))

    @cached_property
    def is_dpp(self) -> bool:
        """Whether the first source goes through lanes of its row."""
        return self.encoding.endswith(("DPP16", "DPP8"))

    @cached_property
    def fills_lds(self) -> bool:
        """Whether it loads from memory right into LDS."""
        by_bit = self.encoding == "MUBUF" and bool(self.field("lds"))
        return by_bit or self.name.startswith("global_load_lds")

    @cached_property
    def is_sparse(self) -> bool:
        """Whether it is a matrix instruction whose first factor leaves half of its numbers out."""
        return self.name.startswith("v_smfmac")

    @cached_property
    def is_pair(self) -> bool:
        """Whether it is two instructions in one."""
        return self.encoding.startswith("VOPD")

    @cached_property
    def halves(self) -> tuple[str, str]:
        """RDNA3's names of the two instructions of a pair."""
        first, _, second = self.instruction.name.partition("_v_dual_")
        return self.family.usual_name(first), self.family.usual_name(f"v_dual_{second}")

    @cached_property
    def is_sdwa(self) -> bool:
        """Whether sources and destination are parts of registers that the instruction chooses."""
        return "SDWA" in self.encoding

    def accumulator(self, number: int) -> int:
        """Where an accumulation register lies among the vector registers."""
        if self.accumulators is None:
            raise UnknownInstructionError("an accumulation register")
        return self.accumulators + number

    def data_register(self, name: str) -> int:
        """The register that a load or store moves: `acc` chooses accumulation registers."""
        number = self.field(name)
        return self.accumulator(number) if self.field("acc") else number

    def half_of(self, register: int) -> tuple[int, int]:
        """The register, and which half of it, that a number means for 16-bit operands."""
        if self.family.halves_by_number and register >= 128:
            return register - 128, 1
        return register, 0

    def constant(self, code: int, kind: Kind) -> Any:
        """An inline constant or the literal, as a number of a kind."""
        dtype = kind.numpy
        bits = kind.bits
        if code == LITERAL:
            return self.literal(kind)
        if 128 <= code <= 192 or 193 <= code <= 208:
            number = code - 128 if code <= 192 else 192 - code
            return np.array(number & ((1 << bits) - 1), f"u{bits // 8}").view(dtype)[()]
        if code == _INV_2PI:
            return np.array(_INV_2PI_BITS[bits], f"u{bits // 8}").view(dtype)[()]
        if code in _FLOATS:
            return np.array(_FLOATS[code], f"f{bits // 8}").view(dtype)[()]
        raise UnknownInstructionError(f"operand {code}")

    def literal(self, kind: Kind) -> Any:
        """The 32 bits that follow the instruction, as a number of a kind."""
        value = self.field("literal")
        dtype = kind.numpy
        if kind == F64:
            return np.uint64(value << 32).view(dtype)
        if kind in (U64, I64):
            sign = (value & 0x80000000) << 1 if kind == I64 else 0
            return np.uint64((value - sign) & (2**64 - 1)).view(dtype)
        bits = kind.bits
        return np.array(value & ((1 << bits) - 1), f"u{bits // 8}").view(dtype)[()]
