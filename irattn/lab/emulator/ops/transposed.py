"""Loads from LDS that transpose, which CDNA 4 has for the factors of its matrix instructions.

Each of 16 lanes in a row loads 8 bytes: together rows of 16 elements, one after the other. Lane `l`
gets the elements `l` of all rows: four of two bytes, as the guide of CDNA 4 has it in 11.4, or
eight of one byte, as kernels for gfx950 lay out what they load (HipKittens, `load_col`).
"""

from functools import partial
from typing import Any

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
_ROW = 16


def _transposing(ops: Operands, *, element: Any) -> Effect:
    """DS_READ_B64_TR: lanes load 8 bytes, and get one by one elements that lanes of their row
    loaded. All lanes must execute.
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
        words[...] = _transposed(words, element)
        if st.around.checks and not both <= st.written.vector:
            unwritten = np.stack([st.written.unwritten(r) for r in sorted(both)])
            lost = _transposed(unwritten, element)
            st.written.note(both, True)
            st.written.lose(Lost([(frozenset((register + i,)), lost[i]) for i in range(2)]))

    return effect(act, address, moved(_WHOLE, register), notes_writes=True)


def _transposed(words: np.ndarray, element: Any) -> np.ndarray:
    """Words [2, waves, lanes] as each lane gets their elements."""
    _, waves, lanes = words.shape
    loaded = np.ascontiguousarray(words.transpose(1, 2, 0)).view(element)
    columns = loaded.reshape(waves, lanes // _ROW, -1, _ROW).swapaxes(2, 3)
    given = np.ascontiguousarray(columns).reshape(waves, lanes, -1)
    return given.view(np.uint32).transpose(2, 0, 1)


TRANSPOSED: dict[str, Factory] = {
    "ds_load_b64_tr_b16": partial(_transposing, element=np.uint16),
    "ds_load_b64_tr_b8": partial(_transposing, element=np.uint8),
}
