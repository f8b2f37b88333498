"""Sums over the bytes, nibbles and halves of words, and numbers packed into them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.arithmetic import median, to_integer
from irattn.lab.emulator.isa.formulas import Formula, kinds
from irattn.lab.emulator.isa.kinds import F16, KINDS
from irattn.lab.emulator.isa.unknown import say_unknown

BYTE_FORMULAS: dict[str, Formula] = {}


def parts(words: Any, bits: int, *, signed: bool = False) -> list[Any]:
    """The parts of uint32 words, of so many bits each, as int64; the lowest comes first."""
    words, half = np.asarray(words, np.int64), 1 << bits - 1
    each = [words >> bits * i & (2 * half - 1) for i in range(32 // bits)]
    return [(part ^ half) - half for part in each] if signed else each


def _of_parts(bits: int, difference: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The formula of parts of two words, added to a third."""
    return lambda a, b, c: sum(
        (difference(x, y) for x, y in zip(parts(a, bits), parts(b, bits), strict=True)),
        np.asarray(c, np.int64),
    )


def _distance(a: Any, b: Any) -> Any:
    return np.abs(a - b)


def _masked_distance(a: Any, b: Any) -> Any:
    return np.where(b == 0, 0, np.abs(a - b))


_sad8 = _of_parts(8, _distance)


def _mean(a: Any, b: Any, c: Any) -> Any:
    """The means of bytes; the lowest bit of each byte of `c` says to round up."""
    both = zip(parts(a, 8), parts(b, 8), parts(c, 8), strict=True)
    return sum((x + y + (up & 1) >> 1) << 8 * i for i, (x, y, up) in enumerate(both))


def _with_byte(a: Any, place: Any, before: Any) -> Any:
    """A float as one byte of a word."""
    shift = (place & np.uint32(3)) * np.uint32(8)
    byte = to_integer(0, 255, np.uint32)(a)
    return before & ~(np.uint32(255) << shift) | byte << shift


def _pair(low: Any, high: Any, least: int, most: int) -> Any:
    """Two numbers kept within 16 bits, in one word."""
    low, high = (np.clip(np.asarray(a, np.int64), least, most) & 0xFFFF for a in (low, high))
    return low | high << 16


def _pair_of_floats(least: int, most: int) -> Callable[[Any, Any], Any]:
    convert = to_integer(least, most, np.int64)
    return lambda a, b: _pair(convert(a), convert(b), least, most)


def _saturated_bytes(a: Any) -> Any:
    """Two signed halves as two unsigned bytes."""
    low, high = (np.clip(half, 0, 255) for half in parts(a, 16, signed=True))
    return low | high << 8


def _normalized(least: int, most: int) -> Callable[[Any], Any]:
    """Floats of -1 or 0 to 1 as integers of a range; NaN gives 0."""

    def convert(a: Any) -> Any:
        value = np.rint(np.clip(np.asarray(a, np.float64), np.sign(least), 1) * most)
        return np.where(np.isnan(value), 0, value).astype(np.int64)

    return convert


def _pair_of_normalized(least: int, most: int) -> Callable[[Any, Any], Any]:
    convert = _normalized(least, most)
    return lambda a, b: _pair(convert(a), convert(b), least, most)


def dot(bits: int, signs: tuple[bool, bool]) -> Callable[..., Any]:
    """The dot product of the parts of two words, with signs or not, added to a third number."""

    def compute(a: Any, b: Any, c: Any) -> Any:
        of_a, of_b = (parts(x, bits, signed=sign) for x, sign in zip((a, b), signs, strict=True))
        return sum((x * y for x, y in zip(of_a, of_b, strict=True)), np.asarray(c, np.int64))

    return compute


def _dot_of_halves(a: Any, b: Any, c: Any) -> Any:
    """The dot product of pairs of f16, rounded after every step."""
    for low in (0, 16):
        x, y = ((words >> np.uint32(low)).astype(np.uint16).view(np.float16) for words in (a, b))
        c = c + x * y
    return c


def _add(
    result: str,
    sources: str,
    computed: dict[str, Callable[..., Any]],
    *,
    saturates: bool = False,
) -> None:
    kind = KINDS[result]

    def narrowed(compute: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: compute(*given).astype(kind.numpy)

    for name, compute in computed.items():
        BYTE_FORMULAS[f"v_{name}"] = Formula(
            narrowed(compute), kind, kinds(sources), exact=compute if saturates else None
        )


_add(
    "u32",
    "u32 u32 u32",
    {
        "sad_u8": _sad8,
        "sad_hi_u8": lambda a, b, c: (_sad8(a, b, 0) << 16) + c,
        "sad_u16": _of_parts(16, _distance),
        "sad_u32": lambda a, b, c: _distance(np.asarray(a, np.int64), np.asarray(b, np.int64)) + c,
        "msad_u8": _of_parts(8, _masked_distance),
    },
    saturates=True,
)
_add("u32", "u32 u32 u32", {"lerp_u8": _mean})
_add("u32", "f32 u32 u32", {"cvt_pk_u8_f32": _with_byte})
_add("u32", "u32 u32", {"cvt_pk_u16_u32": lambda a, b: _pair(a, b, 0, 2**16 - 1)})
_add("u32", "i32 i32", {"cvt_pk_i16_i32": lambda a, b: _pair(a, b, -(2**15), 2**15 - 1)})
_add("u32", "f32 f32", {"cvt_pk_u16_f32": _pair_of_floats(0, 2**16 - 1)})
_add("u32", "f32 f32", {"cvt_pk_i16_f32": _pair_of_floats(-(2**15), 2**15 - 1)})
for _kind in ("f16", "f32"):
    _both = f"{_kind} {_kind}"
    _add("u32", _both, {f"cvt_pk_norm_i16_{_kind}": _pair_of_normalized(-(2**15) + 1, 2**15 - 1)})
    _add("u32", _both, {f"cvt_pk_norm_u16_{_kind}": _pair_of_normalized(0, 2**16 - 1)})
_add("i16", "f16", {"cvt_norm_i16_f16": _normalized(-(2**15) + 1, 2**15 - 1)})
_add("u16", "f16", {"cvt_norm_u16_f16": _normalized(0, 2**16 - 1)})
_add("u16", "u32", {"sat_pk_u8_i16": _saturated_bytes})
for _kind in ("i16", "u16"):
    _add(
        _kind,
        f"{_kind} {_kind} {_kind}",
        {
            f"min3_{_kind}": lambda a, b, c: np.minimum(np.minimum(a, b), c),
            f"max3_{_kind}": lambda a, b, c: np.maximum(np.maximum(a, b), c),
            f"med3_{_kind}": median,
        },
    )
BYTE_FORMULAS["v_dot2_f16_f16"] = Formula(_dot_of_halves, F16, kinds("u32 u32 f16"))
# The dot products of CDNA that add to the destination.
for _name, _bits in (("dot2c_i32_i16", 16), ("dot4c_i32_i8", 8), ("dot8c_i32_i4", 4)):
    _add("i32", "u32 u32", {_name: dot(_bits, (True, True))})
    BYTE_FORMULAS[f"v_{_name}"] = BYTE_FORMULAS[f"v_{_name}"]._replace(accumulates=True)
say_unknown(BYTE_FORMULAS)
