"""The registers of waves that are at the same place of a kernel."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.fields import SCC
from irattn.lab.emulator.machine.places import Places
from irattn.lab.emulator.machine.surroundings import Surroundings
from irattn.lab.emulator.machine.underway import NOTHING_UNDERWAY, Underway, either
from irattn.lab.emulator.machine.written import Written, merged

SGPRS = 128
VCC, TTMP, EXEC = 106, 108, 126
EXEC_WORDS = frozenset((EXEC, EXEC + 1))
# Registers of the trap handler, which kernels must not write.
TRAP = range(TTMP, TTMP + 16)

# What registers hold before they are written, so that using it is noticed: a NaN.
_POISON = 0x7FC0DEAD

# What becomes of a field of `Waves` where waves part and meet: it is what they have in common, or
# an array with the waves along an axis.
_COMMON: Mapping[str, Any] = {"axis": None}
_FIRST_AXIS, _SECOND_AXIS = {"axis": 0}, {"axis": 1}


@dataclass(eq=False)
class Waves:
    """Waves as arrays: `v` uint32 [registers, waves, lanes], `s` uint32 [128, waves].

    `f`, `i`, `h`, `u16`, `i16` are `v` seen as other types; 16-bit ones have the two halves as
    last axis. `active` says which lanes of which waves execute, True for all. `live` is their
    number. `group` is each wave's workgroup in the chunk, `slot` its number in it.
    """

    around: Surroundings = field(metadata=_COMMON)
    lanes: int = field(metadata=_COMMON)
    pc: int = field(metadata=_COMMON)
    waits: bool = field(metadata=_COMMON)
    denormals: int = field(metadata=_COMMON)
    underway: Underway = field(metadata=_COMMON)
    slot: np.ndarray = field(metadata=_FIRST_AXIS)
    group: np.ndarray = field(metadata=_FIRST_AXIS)
    scc: np.ndarray = field(metadata=_FIRST_AXIS)
    # How many barriers each wave has passed.
    epoch: np.ndarray = field(metadata=_FIRST_AXIS)
    # Where a barrier has two halves: which waves are between them.
    signalled: np.ndarray = field(metadata=_FIRST_AXIS)
    # How many loads and stores of memory each wave has begun and waited for, where that is counted.
    loads_begun: np.ndarray = field(metadata=_FIRST_AXIS)
    loads_ended: np.ndarray = field(metadata=_FIRST_AXIS)
    # The same of operations of LDS, and how many each had waited for when it came to a barrier.
    lds_begun: np.ndarray = field(metadata=_FIRST_AXIS)
    lds_ended: np.ndarray = field(metadata=_FIRST_AXIS)
    lds_ended_at_barrier: np.ndarray = field(metadata=_FIRST_AXIS)
    v: np.ndarray = field(metadata=_SECOND_AXIS)
    s: np.ndarray = field(metadata=_SECOND_AXIS)
    written: Written
    # Scratch of the actions of a block. The first source of a DPP instruction, and what is left for
    # later ones: LDS addresses and matrices by register.
    moved: np.ndarray = field(init=False, default_factory=lambda: np.zeros((0, 0), np.uint32))
    places: dict[int, Places] = field(init=False, default_factory=dict)
    matrices: dict[tuple[str, int], np.ndarray] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        v = self.v
        self.f, self.i = v.view(np.float32), v.view(np.int32)
        halves = (*v.shape, 2)
        self.h = v.view(np.float16).reshape(halves)
        self.u16 = v.view(np.uint16).reshape(halves)
        self.i16 = v.view(np.int16).reshape(halves)
        self.active: Any = True
        self.live = v[0].size

    @classmethod
    def fresh(
        cls, registers: int, lanes: int, slot: np.ndarray, group: np.ndarray, around: Surroundings
    ) -> "Waves":
        """Waves that have done nothing yet, all lanes of which execute."""
        waves = len(slot)
        written = Written((registers, waves, lanes))
        written.scalar |= EXEC_WORDS | {SCC}
        return cls(
            around=around,
            lanes=lanes,
            pc=0,
            waits=False,
            denormals=0,
            underway=NOTHING_UNDERWAY,
            slot=slot,
            group=group,
            scc=np.zeros(waves, bool),
            epoch=np.zeros(waves, np.uint32),
            signalled=np.zeros(waves, bool),
            loads_begun=np.zeros(waves, np.int64),
            loads_ended=np.zeros(waves, np.int64),
            lds_begun=np.zeros(waves, np.int64),
            lds_ended=np.zeros(waves, np.int64),
            lds_ended_at_barrier=np.zeros(waves, np.int64),
            v=np.full((registers, waves, lanes), _POISON, np.uint32),
            s=np.full((SGPRS, waves), _POISON, np.uint32),
            written=written,
        )

    @property
    def count(self) -> int:
        """How many waves these are."""
        return len(self.slot)

    def set_exec(self) -> None:
        """Follow a change of the exec register."""
        self.set_active(self.lane_mask(EXEC))

    def set_active(self, mask: np.ndarray) -> None:
        """Let these lanes execute: bool [waves, lanes]."""
        self.live = int(np.count_nonzero(mask))
        self.active = True if self.live == mask.size else mask

    def set_scc(self, condition: Any) -> None:
        """Set the condition code of each wave, or of all: bool [waves] or [1]."""
        self.scc = np.broadcast_to(condition, self.scc.shape).copy()

    def lane_mask(self, register: int) -> np.ndarray:
        """A mask in scalar registers as bool [waves, lanes]."""
        words = self.s[register : register + self.lanes // 32]
        return unpack(words)

    def put_lanes(self, register: int, mask: np.ndarray) -> None:
        """Write bool [waves, lanes] to scalar registers; lanes that do not execute give 0."""
        if self.active is not True:
            mask = mask & self.active
        words = pack(np.broadcast_to(mask, (self.count, self.lanes)))
        self.s[register : register + self.lanes // 32] = words
        if EXEC <= register <= EXEC + 1:
            self.set_exec()

    def take(self, chosen: np.ndarray) -> "Waves":
        """Some of the waves, by a mask, as a state of their own."""
        # Not by an index: this keeps the layout, which the views of halves rely on.
        arrays = {name: getattr(self, name).compress(chosen, axis=i) for name, i in _AXES.items()}
        return self._parted(arrays, self.written.take(chosen))

    def _parted(self, arrays: Mapping[str, Any], written: Written) -> "Waves":
        """Waves that have in common what these have, with arrays of their own."""
        common: dict[str, Any] = {name: getattr(self, name) for name in _SHARED}
        part = Waves(**common, **arrays, written=written)
        part.set_exec()
        return part


_DECLARED = {one.name: one.metadata["axis"] for one in fields(Waves) if "axis" in one.metadata}
_SHARED = [name for name, axis in _DECLARED.items() if axis is None]
_AXES = {name: axis for name, axis in _DECLARED.items() if axis is not None}


def merge(states: list[Waves]) -> Waves:
    """States at the same place as one, its waves in order of workgroup and slot."""
    whole = {
        name: np.concatenate([getattr(state, name) for state in states], axis=axis)
        for name, axis in _AXES.items()
    }
    order = np.lexsort((whole["slot"], whole["group"]))
    arrays = {name: array.take(order, axis=_AXES[name]) for name, array in whole.items()}
    together = states[0]._parted(arrays, merged([state.written for state in states], order))
    together.underway = either(state.underway for state in states)
    return together


def unpack(words: np.ndarray) -> np.ndarray:
    """uint32 [words, waves] as bool [waves, 32 * words]."""
    data = np.ascontiguousarray(words.T).view(np.uint8)
    return np.unpackbits(data, axis=1, bitorder="little").view(bool)


def pack(mask: np.ndarray) -> np.ndarray:
    """Bool [waves, lanes] as uint32 [lanes / 32, waves]."""
    return np.packbits(mask, axis=1, bitorder="little").view(np.uint32).T
