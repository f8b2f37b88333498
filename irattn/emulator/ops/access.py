"""What a load or store moves between memory and vector registers."""

import re
from functools import cached_property
from typing import Any

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.machine.memory import Space
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.operands import Operands

_DIRECT = re.compile(r"(load|store)_([biu])(\d+)$")
_D16 = re.compile(r"(load|store)_(?:d16_(hi_)?)([biu])(\d+)$")
_LDS_D16 = re.compile(r"(load|store)_([biu])(\d+)_d16(_hi)?$")


class Access:
    """What a load or store moves: direction, words or bytes, and which half of the register."""

    def __init__(self, what: str) -> None:
        self.half: int | None = None
        found = _DIRECT.match(what)
        if found:
            direction, kind, bits = found.groups()
        elif found := _D16.match(what):
            direction, high, kind, bits = found.groups()
            self.half = 1 if high else 0
        elif found := _LDS_D16.match(what):
            direction, kind, bits, high = found.groups()
            self.half = 1 if high else 0
        else:
            raise UnknownInstructionError("unknown")
        self.is_load = direction == "load"
        self.signed = kind == "i"
        self.bytes = int(bits) // 8
        if (self.bytes > 2 and self.half is not None) or self.bytes not in (1, 2, 4, 8, 12, 16):
            raise UnknownInstructionError("unknown")
        self.words = -(-self.bytes // 4)

    @cached_property
    def word(self) -> "Access":
        """One word of it."""
        return Access("load_b32" if self.is_load else "store_b32")

    def note(self, ops: Operands, register: int) -> None:
        """Say which registers are read or written."""
        registers = range(register, register + self.words)
        (ops.writes if self.is_load else ops.reads).update(registers)

    def move(self, st: Waves, space: Space, at: np.ndarray, register: int, there: Any) -> None:
        """Carry out for lanes that execute; those not in `there` load 0 and store nothing."""
        active = st.active
        if there is not True:
            active = there if active is True else active & there
        if self.is_load:
            self._load(st, space, at, register, active)
        elif self.bytes >= 4:
            space.write(at, st.v[register : register + self.words], active)
        else:
            values = st.v[register] >> np.uint32(16) if self.half else st.v[register]
            space.write_part(at, values, self.bytes, active)
        if st.around.meter is not None and space is st.around.memory:
            st.around.meter.note_global(at, self.bytes, active)

    def _load(self, st: Waves, space: Space, at: np.ndarray, register: int, active: Any) -> None:
        if self.bytes >= 4:
            values = space.read(at, self.words, active)
            if active is not True:
                values = np.where(active, values, np.uint32(0))
            target = st.v[register : register + self.words]
            np.copyto(target, values, where=st.active)
            return
        value = space.read_part(at, self.bytes, active)
        if self.signed:
            kind = np.int16 if self.bytes == 2 else np.int8
            value = value.astype(kind).astype(np.int32).view(np.uint32)
        if active is not True:
            value = np.where(active, value, np.uint32(0))
        if self.half is None:
            np.copyto(st.v[register], value, where=st.active)
        else:
            np.copyto(st.u16[register, ..., self.half], value.astype(np.uint16), where=st.active)
