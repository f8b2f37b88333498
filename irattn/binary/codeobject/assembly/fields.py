"""The fields of one instruction by name, and what AMD's tables say of its operands."""

import importlib
import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from irattn.binary.codeobject.encodings import tables_of
from irattn.binary.codeobject.isa import Instruction

_VECTOR = 256
_INTEGER = re.compile(r"_[IU]\d+$")
# Opcodes that the tables do not describe, most of them CDNA2's: one that takes the same operands.
_SAME_OPERANDS = {
    "v_mac_f32_e32": "V_FMAC_F32_E32",
    "v_mac_f32_e64": "V_FMAC_F32_E64",
    "v_madmk_f32": "V_FMAMK_F32_E32",
    "v_madak_f32": "V_FMAAK_F32_E32",
    "v_mad_f32": "V_FMA_F32_E64",
    "v_mfma_f32_32x32x4_xf32": "V_MFMA_F32_32X32X8_F16",
    "v_mfma_f32_16x16x8_xf32": "V_MFMA_F32_16X16X16_F16",
    "v_mfma_i32_32x32x8_i8": "V_MFMA_F32_32X32X2_F32",
    "v_mfma_i32_16x16x16_i8": "V_MFMA_F32_16X16X4_F32",
    "v_mfma_f32_32x32x2_2b_bf16": "V_MFMA_F32_32X32X1_2B_F32",
    "v_mfma_f32_16x16x2_4b_bf16": "V_MFMA_F32_16X16X1_4B_F32",
    "v_mfma_f32_4x4x2_16b_bf16": "V_MFMA_F32_4X4X1_16B_F32",
    "v_mfma_f32_32x32x4_bf16": "V_MFMA_F32_32X32X2_F32",
    "v_mfma_f32_16x16x8_bf16": "V_MFMA_F32_16X16X4_F32",
}


@dataclass(frozen=True)
class Operand:
    """An operand as the tables have it: its number format, bits, and what it may be."""

    format: str
    bits: int
    kind: str

    @property
    def is_integer(self) -> bool:
        """Whether numbers are integers, which have no sign to be turned on the way."""
        return _INTEGER.search(self.format) is not None

    @property
    def element_bits(self) -> int:
        """The bits of one number."""
        return 32 if "_PK2_F32" in self.format else self.bits

    @property
    def is_scalar(self) -> bool:
        """Whether it can only be a scalar register."""
        return self.kind.startswith("OPR_SREG")

    @property
    def is_accumulator(self) -> bool:
        """Whether it can only be a register of the matrix cores."""
        return self.kind in ("OPR_ACCVGPR", "OPR_SRC_ACCVGPR")

    @property
    def is_mask(self) -> bool:
        """Whether it holds a bit for each lane."""
        return self.format == "FMT_NUM_M64"


class EncodedFields:
    """An instruction's fields. `encoding` and `form` are its tables' name: `VOP2` and `DPP16`."""

    def __init__(self, instruction: Instruction, lanes: int) -> None:
        self.instruction = instruction
        self.name = instruction.name
        self.isa = instruction.isa
        self.lanes = lanes
        self.encoding, _, self.form = instruction.encoding.__name__.partition("_")
        self._places = _places(instruction.encoding)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> int:
        """The number in a field; 0 where the encoding does not have the field."""
        place = self._places.get(name)
        return 0 if place is None else self.instruction.raw >> place[0] & place[1]

    def signed(self, name: str) -> int:
        """The number in a field, with a sign."""
        low, mask = self._places[name]
        value = self.instruction.raw >> low & mask
        return value - mask - 1 if value > mask >> 1 else value

    def source(self, name: str) -> int:
        """A register or constant in the numbering of all sources: vector registers from 256."""
        low, mask = self._places[name]
        value = self.instruction.raw >> low & mask
        kind = type(getattr(self.instruction.encoding, name)).__name__
        if kind == "VDSTYField":
            return _VECTOR + (value << 1 | ~self["vdstx"] & 1)
        scale = {"SBaseField": 2, "SRsrcField": 4}.get(kind, 1)
        return value * scale + (_VECTOR if kind == "VGPRField" else 0)

    @property
    def is_rdna(self) -> bool:
        """Whether the chip has RDNA's registers, halves of them included."""
        return self.isa.startswith("rdna")

    @cached_property
    def operands(self) -> dict[str, Operand]:
        """The operands that the opcode has, by the field's name."""
        name = _SAME_OPERANDS.get(self.name, self.name.upper().removesuffix("_1K"))
        known = _operands(self.isa)
        told = known.get((self.encoding + "Op", name), {})
        # DPP and SDWA have their first source elsewhere, under a name of its own.
        return {self._own_name(field): operand for field, operand in told.items()}

    def _own_name(self, field: str) -> str:
        if field in ("src0", "vsrc0"):
            return "vsrc0" if "vsrc0" in self else "src0"
        return field


@cache
def _places(encoding: Any) -> dict[str, tuple[int, int]]:
    return {name: (field.lo, field.mask) for name, field in encoding._fields}


@cache
def _operands(isa: str) -> dict[tuple[str, str], dict[str, Operand]]:
    """The operands of every opcode, by the opcodes' class and the mnemonic."""
    module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{tables_of(isa)}.operands")
    return {
        (type(opcode).__name__, opcode.name): {
            field: Operand(form.name, bits, kind.name)
            for field, (form, bits, kind) in operands.items()
        }
        for opcode, operands in module.OPERANDS.items()
    }
