"""What an instruction does to waves, and which registers it reads and writes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import EXEC_WORDS, Waves

Getter = Callable[[Waves], Any]
Setter = Callable[[Waves, Any], None]

_NONE: frozenset[int] = frozenset()
# How many vector registers an operand of a matrix instruction takes at most.
_MATRIX_REGISTERS = 8


@dataclass(frozen=True)
class Left:
    """What is left for later instructions of a block while no register that it depends on changes.

    LDS addresses by their register, and matrices by the operand and its first register.
    """

    addresses: frozenset[int] = _NONE
    matrices: frozenset[tuple[str, int]] = frozenset()

    def __or__(self, other: "Left") -> "Left":
        if other is NOTHING_LEFT:
            return self
        return Left(self.addresses | other.addresses, self.matrices | other.matrices)

    def after(self, effect: "Effect") -> "Left":
        """What is left when an instruction has done its work."""
        left, changed = self | effect.leaves, effect.writes | effect.lanes_written
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

    Of those in `lanes_written` single lanes are written, whatever lanes execute. `leaves` is what
    it works out for later instructions of the block.
    """

    reads: frozenset[int] = _NONE
    writes: frozenset[int] = _NONE
    lanes_written: frozenset[int] = _NONE
    s_reads: frozenset[int] = _NONE
    s_writes: frozenset[int] = _NONE
    leaves: Left = NOTHING_LEFT


@dataclass(frozen=True, kw_only=True)
class Source(Touches):
    """Where values come from: `get` gives them, for vector operands as [waves, lanes]."""

    get: Getter


@dataclass(frozen=True, kw_only=True)
class Target(Touches):
    """Where values go: `put` writes them."""

    put: Setter


# Vector registers that are written, vector ones that each lane computes them from, and scalar ones
# that nobody need have written: others may be masks, which decide who gets what.
Flow = tuple[frozenset[int], frozenset[int], frozenset[int]]


@dataclass(frozen=True, kw_only=True)
class Effect(Touches):
    """What an instruction does: `act` changes the waves.

    Where it `notes_writes`, it says itself which lanes it wrote: not all that execute. Where it has
    `flows`, it may compute with what nobody wrote, and what it gives then counts as not written.
    """

    act: Action
    notes_writes: bool = False
    flows: tuple[Flow, ...] | None = None


def effect(
    act: Action,
    *parts: Touches,
    notes_writes: bool = False,
    flows: tuple[Flow, ...] | None = None,
) -> Effect:
    """The effect of an action that touches what all these parts of it do."""
    return Effect(
        act=act,
        notes_writes=notes_writes,
        flows=flows,
        reads=_NONE.union(*(part.reads for part in parts)),
        writes=_NONE.union(*(part.writes for part in parts)),
        lanes_written=_NONE.union(*(part.lanes_written for part in parts)),
        s_reads=_NONE.union(*(part.s_reads for part in parts)),
        s_writes=_NONE.union(*(part.s_writes for part in parts)),
        leaves=reduce(or_, (part.leaves for part in parts), NOTHING_LEFT),
    )


def flow(target: Touches, *sources: Touches) -> Flow:
    """What is written to a target is computed from these sources."""
    return target.writes, _NONE.union(*(source.reads for source in sources)), _NONE


def upward(target: Touches, *sources: Source) -> tuple[Flow, ...]:
    """Of 64-bit numbers, where no bit of the result depends on higher bits of sources."""
    low, high = sorted(target.writes)
    _, every, none = flow(target, *sources)
    upper = _upper(source.reads for source in sources)
    s_upper = _upper(source.s_reads for source in sources)
    return (frozenset((low,)), every - upper, none), (frozenset((high,)), every, s_upper)


def _upper(pairs: Iterable[frozenset[int]]) -> frozenset[int]:
    """The second registers of those sources that have two."""
    return frozenset(max(pair) for pair in pairs if len(pair) == 2)


def nothing(_: object) -> Effect:
    """The effect of an instruction that changes nothing."""
    return effect(lambda st: None)


def combined(compute: Callable[..., Any], *sources: Source) -> Source:
    """What a function of one, two or three sources gives."""
    return Source(
        get=_calling(compute, [source.get for source in sources]),
        reads=_NONE.union(*(source.reads for source in sources)),
        s_reads=_NONE.union(*(source.s_reads for source in sources)),
    )


def computed(compute: Callable[..., Any], sources: Sequence[Source], target: Target) -> Effect:
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
