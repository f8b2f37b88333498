"""Decodes machine code with the instruction tables of the `tinygrad` package.

The tables are made from AMD's machine-readable manuals. Here they are indexed so that a whole
kernel decodes in milliseconds.
"""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from irattn.core.errors import ArtifactError
from irattn.targets.chips import family_of

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
# What an opcode always has: a vector register, of which it reads lanes.
_USUAL = {
    f"v_{name}_b32": 256 << 32
    for name in ("readlane", "permlane16", "permlanex16", "permlane16_var", "permlanex16_var")
}
# What compilers for RDNA always give to an opcode: the message that frees registers, denormals of
# all kinds kept, and the workgroup's barrier.
_USUAL_OF_RDNA = {
    "s_sendmsg": 3,
    "s_denorm_mode": 15,
    "s_barrier_signal": 0xC1,
    "s_barrier_wait": 0xFFFF,
}
# Encodings whose tables are there but which the package's own decoder leaves out.
_LEFT_OUT = {"rdna3": "MUBUF", "rdna4": "VBUFFER"}
_LITERAL, _SDWA, _DPP16, _DPP8 = 255, 249, 250, {233, 234}
_WAITS = ("S_WAIT", "S_BARRIER", "S_DELAY", "S_NOP", "S_SLEEP", "S_CLAUSE", "S_WAKEUP")
_BRANCHES = ("S_BRANCH", "S_CBRANCH", "S_ENDPGM", "S_SETPC", "S_SWAPPC", "S_CALL")
_MATRIX = ("WMMA", "MFMA", "SWMMAC", "SMFMAC")
_GLOBAL = ("GLOBAL", "FLAT", "MUBUF", "MTBUF", "VBUFFER", "VGLOBAL", "VFLAT")


@dataclass(frozen=True)
class Instruction:
    """One instruction: mnemonic in lower case, its place in the code, and its encoding.

    `encoding` is the class of the tables that reads its fields from `raw`, `isa` the instruction
    set that it belongs to.
    """

    name: str
    at: int
    size: int
    raw: int
    encoding: Any
    isa: str

    @property
    def kind(self) -> str:
        """One of `figures.INSTRUCTION_CLASSES`."""
        return _kind(self.name.upper(), self.encoding.__name__.partition("_")[0])

    @property
    def branch_target(self) -> int | None:
        """Where a branch goes, from the start of the code; None for anything else."""
        if not self.name.startswith(("s_branch", "s_cbranch")):
            return None
        offset = (self.raw & 0xFFFF) - ((self.raw & 0x8000) << 1)
        return self.at + 4 + 4 * offset


@cache
def _kind(name: str, encoding: str) -> str:
    if any(part in name for part in _MATRIX):
        return "matrix"
    if name.startswith(_WAITS):
        return "wait"
    if name.startswith(_BRANCHES):
        return "branch"
    if encoding in ("DS", "VDS"):
        return "lds"
    if encoding in _GLOBAL:
        return "global"
    if "SCRATCH" in encoding:
        return "scratch"
    return "scalar" if encoding.startswith("S") else "vector"


def isa_of(gfx: str) -> str | None:
    """The instruction set that a gfx executes: rdna3, rdna4, cdna2 or cdna3; None if unknown."""
    family = family_of(gfx)
    return family.isa if family else None


def mnemonics(gfx: str) -> frozenset[str]:
    """All mnemonics that the tables have for a gfx; none where there are no tables."""
    isa = isa_of(gfx)
    encodings = {encoding for row in _table(isa) for encoding in row} if isa else set()
    return frozenset(
        name
        for encoding in encodings
        for _, _, names in encoding.opcodes
        for name in names.values()
    )


def mnemonics_of(isa: str, encodings: tuple[str, ...]) -> frozenset[str]:
    """The mnemonics that an instruction set has in encodings, their variants included."""
    return frozenset(
        name
        for encoding in {encoding for row in _table(isa) for encoding in row}
        if encoding.tables.__name__.partition("_")[0] in encodings
        for _, _, names in encoding.opcodes
        for name in names.values()
    )


