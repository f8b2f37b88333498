"""Decode machine code with the instruction tables of the `tinygrad` package."""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from irattn.binary.codeobject.encodings import Encoding, encodings_by_byte
from irattn.core.errors import ArtifactError
from irattn.targets.chips import family_of

# What an opcode always has: a vector register, of which it reads lanes.
_USUAL = {
    **{
        f"v_{name}_b32": 256 << 32
        for name in ("readlane", "permlane16", "permlanex16", "permlane16_var", "permlanex16_var")
    },
    **{
        f"v_{name}_b32_{length}": 256 << place
        for name in ("movrels", "movrelsd", "movrelsd_2", "swaprel")
        for length, place in (("e32", 0), ("e64", 32))
    },
}
# What compilers for RDNA always give to an opcode: the message that frees registers, denormals of
# all kinds kept, and the workgroup's barrier.
_USUAL_OF_RDNA = {
    "s_sendmsg": 3,
    "s_denorm_mode": 15,
    "s_barrier_signal": 0xC1,
    "s_barrier_wait": 0xFFFF,
}
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
    encodings = {encoding for row in encodings_by_byte(isa) for encoding in row} if isa else set()
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
        for encoding in {encoding for row in encodings_by_byte(isa) for encoding in row}
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
    rows = encodings_by_byte(isa)
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


def _plain_fields(encoding: Encoding) -> tuple[int, int]:
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
    table = encodings_by_byte(isa)
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
