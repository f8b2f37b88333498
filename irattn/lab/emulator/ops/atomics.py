"""Atomic instructions: each lane in turn reads memory, computes and writes, and may get the old."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.atomics import ATOMICS, Atomic
from irattn.lab.emulator.machine.space import Space
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Source, Touches, effect
from irattn.lab.emulator.ops.lds import lds_address, reached
from irattn.lab.emulator.ops.memory import buffer_of, flat_address, global_address
from irattn.lab.emulator.ops.operands import Factory, Operands


def _carry_out(
    st: Waves,
    atomic: Atomic,
    space: Space,
    at: np.ndarray,
    given: Sequence[np.ndarray],
    into: int | None,
    there: Any = True,
) -> None:
    """One atomic for lanes that execute, in turn at one address; those not in `there` get 0.

    `given` are words [1 or 2, waves, lanes], which the result may overwrite.
    """
    size = 4 * atomic.words
    if st.around.writers is not None and space is st.around.memory:
        st.around.writers.order()
    at = np.broadcast_to(at, (st.count, st.lanes))
    active = np.broadcast_to(np.logical_and(st.active, there), at.shape)
    _refuse_misaligned(at, size, active)
    # Says which lane it is that must not.
    space.read(at, atomic.words, active)
    if space.keeps_unwritten and space.checks:
        _refuse_unwritten(space, at, atomic, active)
    places = at[active]
    sources = [_numbers(words[:, active], atomic) for words in given]
    old = np.zeros((atomic.words, places.size), np.uint32)
    for turn in _turns(places):
        here = places[turn][None]
        words = space.read(here, atomic.words, True)
        old[:, turn] = words[:, 0]
        new = atomic.compute(_numbers(words[:, 0], atomic), *(source[turn] for source in sources))
        space.write(here, _words(new, atomic)[:, None], True)
    if into is None:
        return
    if there is not True:
        np.copyto(st.v[into : into + atomic.words], np.uint32(0), where=st.active)
    st.v[into : into + atomic.words, active] = old


def _refuse_misaligned(at: np.ndarray, size: int, active: Any) -> None:
    wrong = (at & (size - 1) != 0) & active
    if wrong.any():
        raise FaultError(f"misaligned atomic access of {size} bytes", wrong)


def _refuse_unwritten(space: Space, at: np.ndarray, atomic: Atomic, active: Any) -> None:
    wrong = (space.unwritten(at, atomic.words, active) != 0).any(axis=0) & active
    if wrong.any():
        raise FaultError(f"read of bytes never written in {space.name}", wrong)


def _turns(places: np.ndarray) -> list[np.ndarray]:
    """Lanes by number, so that no two of one turn have the same address; in order for each."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if places.size else order
    counts = np.diff(np.append(first, places.size))
    rank = np.arange(places.size) - np.repeat(first, counts)
    return [order[rank == turn] for turn in range(int(counts.max(initial=0)))]


def _numbers(words: np.ndarray, atomic: Atomic) -> np.ndarray:
    """Words [1 or 2, lanes] as numbers [lanes]."""
    numbers: np.ndarray = np.ascontiguousarray(words.T).view(atomic.kind.numpy)[:, 0]
    return numbers


def _words(numbers: Any, atomic: Atomic) -> np.ndarray:
    """Numbers [lanes] as words [1 or 2, lanes]."""
    array = np.ascontiguousarray(numbers).astype(atomic.kind.numpy, copy=False)
    return array.view(np.uint32).reshape(array.size, atomic.words).T


def _held(st: Waves, atomic: Atomic, registers: list[int]) -> list[np.ndarray]:
    """The words of numbers in registers."""
    return [st.v[i : i + atomic.words] for i in registers]


def _touched(atomic: Atomic, given: list[int], into: int | None) -> Touches:
    reads = frozenset(i + word for i in given for word in range(atomic.words))
    written = [] if into is None else range(into, into + atomic.words)
    return Touches(reads=reads, writes=frozenset(written))


def _global(ops: Operands, *, atomic: Atomic, address_of: Callable[[Operands], Source]) -> Effect:
    """GLOBAL_ATOMIC, FLAT_ATOMIC: the second number follows the first one's registers."""
    first, address = ops.data_register("data"), address_of(ops)
    given = [first + i * atomic.words for i in range(atomic.sources)]
    into = ops.data_register("vdst") if _returns(ops) else None

    def act(st: Waves) -> None:
        at = address.get(st)
        st.around.global_bytes += 2 * st.live * 4 * atomic.words
        _carry_out(st, atomic, st.around.memory, at, _held(st, atomic, given), into)
        if st.around.meter is not None:
            st.around.meter.note_global(at, 4 * atomic.words, st.active, st.group)

    return effect(act, address, _touched(atomic, given, into))


