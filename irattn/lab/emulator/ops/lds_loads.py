"""Loads from memory right into LDS, which CDNA has: BUFFER_LOAD with its bit for LDS, and
GLOBAL_LOAD_LDS.

From the guides of CDNA 3 and 4, 9.1.9, "Memory Buffer Load to LDS": lane after lane goes to
`LDS_base + M0 + offset + lane * 4`, or `* 16` where it has three or four words, and the offset of
the instruction counts for memory too (LLVM's `int_amdgcn_raw_buffer_load_lds` and
`int_amdgcn_global_load_lds`: "applied to both"). Bytes and halves take a word
(rocm-libraries, pull request 5084). Lanes that do not execute leave LDS alone; what is beyond the
resource is 0.
"""

from functools import partial

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.moves import MOVES, Move
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Source, effect
from irattn.lab.emulator.ops.lds import reached
from irattn.lab.emulator.ops.memory import Within, buffer_of, global_address
from irattn.lab.emulator.ops.operands import Factory, Operands


def _from_buffer(ops: Operands, *, move: Move) -> Effect:
    buffer = buffer_of(ops)

    def within(st: Waves) -> tuple[np.ndarray, np.ndarray]:
        if buffer.is_scratch(st):
            raise UnknownInstructionError("a load of scratch right into LDS")
        return buffer.in_memory(st)

    return _into_lds(ops, move, within, buffer.touches, ops.field("offset"))


def _from_memory(ops: Operands, *, move: Move) -> Effect:
    """GLOBAL_LOAD_LDS, which CDNA 3 has and later ones."""
    if ops.family.isa == "cdna2":
        raise UnknownInstructionError("a global load right into LDS")
    address = global_address(ops)

    def within(st: Waves) -> tuple[np.ndarray, np.ndarray]:
        return address.get(st), np.array(move.bytes)

    return _into_lds(ops, move, within, (address,), ops.signed("offset"))


def _into_lds(
    ops: Operands, move: Move, within: Within, touches: tuple[Source, ...], offset: int
) -> Effect:
    """A load from where `within` says, with the offset that counts for LDS too."""
    if move.bytes > 4 and not ops.family.has_cdna4_lds:
        raise UnknownInstructionError("a load of more than a word right into LDS")
    m0, stride = ops.scalar(ops.family.m0), 16 if move.words > 2 else 4
    mask = np.uint32(0x3FFFF if ops.family.has_cdna4_lds else 0xFFFF)

    def act(st: Waves) -> None:
        at, left = within(st)
        values = _loaded(st, move, at, np.broadcast_to(left, (st.count, st.lanes)))
        first = (m0.get(st) & mask) + np.uint32(offset & 0xFFFFFFFF)
        if (first & 3).any():
            raise UnknownInstructionError("M0 that is no multiple of 4")
        lane = np.arange(st.lanes, dtype=np.uint32) * np.uint32(stride)
        lds = st.around.lds
        places = lds.places(first[:, None] + lane, st.group, st.active)
        places, more = reached(st, places, 0, 4 * move.words, is_load=False, lands=True)
        lds.write(places.at + more, values, st.active)

    return effect(act, *touches, m0)


def _loaded(st: Waves, move: Move, at: np.ndarray, left: np.ndarray) -> np.ndarray:
    """The words that lanes load, 0 beyond the resource: uint32 [words, waves, lanes]."""
    memory, size = st.around.memory, min(move.bytes, 4)
    st.around.global_bytes += st.live * move.bytes
    words = []
    for i in range(move.words):
        there = (left >= 4 * i + size) & st.active
        word = size == 4
        value = memory.read(at + 4 * i, 1, there)[0] if word else memory.read_part(at, size, there)
        if move.signed:
            kind = np.int16 if size == 2 else np.int8
            value = value.astype(kind).astype(np.int32).view(np.uint32)
        words.append(np.where(there, value, np.uint32(0)))
    if st.around.meter is not None:
        st.around.meter.note_global(at, move.bytes, (left >= size) & st.active, st.group)
    return np.stack(words)


_ALLOWED = ("load_u8", "load_i8", "load_u16", "load_i16", "load_b32", "load_b96", "load_b128")
_GLOBAL = ("ubyte", "sbyte", "ushort", "sshort", "dword", "dwordx3", "dwordx4")
# Those of buffers by the names of usual loads.
LDS_LOADS: dict[str, Factory] = {
    **{f"buffer_{name}": partial(_from_buffer, move=MOVES[name]) for name in _ALLOWED},
    **{
        f"global_load_lds_{own}": partial(_from_memory, move=MOVES[usual])
        for own, usual in zip(_GLOBAL, _ALLOWED, strict=True)
    },
}
