"""What atomic instructions do, said from AMD's names of them in plain Python."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# A kind of number: `u`, `i` or `f`, and how many bits.
Kind = tuple[str, int]

COMPUTE: dict[str, Callable[..., Any]] = {
    "add": lambda old, a: old + a,
    "sub": lambda old, a: old - a,
    "rsub": lambda old, a: a - old,
    "and": lambda old, a: old & a,
    "or": lambda old, a: old | a,
    "xor": lambda old, a: old ^ a,
    "swap": lambda old, a: a,
    "min": min,
    "max": max,
    "inc": lambda old, a: 0 if old >= a else old + 1,
    "dec": lambda old, a: a if old == 0 or old > a else old - 1,
    "sub_clamp": lambda old, a: max(old - a, 0),
    "cond_sub": lambda old, a: old - a if old >= a else old,
    "cmpswap": lambda old, new, wanted: new if old == wanted else old,
    "mskor": lambda old, mask, new: old & ~mask | new,
    "wrap": lambda old, size, more: old - size if old >= size else old + more,
}
_WORDS = {
    "csub": "sub_clamp",
    "cmpstore": "cmpswap",
    "cmpst": "cmpswap",
    "storexchg": "swap",
    "wrxchg": "swap",
    "smin": "min",
    "umin": "min",
    "smax": "max",
    "umax": "max",
}
_WITH_TWO = ("cmpswap", "mskor", "wrap")


@dataclass(frozen=True)
class Atomic:
    """One atomic: what it computes with numbers of a kind; `halves` are two numbers in a word."""

    word: str
    kind: Kind
    halves: bool
    returns: bool
    reverses: bool
    strides: int | None

    @property
    def size(self) -> int:
        """Bytes at an address."""
        return 4 if self.halves else self.kind[1] // 8

    @property
    def sources(self) -> int:
        """How many numbers it is given."""
        return 2 if self.word in _WITH_TWO else 1

    def apply(self, old: bytes, *given: bytes) -> bytes:
        """What memory holds afterwards."""
        width = self.kind[1] // 8
        parts = range(0, len(old), width)
        return b"".join(
            _coded(
                COMPUTE[self.word](*(_number(x[i : i + width], self.kind) for x in (old, *given))),
                self.kind,
            )
            for i in parts
        )


def atomic_of(name: str) -> Atomic | None:
    """What a name says; None where it says something else."""
    found = re.fullmatch(r"(?:(?:global|flat|buffer)_atomic|ds)_(\w+)", name)
    if found is None:
        return None
    words = found[1].split("_")
    returns = "rtn" in words or not name.startswith("ds_")
    far = next((word for word in words if word in ("2addr", "stride64")), None)
    strides = 64 if "stride64" in words or words[0].endswith("2st64") else 1
    has_two = far is not None or words[0].startswith("wrxchg2")
    words = [w for w in words if w not in ("rtn", "num", "2addr", "stride64")]
    words[0] = re.sub(r"2(st64)?$", "", words[0]) if words[0].startswith("wrxchg") else words[0]
    halves = words[0] == "pk"
    kind = _kind(words)
    if kind is None:
        return None
    own = "_".join(w for w in words if not re.fullmatch(r"pk|x2|(b|u|i|f|bf)\d+", w))
    word = _WORDS.get(own, own)
    if word not in COMPUTE:
        return None
    size = 4 if halves else kind[1] // 8
    return Atomic(word, kind, halves, returns, own == "cmpst", strides * size if has_two else None)


def _kind(words: list[str]) -> Kind | None:
    found = re.fullmatch(r"(b|u|i|f|bf)(\d+)", words[-1])
    if found:
        return "u" if found[1] == "b" else found[1], int(found[2])
    sign = "i" if words[0].startswith("smin") or words[0].startswith("smax") else "u"
    return sign, 64 if words[-1] == "x2" else 32


def _number(data: bytes, kind: Kind) -> Any:
    if kind[0] == "bf":
        return float(np.frombuffer(b"\0\0" + data, np.float32)[0])
    return np.frombuffer(data, f"{kind[0]}{kind[1] // 8}")[0].item()


def _coded(value: Any, kind: Kind) -> bytes:
    """A number as bytes: cut off, or rounded."""
    if kind[0] == "bf":
        bits = int(np.float32(value).view(np.uint32))
        return int(bits + 0x7FFF + (bits >> 16 & 1) >> 16).to_bytes(2, "little")
    if kind[0] == "f":
        with np.errstate(over="ignore"):
            return np.array(value).astype(f"f{kind[1] // 8}").tobytes()
    return int(value & (1 << kind[1]) - 1).to_bytes(kind[1] // 8, "little")