def _buffer(ops: Operands, *, atomic: Atomic) -> Effect:
    """BUFFER_ATOMIC: what is beyond the resource is left alone, and gives 0."""
    buffer, first = buffer_of(ops), ops.data_register("vdata")
    given = [first + i * atomic.words for i in range(atomic.sources)]
    into = first if _returns(ops) else None

    def act(st: Waves) -> None:
        if buffer.is_scratch(st):
            raise UnknownInstructionError("an atomic of scratch")
        at, left = buffer.in_memory(st)
        st.around.global_bytes += 2 * st.live * 4 * atomic.words
        there = left >= 4 * atomic.words
        held = _held(st, atomic, given)
        _carry_out(st, atomic, st.around.memory, at, held, into, there)
        if st.around.meter is not None:
            active = np.logical_and(st.active, there)
            st.around.meter.note_global(at, 4 * atomic.words, active, st.group)

    return effect(act, *buffer.touches, _touched(atomic, given, into))


def _returns(ops: Operands) -> bool:
    """Whether lanes get what was there before."""
    return bool(ops.field("glc") or ops.field("sc0") or ops.field("th") & 1)


def _lds(ops: Operands, *, atomic: Atomic, returns: bool, reverses: bool) -> Effect:
    """DS_*: two numbers are in two fields, the other way round where one `reverses` them."""
    names = ["data0", "data1"][: atomic.sources]
    given = [ops.data_register(name) for name in (reversed(names) if reverses else names)]
    into = ops.data_register("vdst") if returns else None
    offset = ops.field("offset0") | ops.field("offset1") << 8
    address = lds_address(ops)

    def act(st: Waves) -> None:
        places, more = reached(st, address.get(st), offset, 4 * atomic.words, is_load=True)
        held = _held(st, atomic, given)
        _carry_out(st, atomic, st.around.lds, places.at + more, held, into)

    return effect(act, address, _touched(atomic, given, into))


def _exchange_two(ops: Operands, *, atomic: Atomic, unit: int) -> Effect:
    """DS_STOREXCHG_2ADDR: exchanges at two offsets from one address."""
    address, first = lds_address(ops), ops.data_register("vdst")
    offsets = [unit * ops.field(f"offset{i}") for i in range(2)]
    given = [ops.data_register(f"data{i}") for i in range(2)]
    into = [first, first + atomic.words]

    def act(st: Waves) -> None:
        places, held = address.get(st), [words.copy() for words in _held(st, atomic, given)]
        for offset, words, target in zip(offsets, held, into, strict=True):
            there, more = reached(st, places, offset, 4 * atomic.words, is_load=True)
            _carry_out(st, atomic, st.around.lds, there.at + more, [words], target)

    both = [_touched(atomic, [data], target) for data, target in zip(given, into, strict=True)]
    return effect(act, address, *both)


_SWAPS = {"cmpswap": "cmpstore", "swap": "storexchg"}


def _of_lds(name: str) -> str:
    """The name of an atomic in LDS."""
    verb, _, kind = name.rpartition("_")
    return f"{_SWAPS.get(verb, verb)}_rtn_{kind}"


MEMORY_ATOMICS: dict[str, Factory] = {}
for _name, _atomic in ATOMICS.items():
    for _where, _address_of in (("global", global_address), ("flat", flat_address)):
        MEMORY_ATOMICS[f"{_where}_atomic_{_name}"] = partial(
            _global, atomic=_atomic, address_of=_address_of
        )
    MEMORY_ATOMICS[f"buffer_atomic_{_name}"] = partial(_buffer, atomic=_atomic)
LDS_ATOMICS: dict[str, Factory] = {}
for _name, _atomic in ATOMICS.items():
    _own = _of_lds(_name)
    # GFX9 has its own name for a comparison, which takes its sources the other way round.
    for _usual, _reverses in ((_own, False), (_own.replace("cmpstore", "cmpst"), True)):
        for _returning in (False, True):
            _called = _usual if _returning else _usual.replace("_rtn", "")
            LDS_ATOMICS.setdefault(
                f"ds_{_called}",
                partial(_lds, atomic=_atomic, returns=_returning, reverses=_reverses),
            )
for _bits in (32, 64):
    for _far, _unit in (("", 1), ("stride64_", 64)):
        LDS_ATOMICS[f"ds_storexchg_2addr_{_far}rtn_b{_bits}"] = partial(
            _exchange_two, atomic=ATOMICS[f"swap_b{_bits}"], unit=_unit * _bits // 8
        )