def opcodes(gfx: str) -> Iterator[Instruction]:
    """One instruction for every opcode of a gfx; pairs are left out.

    The fields of each are zero, but for what compilers always have in them: matrix instructions
    take vector registers, scalar loads an immediate offset; see `_USUAL` for the others.
    """
    isa = isa_of(gfx)
    if isa is None:
        return
    rows = _table(isa)
    usual = _USUAL | (_USUAL_OF_RDNA if isa in ("rdna3", "rdna4") else {})
    done: set[str] = set()
    for encoding in dict.fromkeys(encoding for row in rows for encoding in row):
        # Opcodes that are there with a literal only are in the tables of that form.
        has_own = not encoding.is_variant or encoding.tables.__name__.endswith("_LIT")
        if len(encoding.opcodes) != 1 or not has_own:
            continue
        ((low, _, names),) = encoding.opcodes
        fixed, vectors = _plain_fields(encoding)
        for code, name in names.items():
            # Some tables have opcodes of another one too, which comes before them.
            if name in done:
                continue
            done.add(name)
            raw = fixed | code << low | usual.get(name, 0)
            instruction = Instruction(name, 0, encoding.size, raw, encoding.tables, isa)
            yield (
                replace(instruction, raw=raw | vectors)
                if instruction.kind == "matrix"
                else instruction
            )


def _plain_fields(encoding: "_Encoding") -> tuple[int, int]:
    """The bits that say which encoding it is, and those that make its sources vector registers."""
    fixed, vectors = encoding.value, 0
    for field, place in encoding.tables._fields:
        if field == "imm":
            fixed |= 1 << place.lo
        elif field.startswith("src"):
            vectors |= 256 << place.lo
    return fixed, vectors


def has_tables(gfx: str) -> bool:
    """Whether the machine code of a gfx can be decoded here."""
    return isa_of(gfx) is not None and importlib.util.find_spec("tinygrad") is not None


def instructions(code: bytes, gfx: str) -> Iterator[Instruction]:
    """The instructions of a kernel in order; ArtifactError for one that the tables do not have."""
    isa = isa_of(gfx)
    if isa is None:
        raise ArtifactError(f"{gfx}: irattn has no instruction tables for it")
    table = _table(isa)
    at = 0
    while at < len(code):
        raw = int.from_bytes(code[at : at + 16], "little")
        for encoding in table[raw >> 24 & 0xFF]:
            name = encoding.name_of(raw)
            if name is not None:
                break
        else:
            raise ArtifactError(
                f"an instruction is not in the tables of {gfx}: {raw & 0xFFFFFFFF:#010x} at {at:#x}"
            )
        variant = encoding.variant_of(raw)
        if at + variant.size > len(code):
            raise ArtifactError(f"the code ends within the instruction {name} at {at:#x}")
        own = raw & ((1 << 8 * variant.size) - 1)
        yield Instruction(name, at, variant.size, own, variant.tables, isa)
        at += variant.size


class _Encoding:
    """One encoding: what is fixed in it, and what its opcode may be."""

    def __init__(self, tables: Any, dsl: Any) -> None:
        self.tables = tables
        self.size: int = tables._base_size
        self.mask = self.value = 0
        self.opcodes: list[tuple[int, int, dict[int, str]]] = []
        self.sources: list[tuple[int, int, int]] = []
        self.literal: _Encoding | None = None
        self.dpp: _Encoding | None = None
        self.dpp8: _Encoding | None = None
        for _, field in tables._fields:
            if isinstance(field, dsl.FixedBitField):
                self.mask |= field.mask << field.lo
                self.value |= field.default << field.lo
            elif isinstance(field, dsl.EnumBitField):
                self.opcodes.append((field.lo, field.mask, _names(field)))
            elif isinstance(field, dsl.SrcField):
                self.sources.append((field.lo, field.mask, field._valid_range[0]))
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

    def variant_of(self, raw: int) -> "_Encoding":
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
def _table(isa: str) -> list[list[_Encoding]]:
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
    encodings = [_Encoding(one, dsl) for one in classes]
    for encoding in encodings if isa == "cdna2" else ():
        encoding.rename(_CDNA2.get(encoding.tables.__name__, {}))
    for encoding in encodings:
        name = encoding.tables.__name__
        for suffix, form in (("LIT", "literal"), ("DPP16", "dpp"), ("DPP8", "dpp8")):
            longer = getattr(module, f"{name}_{suffix}", None)
            if longer is not None:
                setattr(encoding, form, _Encoding(longer, dsl))
    return [
        [
            encoding
            for encoding in encodings
            if (byte << 24 ^ encoding.value) & encoding.mask & 0xFF000000 == 0
        ]
        for byte in range(256)
    ]
