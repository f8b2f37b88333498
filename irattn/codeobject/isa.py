"""Decodes machine code with the instruction tables of the `tinygrad` package.

The tables are made from AMD's machine-readable manuals. Here they are indexed so that a whole
kernel decodes in milliseconds.
"""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from irattn.errors import ArtifactError

_FAMILIES = (("gfx11", "rdna3"), ("gfx120", "rdna4"), ("gfx9", "cdna"))
# Encodings whose tables are there but which the package's own decoder leaves out.
_LEFT_OUT = {"rdna3": "MUBUF", "rdna4": "VBUFFER"}
_LITERAL, _DPP8, _DPP16 = 255, 249, 250
_WAITS = ("S_WAIT", "S_BARRIER", "S_DELAY", "S_NOP", "S_SLEEP", "S_CLAUSE", "S_WAKEUP")
_BRANCHES = ("S_BRANCH", "S_CBRANCH", "S_ENDPGM", "S_SETPC", "S_SWAPPC", "S_CALL")
_MATRIX = ("WMMA", "MFMA", "SWMMAC", "SMFMAC")
_GLOBAL = ("GLOBAL", "FLAT", "MUBUF", "MTBUF", "VBUFFER", "VGLOBAL", "VFLAT")


@dataclass(frozen=True)
class Instruction:
    """One instruction: mnemonic in lower case, its place in the code, and its encoding.

    `encoding` is the class of the tables that reads its fields from `raw`.
    """

    name: str
    at: int
    size: int
    raw: int
    encoding: Any

    @property
    def kind(self) -> str:
        """One of `figures.INSTRUCTION_CLASSES`."""
        return _kind(self.name.upper(), self.encoding.__name__.partition("_")[0])

    @property
    def family(self) -> str:
        """The family of instruction sets whose tables decoded it: rdna3, rdna4 or cdna."""
        module: str = self.encoding.__module__
        return module.split(".")[-2]

    @property
    def operands(self) -> str:
        """The operands in words; a branch names where it goes."""
        if self.branch_target is not None:
            return f"{self.branch_target:#06x}"
        fields = self.encoding.from_bytes(self.raw.to_bytes(16, "little"))
        return repr(fields).partition("(")[2].removesuffix(")")

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


def family_of(gfx: str) -> str | None:
    """The family of instruction sets that a gfx belongs to: rdna3, rdna4 or cdna."""
    return next((family for prefix, family in _FAMILIES if gfx.startswith(prefix)), None)


def mnemonics(gfx: str) -> frozenset[str]:
    """All mnemonics that the tables have for a gfx; none where there are no tables."""
    family = family_of(gfx)
    encodings = {encoding for row in _table(family) for encoding in row} if family else set()
    return frozenset(
        name
        for encoding in encodings
        for _, _, names in encoding.opcodes
        for name in names.values()
    )


def has_tables(gfx: str) -> bool:
    """Whether the machine code of a gfx can be decoded here."""
    return family_of(gfx) is not None and importlib.util.find_spec("tinygrad") is not None


def instructions(code: bytes, gfx: str) -> Iterator[Instruction]:
    """The instructions of a kernel in order; ArtifactError for one that the tables do not have."""
    family = family_of(gfx)
    if family is None:
        raise ArtifactError(f"{gfx}: irattn has no instruction tables for it")
    table = _table(family)
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
        found = encoding.variant_of(raw)
        yield Instruction(name, at, found.size, raw & ((1 << 8 * found.size) - 1), found.tables)
        at += found.size


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
        for _, field in tables._fields:
            if isinstance(field, dsl.FixedBitField):
                self.mask |= field.mask << field.lo
                self.value |= field.default << field.lo
            elif isinstance(field, dsl.EnumBitField):
                self.opcodes.append((field.lo, field.mask, _names(field)))
            elif isinstance(field, dsl.SrcField):
                self.sources.append((field.lo, field.mask, field._valid_range[0]))
        suffix = tables.__name__.partition("_")[2]
        marker = {"DPP16": _DPP16, "SDWA": _DPP8, "SDWA_SDST": _DPP8}.get(suffix)
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

    def variant_of(self, raw: int) -> "_Encoding":
        """This encoding, or its longer form where a source stands for a literal or for DPP."""
        if self.is_variant:
            return self
        given = {(raw >> lo & mask) + base for lo, mask, base in self.sources}
        if self.literal and (_LITERAL in given or self._always_literal(raw)):
            return self.literal
        return self.dpp if self.dpp and _DPP16 in given else self

    def _always_literal(self, raw: int) -> bool:
        name = self.name_of(raw) or ""
        return self.tables.__name__ == "VOPD" and ("fmamk" in name or "fmaak" in name)


def _names(field: Any) -> dict[int, str]:
    """Mnemonics by opcode, for those that the encoding may have."""
    members = field.allowed if field.allowed is not None else list(field._enum)
    return {int(member.value): member.name.lower() for member in members}


@cache
def _table(family: str) -> list[list[_Encoding]]:
    """The encodings that an instruction may have, by its highest byte, in order of precedence."""
    try:
        from tinygrad.renderer import amd
        from tinygrad.renderer.amd import dsl
    except ImportError as error:
        raise ArtifactError(
            "decoding machine code needs the instruction tables: pip install 'irattn[isa]'"
        ) from error
    module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{family}.ins")
    classes = list(amd._load_formats()[family])
    if family in _LEFT_OUT:
        classes.insert(0, getattr(module, _LEFT_OUT[family]))
    encodings = [_Encoding(tables, dsl) for tables in classes]
    for encoding in encodings:
        name = encoding.tables.__name__
        for suffix in ("LIT", "DPP16"):
            longer = getattr(module, f"{name}_{suffix}", None)
            if longer is not None:
                setattr(encoding, "literal" if suffix == "LIT" else "dpp", _Encoding(longer, dsl))
    return [
        [
            encoding
            for encoding in encodings
            if (byte << 24 ^ encoding.value) & encoding.mask & 0xFF000000 == 0
        ]
        for byte in range(256)
    ]
