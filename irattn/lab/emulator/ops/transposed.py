"""Loads from LDS that transpose, which CDNA 4 has for the factors of its matrix instructions."""

import numpy as np

from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.moves import Move
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.machine.written import Lost
from irattn.lab.emulator.ops.access import moved
from irattn.lab.emulator.ops.effects import Effect, effect
from irattn.lab.emulator.ops.lds import lds_address, move_lds
from irattn.lab.emulator.ops.operands import Factory, Operands

_WHOLE = Move(True, 8)
# Of 16 lanes in a row: which lane each of the four halves comes from, and which half it is there.
_LANE = np.arange(64)[:, None]
_FROM = (_LANE & ~15) + (_LANE >> 2 & 3) + 4 * np.arange(4)
_HALF = np.broadcast_to(_LANE & 3, _FROM.shape)


def _halves(ops: Operands) -> Effect:
    """DS_READ_B64_TR_B16: lanes load 8 bytes, and get half by half what lanes of their row loaded.

    From the guide of CDNA 4, 11.4: lane `l` gets as half `n` the half `l % 4` of the lane
    `l / 4 % 4 + 4 n` of its 16. All lanes must execute.
    """
    if not ops.family.has_cdna4_lds:
        raise UnknownInstructionError("a load that transposes")
    register, address = ops.data_register("vdst"), lds_address(ops)
    offset = ops.field("offset0") | ops.field("offset1") << 8
    both = frozenset((register, register + 1))

    def act(st: Waves) -> None:
        if st.active is not True:
            raise FaultError("a load that transposes with lanes that do not execute", ~st.active)
        move_lds(st, _WHOLE, address.get(st), offset, register)
        words = st.v[register : register + 2]
        words[...] = _transposed(words)
        if st.around.checks and not both <= st.written.vector:
            lost = _transposed(np.stack([st.written.unwritten(r) for r in sorted(both)]))
            st.written.note(both, True)
            st.written.lose(Lost([(frozenset((register + i,)), lost[i]) for i in range(2)]))

    return effect(act, address, moved(_WHOLE, register), notes_writes=True)


def _transposed(words: np.ndarray) -> np.ndarray:
    """Words [2, waves, lanes] as each lane gets their halves."""
    halves = np.ascontiguousarray(words.transpose(1, 2, 0)).view(np.uint16)
    moved_halves = np.ascontiguousarray(halves[:, _FROM, _HALF])
    return moved_halves.view(np.uint32).transpose(2, 0, 1)


TRANSPOSED: dict[str, Factory] = {"ds_load_b64_tr_b16": _halves}
