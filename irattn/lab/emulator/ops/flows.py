"""The bits that count as not written after an instruction that computes with unwritten ones."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.fields import SCC
from irattn.lab.emulator.isa.unknown import Unknown, whole
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.machine.written import Lost
from irattn.lab.emulator.ops.effects import Destination, Effect, Source, Touches

_NOTHING_LOST = Lost()

# What is written, the parts that each lane computes it from, and a formula's `unknown`.
Flow = tuple[Touches, Sequence[Touches]] | tuple[Touches, Sequence[Source], Unknown | None]


def by_lanes(made: Effect, *flows: Flow) -> Effect:
    """An effect whose lanes each compute their own results: all from all, or as the flows say.

    Of scalar registers, which are masks, lanes write their own bit.
    """
    every: Sequence[Flow] = flows or ((made, (made,)),)

    def loses(st: Waves) -> Lost:
        # Most often lanes that branched off read what they themselves have written.
        if not made.open and st.written.are_whole(made.reads, made.s_reads, st.active):
            return _NOTHING_LOST
        vectors, scalars = [], dict[int, np.ndarray]()
        for target, parts, *unknown in every:
            bits = np.broadcast_to(_result(st, parts, *unknown), (st.count, st.lanes))
            lacks = np.where(st.active, bits, np.uint32(0))
            vectors.append((target.writes, _placed(lacks, target)))
            words = np.packbits(lacks != 0, axis=1, bitorder="little").view(np.uint32)
            scalars |= dict(zip(sorted(target.s_writes), words.T, strict=False))
        return Lost(vectors, scalars)

    return replace(made, may_lack=made.reads, s_may_lack=made.s_reads, loses=loses)


def _result(st: Waves, parts: Sequence[Any], unknown: Unknown | None = None) -> np.ndarray:
    """The bits of a result that nobody knows: uint32 [waves, lanes]."""
    missing = np.broadcast_arrays(*(part.missing(st) for part in parts))
    if unknown is None:
        return whole(np.bitwise_or.reduce(missing) != 0)
    return np.asarray(unknown(*(part.get(st) for part in parts), *missing), np.uint32)


def _placed(bits: np.ndarray, target: Touches) -> np.ndarray:
    """Bits of a result where they are in its register."""
    if not isinstance(target, Destination) or target.width == 32:
        return bits
    return (bits & np.uint32((1 << target.width) - 1)) << np.uint32(target.shift)


def upward(made: Effect, target: Touches, *sources: Source) -> Effect:
    """An effect on 64-bit numbers in which no bit depends on higher bits of sources."""
    low, high = sorted(target.writes)
    every = Touches(
        reads=frozenset().union(*(source.reads for source in sources)),
        s_reads=frozenset().union(*(source.s_reads for source in sources)),
    )
    lower = Touches(
        reads=every.reads - _upper(source.reads for source in sources),
        s_reads=every.s_reads - _upper(source.s_reads for source in sources),
    )
    return by_lanes(
        made,
        (Touches(writes=frozenset((low,))), (lower,)),
        (Touches(writes=frozenset((high,)), s_writes=made.s_writes), (every,)),
    )


def _upper(pairs: Iterable[frozenset[int]]) -> frozenset[int]:
    """The second registers of those sources that have two."""
    return frozenset(max(pair) for pair in pairs if len(pair) == 2)


def by_waves(made: Effect) -> Effect:
    """The effect of a scalar instruction whose results depend on all bits that it reads."""

    def loses(st: Waves) -> Lost:
        lacks = np.zeros(st.count, bool)
        for register in scalars_read(made):
            lacks |= st.written.missing_bits(register) != 0
        return Lost(scalars=dict.fromkeys(scalars_written(made), whole(lacks)))

    return replace(made, s_may_lack=scalars_read(made), loses=loses)


def by_bits(
    made: Effect,
    sources: Sequence[Source],
    into: Destination,
    compute: Callable[..., Any],
    unknown: Unknown,
) -> Effect:
    """A scalar effect in which each bit of the result depends on one bit of each source.

    `unknown` is a formula's. The condition code, if it is set, says whether any bit of the result
    is.
    """

    def loses(st: Waves) -> Lost:
        given = [source.get(st) for source in sources]
        missing = [_missing(st, source) for source in sources]
        lacks = unknown(*map(_bits, given), *missing)
        bits = _words(into, lacks)
        if made.writes_scc:
            is_open = (lacks != 0) & (_bits(compute(*given)) & ~lacks == 0)
            bits[SCC] = whole(is_open)
        return Lost(scalars=bits)

    return replace(made, s_may_lack=scalars_read(made), loses=loses)


def by_choice(made: Effect, yes: Source, no: Source, into: Destination) -> Effect:
    """A scalar effect whose result is one of two sources, as the condition code says."""

    def loses(st: Waves) -> Lost:
        lacks = np.where(st.scc, _missing(st, yes), _missing(st, no))
        of_condition = st.written.missing_bits(SCC) != 0
        return Lost(scalars=_words(into, np.where(of_condition, np.uint64(2**64 - 1), lacks)))

    return replace(made, s_may_lack=scalars_read(made), loses=loses)


def _bits(values: Any) -> Any:
    """Numbers of 32 or 64 bits as uint64."""
    return np.asarray(values).view(f"u{values.dtype.itemsize}").astype(np.uint64)


def _missing(st: Waves, source: Source) -> np.ndarray:
    """The bits of one or two scalar registers that waves never wrote, as uint64."""
    missing = np.zeros(st.count, np.uint64)
    for i, register in enumerate(sorted(source.s_reads)):
        missing |= st.written.missing_bits(register).astype(np.uint64) << np.uint64(32 * i)
    return missing


def _words(target: Destination, bits: np.ndarray) -> dict[int, np.ndarray]:
    """Bits of one or two scalar registers, for each of them."""
    halves = bits, bits >> np.uint64(32)
    registers = sorted(target.s_writes)
    return {r: half.astype(np.uint32) for r, half in zip(registers, halves, strict=False)}


def all_bits(target: Destination, lacks: np.ndarray) -> Lost:
    """A scalar register as a whole, for the waves that lack what goes there: bool [waves]."""
    return Lost(scalars=dict.fromkeys(target.s_writes, whole(lacks)))


def scalars_read(made: Touches) -> frozenset[int]:
    """Scalar registers that are read, and the condition code."""
    return made.s_reads | {SCC} if made.reads_scc else made.s_reads


def scalars_written(made: Touches) -> frozenset[int]:
    """Scalar registers that are written, and the condition code."""
    return made.s_writes | {SCC} if made.writes_scc else made.s_writes
