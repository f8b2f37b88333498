"""The effect of an instruction on waves, and the registers that it reads and writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.kinds import Kind
from irattn.lab.emulator.isa.unknown import ALL_BITS, whole
from irattn.lab.emulator.machine.code import Action
from irattn.lab.emulator.machine.waves import EXEC_WORDS, Waves
from irattn.lab.emulator.machine.written import Lost

Getter = Callable[[Waves], Any]
Setter = Callable[[Waves, Any], None]

_NONE: frozenset[int] = frozenset()
# How many vector registers an operand of a matrix instruction takes at most.
_MATRIX_REGISTERS = 8


@dataclass(frozen=True)
class Left:
    """Values left for later instructions of a block while no register that they depend on changes.

    LDS addresses by their register, and matrices by the operand and its first register.
    """

    addresses: frozenset[int] = _NONE
    matrices: frozenset[tuple[str, int]] = frozenset()

    def __or__(self, other: "Left") -> "Left":
        if other is NOTHING_LEFT:
            return self
        return Left(self.addresses | other.addresses, self.matrices | other.matrices)

    def after(self, effect: "Effect") -> "Left":
        """The values left when an instruction has done its work."""
        if effect.anywhere:
            return NOTHING_LEFT
        left, changed = self | effect.leaves, effect.writes | effect.lanes_written
        if left is NOTHING_LEFT:
            return left
        is_other_exec = not EXEC_WORDS.isdisjoint(effect.s_writes)
        matrices = (
            (operand, register)
            for operand, register in left.matrices
            if changed.isdisjoint(range(register, register + _MATRIX_REGISTERS))
        )
        return Left(_NONE if is_other_exec else left.addresses - changed, frozenset(matrices))


NOTHING_LEFT = Left()


@dataclass(frozen=True, kw_only=True)
class Touches:
    """Registers by number that something reads and writes, vector ones and scalar ones (`s_`).

    Of those in `lanes_written` single lanes are written, whatever lanes execute. Of `s_reads`,
    lanes read nothing but their own bit of those in `mask`. Of some vector registers nothing is
    read but the bits in `parts`. What is `open` nobody knows, though all is written. Something
    `anywhere` may touch any vector register from one that it names on, as the machine will tell.
    `leaves` is what it works out for later instructions of the block.
    """

    reads: frozenset[int] = _NONE
    writes: frozenset[int] = _NONE
    lanes_written: frozenset[int] = _NONE
    s_reads: frozenset[int] = _NONE
    s_writes: frozenset[int] = _NONE
    mask: frozenset[int] = _NONE
    parts: Mapping[int, int] = field(default_factory=dict)
    reads_scc: bool = False
    writes_scc: bool = False
    open: bool = False
    anywhere: bool = False
    leaves: Left = NOTHING_LEFT

    def missing(self, st: Waves) -> np.ndarray:
        """All bits for lanes that never wrote something of what is read: uint32 [waves, lanes]."""
        return whole(st.written.lacking(self.reads, self.s_reads - self.mask, self.mask))

    def need(self, st: Waves, but: frozenset[int] = _NONE) -> None:
        """FaultError where nobody wrote what is read of vector registers, `but` of these."""
        for register in sorted(self.reads - but):
            st.written.need(register, st.active, self.parts.get(register, int(ALL_BITS)))


@dataclass(frozen=True, kw_only=True)
class Source(Touches):
    """Where values come from: `get` gives them, for vector operands as [waves, lanes].

    `unwritten` says which bits of them nobody wrote, where that is more than whether a register is
    written as a whole.
    """

    get: Getter
    unwritten: Getter | None = None

    def missing(self, st: Waves) -> np.ndarray:
        """The bits of what `get` gives that nobody wrote, or all of them."""
        return self.unwritten(st) if self.unwritten else super().missing(st)


@dataclass(frozen=True, kw_only=True)
class Destination(Touches):
    """Where values go: `put` writes them, into `width` bits of a register from `shift` on."""

    put: Setter
    shift: int = 0
    width: int = 32


# Says before an instruction executes what will count as not written.
Loses = Callable[[Waves], Lost]


@dataclass(frozen=True, kw_only=True)
class Effect(Touches):
    """The effect of an instruction: `act` changes the waves.

    Where it `notes_writes`, it says itself which lanes it wrote: not all that execute. What it
    reads of `may_lack` and `s_may_lack` nobody need have written: what it `loses` then counts as
    not written. It must not decide where memory is accessed, who executes or where control goes.
    """

    act: Action
    notes_writes: bool = False
    may_lack: frozenset[int] = _NONE
    s_may_lack: frozenset[int] = _NONE
    loses: Loses | None = None


def effect(act: Action, *parts: Touches, notes_writes: bool = False) -> Effect:
    """The effect of an action that touches what all these parts of it do."""
    return Effect(
        act=act,
        notes_writes=notes_writes,
        reads=_NONE.union(*[part.reads for part in parts]),
        writes=_NONE.union(*[part.writes for part in parts]),
        lanes_written=_NONE.union(*[part.lanes_written for part in parts]),
        s_reads=_NONE.union(*[part.s_reads for part in parts]),
        s_writes=_NONE.union(*[part.s_writes for part in parts]),
        mask=_NONE.union(*[part.mask for part in parts]),
        parts={r: bits for part in parts if part.parts for r, bits in part.parts.items()},
        reads_scc=True in [part.reads_scc for part in parts],
        writes_scc=True in [part.writes_scc for part in parts],
        open=True in [part.open for part in parts],
        anywhere=True in [part.anywhere for part in parts],
        leaves=reduce(or_, [part.leaves for part in parts], NOTHING_LEFT),
    )


def nothing(_: object) -> Effect:
    """The effect of an instruction that changes nothing."""
    return effect(lambda st: None)


def combined(compute: Callable[..., Any], *sources: Source) -> Source:
    """The result of a function of one, two or three sources."""
    return Source(
        get=_calling(compute, [source.get for source in sources]),
        reads=_NONE.union(*[source.reads for source in sources]),
        s_reads=_NONE.union(*[source.s_reads for source in sources]),
        mask=_NONE.union(*[source.mask for source in sources]),
    )


def nobody_knows(kind: Kind) -> Source:
    """A number that the guides leave open."""
    nothing, all_bits = np.zeros((1, 1), kind.numpy), np.full((1, 1), ALL_BITS)
    return Source(get=lambda st: nothing, unwritten=lambda st: all_bits, open=True)


def chosen(mask: Source, yes: Source, no: Source) -> Source:
    """A source that is one of two by each lane's bit of a mask; the other may be missing."""

    def unwritten(st: Waves) -> np.ndarray:
        either = np.where(mask.get(st), yes.missing(st), no.missing(st))
        return np.asarray(either | mask.missing(st))

    return replace(combined(np.where, mask, yes, no), unwritten=unwritten)


def computed(compute: Callable[..., Any], sources: Sequence[Source], target: Destination) -> Effect:
    """The effect of writing what a function of one, two or three sources gives."""
    get, put = _calling(compute, [source.get for source in sources]), target.put
    return effect(lambda st: put(st, get(st)), *sources, target)


def _calling(compute: Callable[..., Any], gets: Sequence[Getter]) -> Getter:
    # Without a list of arguments, as this is what most instructions do.
    if len(gets) == 1:
        (a,) = gets
        return lambda st: compute(a(st))
    if len(gets) == 2:
        a, b = gets
        return lambda st: compute(a(st), b(st))
    a, b, c = gets
    return lambda st: compute(a(st), b(st), c(st))
