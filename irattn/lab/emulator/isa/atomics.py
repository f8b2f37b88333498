"""Atomic instructions, by the end of their names: what memory holds after them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.extremes import greater, lesser
from irattn.lab.emulator.isa.floats import narrowed, widened
from irattn.lab.emulator.isa.kinds import BF16, F16, F32, F64, I32, I64, U32, U64, Kind


@dataclass(frozen=True)
class Atomic:
    """An atomic: memory becomes `compute` of what it holds and one or two numbers of a kind."""

    compute: Callable[..., Any]
    kind: Kind
    sources: int = 1

    @property
    def words(self) -> int:
        """How many registers a number takes."""
        return self.kind.bits // 32


def _increased(old: Any, most: Any) -> Any:
    return np.where(old >= most, 0, old + old.dtype.type(1)).astype(old.dtype)


def _decreased(old: Any, most: Any) -> Any:
    return np.where((old == 0) | (old > most), most, old - old.dtype.type(1)).astype(old.dtype)


def _added_halves(kind: Kind) -> Callable[[Any, Any], Any]:
    """Sums of both halves of words."""

    def compute(old: Any, given: Any) -> Any:
        halves = (np.ascontiguousarray(words).view(np.uint16) for words in (old, given))
        return narrowed(np.add(*(widened(half, kind) for half in halves)), kind).view(np.uint32)

    return compute


def _if_equal(old: Any, new: Any, wanted: Any) -> Any:
    return np.where(old == wanted, new, old)


def _wrapped(old: Any, size: Any, more: Any) -> Any:
    return np.where(old >= size, old - size, old + more)


_OF_BITS: dict[str, Callable[..., Any]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "swap": lambda old, new: new,
}
_OF_UNSIGNED: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "rsub": lambda old, given: given - old,
    "inc": _increased,
    "dec": _decreased,
}
_EXTREMES: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum}


def _atomics() -> Iterator[tuple[str, Atomic]]:
    for signed, unsigned in ((I32, U32), (I64, U64)):
        bits = unsigned.bits
        for name, compute in _OF_BITS.items():
            yield f"{name}_b{bits}", Atomic(compute, unsigned)
        for name, compute in _OF_UNSIGNED.items():
            yield f"{name}_u{bits}", Atomic(compute, unsigned)
        for name, compute in _EXTREMES.items():
            yield f"{name}_u{bits}", Atomic(compute, unsigned)
            yield f"{name}_i{bits}", Atomic(compute, signed)
        yield f"cmpswap_b{bits}", Atomic(_if_equal, unsigned, sources=2)
        masked = Atomic(lambda old, mask, new: old & ~mask | new, unsigned, sources=2)
        yield f"mskor_b{bits}", masked
    for kind in (F32, F64):
        yield f"add_{kind.name}", Atomic(np.add, kind)
        yield f"min_{kind.name}", Atomic(lesser, kind)
        yield f"max_{kind.name}", Atomic(greater, kind)
        yield f"cmpswap_{kind.name}", Atomic(_if_equal, kind, sources=2)
    for half in (F16, BF16):
        yield f"pk_add_{half.name}", Atomic(_added_halves(half), U32)
    yield "wrap_b32", Atomic(_wrapped, U32, sources=2)
    yield (
        "sub_clamp_u32",
        Atomic(lambda old, n: np.where(old < n, 0, old - n).astype(np.uint32), U32),
    )
    yield "cond_sub_u32", Atomic(lambda old, n: np.where(old >= n, old - n, old), U32)


ATOMICS = dict(_atomics())
