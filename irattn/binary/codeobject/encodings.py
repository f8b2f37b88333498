"""Index the instruction tables of the `tinygrad` package: which encoding an instruction is in.

The tables are made from AMD's machine-readable manuals. The index lets a whole kernel be decoded in
milliseconds.
"""

import importlib
from functools import cache
from typing import Any

from irattn.core.errors import ArtifactError

# What the package calls its tables, where that is not the name of the instruction set.
_TABLES = {"cdna2": "cdna", "cdna3": "cdna"}
# The package's tables for CDNA are those of gfx942 and gfx950. What CDNA 1 and 2 have instead: by
# encoding, the mnemonics of opcodes (LLVM's VOP2, VOP3 and VOP3P instruction definitions).
_CDNA2 = {
    "VOP2": {0x16: "v_mac_f32_e32"},
    "VOP2_SDWA": {0x16: "v_mac_f32_e32"},
    "VOP2_DPP16": {0x16: "v_mac_f32_e32"},
    "VOP2_LIT": {0x16: "v_mac_f32_e32", 0x17: "v_madmk_f32", 0x18: "v_madak_f32"},
    "VOP3": {0x116: "v_mac_f32_e64", 0x1C1: "v_mad_f32"},
    "VOP3P_MFMA": {
        0x54: "v_mfma_i32_32x32x8_i8",
        0x55: "v_mfma_i32_16x16x16_i8",
        0x63: "v_mfma_f32_32x32x4_2b_bf16_1k",
        0x64: "v_mfma_f32_16x16x4_4b_bf16_1k",
        0x65: "v_mfma_f32_4x4x4_16b_bf16_1k",
        0x66: "v_mfma_f32_32x32x8_bf16_1k",
        0x67: "v_mfma_f32_16x16x16_bf16_1k",
        0x68: "v_mfma_f32_32x32x2_2b_bf16",
        0x69: "v_mfma_f32_16x16x2_4b_bf16",
        0x6B: "v_mfma_f32_4x4x2_16b_bf16",
        0x6C: "v_mfma_f32_32x32x4_bf16",
        0x6D: "v_mfma_f32_16x16x8_bf16",
    },
}
# Encodings whose tables are there but which the package's own decoder leaves out.
_LEFT_OUT = {"rdna3": "MUBUF", "rdna4": "VBUFFER"}
# The package tells scaled matrix instructions by their second half alone: what they begin with, an
# instruction that loads scales (LLVM's `VOP3PX2e`), is fixed too.
_SCALED, _SCALED_MASK, _SCALED_VALUE = "VOP3PX2", 0xFFFF0000, 0xD3AC0000
_LITERAL, _SDWA, _DPP16, _DPP8 = 255, 249, 250, {233, 234}


class Encoding:
    """One encoding: what is fixed in it, and what its opcode may be."""

    def __init__(self, tables: Any, dsl: Any) -> None:
        self.tables = tables
        self.size: int = tables._base_size
        self.mask = self.value = 0
        self.opcodes: list[tuple[int, int, dict[int, str]]] = []
        self.sources: list[tuple[int, int, int]] = []
        self.literal: Encoding | None = None
        self.dpp: Encoding | None = None
        self.dpp8: Encoding | None = None
        for _, field in tables._fields:
            if isinstance(field, dsl.FixedBitField):
                self.mask |= field.mask << field.lo
                self.value |= field.default << field.lo
            elif isinstance(field, dsl.EnumBitField):
                self.opcodes.append((field.lo, field.mask, _names(field)))
            elif isinstance(field, dsl.SrcField):
                self.sources.append((field.lo, field.mask, field._valid_range[0]))
        if tables.__name__ == _SCALED:
            self.mask |= _SCALED_MASK
            self.value |= _SCALED_VALUE
        suffix = tables.__name__.partition("_")[2]
        marker = {"DPP16": _DPP16, "SDWA": _SDWA, "SDWA_SDST": _SDWA}.get(suffix)
        if marker is not None:
            # These are told from the plain form by what stands for the first source.
            self.mask |= 0x1FF
            self.value |= marker
        self.is_variant = suffix in ("LIT", "DPP16", "DPP8", "SDWA", "SDWA_SDST")

    def name_of(self, raw: int) -> str | None:
        """The mnemonic of an instruction in this encoding; None if it is in another one."""
        if raw & self.mask != self.value:
            return None
        names = [names.get(raw >> lo & mask) for lo, mask, names in self.opcodes]
        if None in names or not names:
            return None
        return "_".join(name for name in names if name)

    def rename(self, names: dict[int, str]) -> None:
        """Let opcodes mean other instructions."""
        self.opcodes = [(lo, mask, known | names) for lo, mask, known in self.opcodes]

    def variant_of(self, raw: int) -> "Encoding":
        """The encoding, or its longer form where a source stands for a literal or for DPP."""
        if self.is_variant:
            return self
        given = {(raw >> lo & mask) + base for lo, mask, base in self.sources}
        if self.literal and (_LITERAL in given or self._always_literal(raw)):
            return self.literal
        if self.dpp8 and given & _DPP8:
            return self.dpp8
        return self.dpp if self.dpp and _DPP16 in given else self

    def _always_literal(self, raw: int) -> bool:
        name = self.name_of(raw) or ""
        return self.tables.__name__ == "VOPD" and ("fmamk" in name or "fmaak" in name)


def _names(field: Any) -> dict[int, str]:
    """Mnemonics by opcode, for those that the encoding may have."""
    members = field.allowed if field.allowed is not None else list(field._enum)
    return {int(member.value): member.name.lower() for member in members}


def tables_of(isa: str) -> str:
    """The package's name of the tables of an instruction set."""
    return _TABLES.get(isa, isa)


@cache
def encodings_by_byte(isa: str) -> list[list[Encoding]]:
    """The encodings that an instruction may have, by its highest byte, in order of precedence."""
    try:
        from tinygrad.renderer import amd
        from tinygrad.renderer.amd import dsl
    except ImportError as error:
        raise ArtifactError(
            "decoding machine code needs the instruction tables: pip install 'irattn[isa]'"
        ) from error
    tables = tables_of(isa)
    module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{tables}.ins")
    classes = list(amd._load_formats()[tables])
    if isa in _LEFT_OUT:
        classes.insert(0, getattr(module, _LEFT_OUT[isa]))
    encodings = [Encoding(one, dsl) for one in classes]
    for encoding in encodings if isa == "cdna2" else ():
        encoding.rename(_CDNA2.get(encoding.tables.__name__, {}))
    for encoding in encodings:
        name = encoding.tables.__name__
        for suffix, form in (("LIT", "literal"), ("DPP16", "dpp"), ("DPP8", "dpp8")):
            longer = getattr(module, f"{name}_{suffix}", None)
            if longer is not None:
                setattr(encoding, form, Encoding(longer, dsl))
    return [
        [
            encoding
            for encoding in encodings
            if (byte << 24 ^ encoding.value) & encoding.mask & 0xFF000000 == 0
        ]
        for byte in range(256)
    ]
