"""The state of waves that are at the same place of a kernel: registers, exec, scc."""

from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError
from irattn.emulator.machine.places import Places
from irattn.emulator.machine.surroundings import Surroundings

SGPRS = 128
VCC, TTMP, EXEC = 106, 108, 126
EXEC_WORDS = frozenset((EXEC, EXEC + 1))
# Registers of the trap handler, which kernels must not write.
TRAP = range(TTMP, TTMP + 16)

# What registers hold before they are written, so that using it is noticed: a NaN.
_POISON = 0x7FC0DEAD


class Waves:
    """Waves as arrays: `v` uint32 [registers, waves, lanes], `s` uint32 [128, waves].

    `f`, `i`, `h`, `u16`, `i16` are `v` seen as other types; 16-bit ones have the two halves as
    last axis. `active` says which lanes of which waves execute, True for all. `live` is their
    number. `group` is each wave's workgroup in the chunk, `slot` its number in it.
    """

    def __init__(
        self,
        registers: int,
        lanes: int,
        slot: np.ndarray,
        group: np.ndarray,
        surroundings: Surroundings,
    ) -> None:
        self.around = surroundings
        waves = len(slot)
        self.lanes = lanes
        self.slot = slot
        self.group = group
        # How many barriers each wave has passed.
        self.epoch = np.zeros(waves, np.uint32)
        # Where a barrier has two halves: which waves are between them.
        self.signalled = np.zeros(waves, bool)
        self.pc = 0
        self.waits = False
        self.denormals = 0
        self.scc = np.zeros(waves, bool)
        # The first source of a DPP instruction.
        self.moved = np.zeros((0, 0), np.uint32)
        # What actions of a block leave for later ones: LDS addresses and matrices by register.
        self.places: dict[int, Places] = {}
        self.matrices: dict[tuple[str, int], np.ndarray] = {}
        self.done: set[int] = set()
        self.s_done: set[int] = set()
        # Scalar registers that some of the waves have written: bool [waves].
        self.s_partly: dict[int, np.ndarray] = {}
        self.shadow: np.ndarray | None = None
        self._bind(
            np.full((registers, waves, lanes), _POISON, np.uint32),
            np.full((SGPRS, waves), _POISON, np.uint32),
        )
        self.s_done |= EXEC_WORDS
        self.active: Any = True
        self.live = waves * lanes

    def _bind(self, v: np.ndarray, s: np.ndarray) -> None:
        self.v, self.s = v, s
        self.f, self.i = v.view(np.float32), v.view(np.int32)
        halves = (*v.shape, 2)
        self.h = v.view(np.float16).reshape(halves)
        self.u16 = v.view(np.uint16).reshape(halves)
        self.i16 = v.view(np.int16).reshape(halves)

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

    # Registers that were never written.

    def wrote(self, registers: frozenset[int], lanes: Any = None) -> None:
        """Note which lanes of vector registers were written: those that execute, or these."""
        lanes = self.active if lanes is None else lanes
        if lanes is True:
            self.done |= registers
            return
        if self.shadow is None:
            self.shadow = np.zeros(self.v.shape, bool)
        for register in registers - self.done:
            self.shadow[register] |= lanes

    def unwritten(self, registers: frozenset[int]) -> tuple[int, np.ndarray] | None:
        """A vector register of which an active lane was never written, and those lanes."""
        for register in sorted(registers - self.done):
            written = self.shadow[register] if self.shadow is not None else False
            lanes = np.logical_and(self.active, np.logical_not(written))
            lanes = np.broadcast_to(lanes, self.v.shape[1:])
            if lanes.any():
                return register, lanes
            if np.all(written):
                self.done.add(register)
        return None

    def check_scalars(self, registers: frozenset[int]) -> None:
        """FaultError where a wave has not written one of these scalar registers."""
        for register in sorted(registers - self.s_done):
            written = self.s_partly.get(register, np.zeros(self.count, bool))
            if not written.all():
                lanes = np.repeat(~written[:, None], self.lanes, axis=1)
                raise FaultError(
                    f"read of scalar register {register}, which was never written", lanes
                )

    def check_lanes(self, register: int, lanes: np.ndarray) -> None:
        """FaultError where one of these lanes of a vector register was never written.

        The lanes, bool [waves, lanes], may be others than those that execute.
        """
        if register in self.done:
            return
        wrong = lanes if self.shadow is None else lanes & ~self.shadow[register]
        if wrong.any():
            raise FaultError(f"read of a lane of v{register}, which was never written", wrong)

    def take(self, chosen: np.ndarray) -> "Waves":
        """Some of the waves, by a mask, as a state of their own."""
        part = object.__new__(Waves)
        part.__dict__.update(self.__dict__)
        for name in ("slot", "group", "scc", "epoch", "signalled"):
            setattr(part, name, getattr(self, name)[chosen])
        # Not by an index: these keep the layout, which the views of halves rely on.
        part._bind(self.v.compress(chosen, axis=1), self.s.compress(chosen, axis=1))
        part.places, part.matrices = {}, {}
        part.done, part.s_done = set(self.done), set(self.s_done)
        part.s_partly = {register: who[chosen] for register, who in self.s_partly.items()}
        part.shadow = None if self.shadow is None else self.shadow.compress(chosen, axis=1)
        part.set_exec()
        return part


def merge(states: list[Waves]) -> Waves:
    """States at the same place as one, its waves in order of workgroup and slot."""
    whole = object.__new__(Waves)
    whole.__dict__.update(states[0].__dict__)
    slot, group = (np.concatenate([getattr(s, name) for s in states]) for name in ("slot", "group"))
    order = np.lexsort((slot, group))
    whole.slot, whole.group = slot[order], group[order]
    for name in ("scc", "epoch", "signalled"):
        setattr(whole, name, np.concatenate([getattr(s, name) for s in states])[order])
    v = np.concatenate([s.v for s in states], axis=1).take(order, axis=1)
    whole._bind(v, np.concatenate([s.s for s in states], axis=1).take(order, axis=1))
    whole.done = set.intersection(*(s.done for s in states))
    whole.s_done = set.intersection(*(s.s_done for s in states))
    some = set().union(*(s.s_done.union(s.s_partly) for s in states)) - whole.s_done
    whole.s_partly = {
        register: np.concatenate([_wrote(s, register) for s in states])[order] for register in some
    }
    partly = set.union(*(s.done for s in states)) - whole.done
    whole.shadow = None
    whole.places, whole.matrices = {}, {}
    if partly or any(s.shadow is not None for s in states):
        whole.shadow = np.concatenate([_shadow(s) for s in states], axis=1).take(order, axis=1)
    whole.set_exec()
    return whole


def _wrote(state: Waves, register: int) -> np.ndarray:
    """Which waves have written a scalar register."""
    if register in state.s_done:
        return np.ones(state.count, bool)
    return state.s_partly.get(register, np.zeros(state.count, bool))


def _shadow(state: Waves) -> np.ndarray:
    shadow = np.zeros(state.v.shape, bool) if state.shadow is None else state.shadow
    shadow[sorted(state.done)] = True
    return shadow


def unpack(words: np.ndarray) -> np.ndarray:
    """uint32 [words, waves] as bool [waves, 32 * words]."""
    data = np.ascontiguousarray(words.T).view(np.uint8)
    return np.unpackbits(data, axis=1, bitorder="little").view(bool)


def pack(mask: np.ndarray) -> np.ndarray:
    """Bool [waves, lanes] as uint32 [lanes / 32, waves]."""
    return np.packbits(mask, axis=1, bitorder="little").view(np.uint32).T
