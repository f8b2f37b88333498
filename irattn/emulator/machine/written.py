"""Keeps track of which registers were written: what was not must not be read."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError


class Written:
    """What waves have written of their registers.

    All lanes have written those in `vector`, all waves those in `scalar`. Who has written others
    stands in `lanes`, bool [registers, waves, lanes] once it is needed, and in `waves`, bool
    [waves] by the number of a scalar register.
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.shape = shape
        self.vector: set[int] = set()
        self.scalar: set[int] = set()
        self.lanes: np.ndarray | None = None
        self.waves: dict[int, np.ndarray] = {}

    def note(self, registers: frozenset[int], lanes: Any) -> None:
        """These lanes, bool [waves, lanes] or True for all, have written vector registers."""
        if lanes is True:
            self.vector |= registers
            return
        if self.lanes is None:
            self.lanes = np.zeros(self.shape, bool)
        for register in registers - self.vector:
            self.lanes[register] |= lanes

    def missing(self, registers: frozenset[int], active: Any) -> tuple[int, np.ndarray] | None:
        """A vector register of which an active lane was never written, and those lanes."""
        for register in sorted(registers - self.vector):
            written = self.lanes[register] if self.lanes is not None else False
            lanes = np.logical_and(active, np.logical_not(written))
            lanes = np.broadcast_to(lanes, self.shape[1:])
            if lanes.any():
                return register, lanes
            if np.all(written):
                self.vector.add(register)
        return None

    def lacking(
        self, registers: frozenset[int], scalars: frozenset[int], active: Any
    ) -> np.ndarray:
        """The active lanes that never wrote one of these registers: bool [waves, lanes]."""
        lacks = np.zeros(self.shape[1:], bool)
        for scalar in scalars - self.scalar:
            lacks |= ~self.of_scalar(scalar)[:, None]
        for register in registers - self.vector:
            lacks |= True if self.lanes is None else ~self.lanes[register]
        lacks &= active
        return lacks

    def forget(self, registers: frozenset[int], scalars: frozenset[int], lanes: np.ndarray) -> None:
        """Let vector registers of these lanes count as not written, and scalars of their waves."""
        if not lanes.any():
            return
        known = self.of_lanes()
        for register in registers:
            known[register] &= ~lanes
        self.lanes = known
        self.vector -= registers
        for scalar in scalars:
            self.waves[scalar] = self.of_scalar(scalar) & ~lanes.any(axis=1)
        self.scalar -= scalars

    def check_scalars(self, registers: frozenset[int]) -> None:
        """FaultError where a wave has not written one of these scalar registers."""
        for register in sorted(registers - self.scalar):
            who = self.of_scalar(register)
            if not who.all():
                lanes = np.repeat(~who[:, None], self.shape[2], axis=1)
                raise FaultError(
                    f"read of scalar register {register}, which was never written", lanes
                )

    def check_lanes(self, register: int, lanes: np.ndarray) -> None:
        """FaultError where one of these lanes of a vector register was never written.

        The lanes, bool [waves, lanes], may be others than those that execute.
        """
        if register in self.vector:
            return
        wrong = lanes if self.lanes is None else lanes & ~self.lanes[register]
        if wrong.any():
            raise FaultError(f"read of a lane of v{register}, which was never written", wrong)

    def of_scalar(self, register: int) -> np.ndarray:
        """Which waves have written a scalar register."""
        count = self.shape[1]
        if register in self.scalar:
            return np.ones(count, bool)
        return self.waves.get(register, np.zeros(count, bool))

    def of_lanes(self) -> np.ndarray:
        """Which lanes have written vector registers."""
        lanes = np.zeros(self.shape, bool) if self.lanes is None else self.lanes
        lanes[sorted(self.vector)] = True
        return lanes

    def take(self, chosen: np.ndarray) -> "Written":
        """What some of the waves, by a mask, have written."""
        registers, _, lanes = self.shape
        part = Written((registers, int(np.count_nonzero(chosen)), lanes))
        part.vector, part.scalar = set(self.vector), set(self.scalar)
        part.waves = {register: who[chosen] for register, who in self.waves.items()}
        part.lanes = None if self.lanes is None else self.lanes.compress(chosen, axis=1)
        return part


def merged(parts: Sequence[Written], order: np.ndarray) -> Written:
    """What waves have written that meet, in an order."""
    registers, _, lanes = parts[0].shape
    whole = Written((registers, len(order), lanes))
    whole.vector = set.intersection(*(part.vector for part in parts))
    whole.scalar = set.intersection(*(part.scalar for part in parts))
    some = set().union(*(part.scalar.union(part.waves) for part in parts)) - whole.scalar
    whole.waves = {
        register: np.concatenate([part.of_scalar(register) for part in parts])[order]
        for register in some
    }
    differ = set().union(*(part.vector for part in parts)) - whole.vector
    if differ or any(part.lanes is not None for part in parts):
        whole.lanes = np.concatenate([part.of_lanes() for part in parts], axis=1).take(
            order, axis=1
        )
    return whole
