"""Keeps track of what was written of registers: what was not must not decide anything."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.isa.fields import SCC
from irattn.lab.emulator.isa.unknown import ALL_BITS


class Lost(NamedTuple):
    """Bits that count as not written: of vector registers uint32 [waves, lanes], of scalar ones
    uint32 [waves].
    """

    vectors: Sequence[tuple[frozenset[int], np.ndarray]] = ()
    scalars: Mapping[int, np.ndarray] = {}


class Written:
    """The registers that waves have written.

    All lanes have written all of those in `vector`, all waves all of those in `scalar`. The bits
    that were written of others stand in `known`, uint32 [registers, waves, lanes] once it is
    needed, and in `bits`, uint32 [waves] by the number of a scalar register.
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.shape = shape
        self.vector: set[int] = set()
        self.scalar: set[int] = set()
        self.known: np.ndarray | None = None
        self.bits: dict[int, np.ndarray] = {}

    def note(self, registers: frozenset[int], lanes: Any) -> None:
        """Note that lanes, bool [waves, lanes] or True for all, have written vector registers."""
        if lanes is True:
            self.vector |= registers
            return
        if self.known is None:
            self.known = np.zeros(self.shape, np.uint32)
        for register in registers - self.vector:
            np.copyto(self.known[register], ALL_BITS, where=lanes)

    def unwritten(self, register: int) -> np.ndarray:
        """The bits of a vector register that were never written: uint32 [waves, lanes]."""
        if register in self.vector:
            return np.zeros(self.shape[1:], np.uint32)
        if self.known is None:
            return np.full(self.shape[1:], ALL_BITS)
        return np.asarray(~self.known[register])

    def are_whole(self, registers: frozenset[int], scalars: frozenset[int], lanes: Any) -> bool:
        """Whether lanes, bool [waves, lanes] or True for all, have written all of these vector
        registers, and waves all of these scalar ones.
        """
        if any(self.missing_bits(scalar).any() for scalar in scalars - self.scalar):
            return False
        some = registers - self.vector
        if self.known is None:
            return not some
        return not any(((self.known[one] != ALL_BITS) & lanes).any() for one in some)

    def lacking(
        self, registers: Iterable[int], scalars: Iterable[int], mask: Iterable[int] = ()
    ) -> np.ndarray:
        """The lanes that lack something of these vector registers, a bit of these scalar ones, or
        their bit of a mask: bool [waves, lanes].
        """
        lacks = np.zeros(self.shape[1:], bool)
        for scalar in scalars:
            lacks |= (self.missing_bits(scalar) != 0)[:, None]
        for register in registers:
            lacks |= self.unwritten(register) != 0
        words = [self.missing_bits(word) for word in sorted(mask)]
        if any(word.any() for word in words):
            data = np.stack(words, axis=-1).view(np.uint8)
            lacks |= np.unpackbits(data, axis=1, bitorder="little").view(bool)
        return lacks

    def lose(self, lost: Lost) -> None:
        """Let bits count as not written."""
        for registers, bits in lost.vectors:
            if bits.any():
                self.known = self.of_lanes()
                for register in registers:
                    self.known[register] &= ~bits
                self.vector -= registers
        for scalar, bits in lost.scalars.items():
            if bits.any():
                self.bits[scalar] = self.known_bits(scalar) & ~bits
                self.scalar.discard(scalar)

    def need(self, register: int, active: Any, bits: int = 0xFFFFFFFF) -> None:
        """FaultError where an active lane never wrote some of these bits of a vector register."""
        if register in self.vector:
            return
        unwritten = self.unwritten(register)
        wrong = (unwritten & np.uint32(bits) != 0) & active
        if wrong.any():
            raise FaultError(f"read of v{register}, which was never written", wrong)
        if not unwritten.any():
            self.vector.add(register)

    def check_scalars(self, registers: frozenset[int]) -> None:
        """FaultError where a wave has not written all of one of these scalar registers."""
        for register in sorted(registers - self.scalar):
            lacks = self.missing_bits(register) != 0
            if lacks.any():
                name = "the condition code" if register == SCC else f"scalar register {register}"
                raise FaultError(
                    f"read of {name}, which was never written",
                    np.repeat(lacks[:, None], self.shape[2], axis=1),
                )

    def check_lanes(self, register: int, lanes: np.ndarray) -> None:
        """FaultError where one of these lanes of a vector register was never written.

        The lanes, bool [waves, lanes], may be others than those that execute.
        """
        wrong = (self.unwritten(register) != 0) & lanes
        if wrong.any():
            raise FaultError(f"read of a lane of v{register}, which was never written", wrong)

    def known_bits(self, register: int) -> np.ndarray:
        """The bits that waves have written of a scalar register: uint32 [waves]."""
        if register in self.scalar:
            return np.full(self.shape[1], ALL_BITS)
        return self.bits.get(register, np.zeros(self.shape[1], np.uint32))

    def missing_bits(self, register: int) -> np.ndarray:
        """Bits of a register that nobody has written."""
        return ~self.known_bits(register)

    def of_lanes(self) -> np.ndarray:
        """The bits that lanes have written of vector registers."""
        known = np.zeros(self.shape, np.uint32) if self.known is None else self.known
        known[sorted(self.vector)] = ALL_BITS
        return known

    def take(self, chosen: np.ndarray) -> "Written":
        """The registers that some of the waves, by a mask, have written."""
        registers, _, lanes = self.shape
        part = Written((registers, int(np.count_nonzero(chosen)), lanes))
        part.vector, part.scalar = set(self.vector), set(self.scalar)
        part.bits = {register: known[chosen] for register, known in self.bits.items()}
        part.known = None if self.known is None else self.known.compress(chosen, axis=1)
        return part


def merged(parts: Sequence[Written], order: np.ndarray) -> Written:
    """The registers that waves have written, of waves that meet, in an order."""
    registers, _, lanes = parts[0].shape
    whole = Written((registers, len(order), lanes))
    whole.vector = set.intersection(*(part.vector for part in parts))
    whole.scalar = set.intersection(*(part.scalar for part in parts))
    some = set().union(*(part.scalar.union(part.bits) for part in parts)) - whole.scalar
    whole.bits = {
        register: np.concatenate([part.known_bits(register) for part in parts])[order]
        for register in some
    }
    differ = set().union(*(part.vector for part in parts)) - whole.vector
    if differ or any(part.known is not None for part in parts):
        whole.known = np.concatenate([part.of_lanes() for part in parts], axis=1).take(
            order, axis=1
        )
    return whole
