"""What vector arithmetic computes: mnemonic → function, kind of the result, kinds of the sources.

The meanings are those of AMD's "RDNA3 Instruction Set Architecture" guide. A source kind in capital
letters means the destination register itself (FMAC).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

F64 = np.float64
_LEAST_NORMAL = np.float32(2.0**-126)


class Rule(NamedTuple):
    """What one mnemonic does: a function from sources to the result."""

    compute: Callable[..., Any]
    result: str
    sources: tuple[str, ...]


def fma(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for f32, rounded as good as once: in float64, where the product is exact."""
    product = np.multiply(a, b, dtype=F64)
    return np.add(product, c, out=product if product.shape == np.shape(c) else None).astype(
        np.float32
    )


def fma16(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for f16: exact in float64, then rounded once."""
    return (np.multiply(a, b, dtype=F64) + c).astype(np.float16)


def _flushed(a: Any) -> Any:
    """f32 with denormal numbers as zeros of their sign."""
    a = np.asarray(a)
    return np.where(np.abs(a) < _LEAST_NORMAL, np.copysign(np.float32(0), a), a)


def mad(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for f32, rounded twice; denormal numbers count as zero (CDNA2)."""
    return _flushed(_flushed(_flushed(a) * _flushed(b)) + _flushed(c))


def _through_f64(function: Callable[[Any], Any], dtype: Any) -> Callable[[Any], Any]:
    return lambda a: function(np.asarray(a, F64)).astype(dtype)


def _sine(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Sine and cosine take revolutions; whole ones make no difference."""
    return lambda a: function(np.fmod(a, 1.0) * (2 * np.pi))


def _to_int(least: int, most: int, dtype: Any) -> Callable[[Any], Any]:
    """Towards zero, kept in range; NaN gives 0."""

    def convert(a: Any) -> Any:
        value = np.trunc(np.asarray(a, F64))
        value = np.where(np.isnan(value), 0, np.clip(value, least, most))
        return value.astype(np.int64).astype(dtype)

    return convert


def _exponent(a: Any) -> Any:
    return (a.view(np.uint32) >> 23 & 0xFF).astype(np.int32)


def _is_denormal(a: Any) -> Any:
    bits = a.view(np.uint32)
    return (bits & 0x7F800000 == 0) & (bits & 0x7FFFFF != 0)


def div_scale(a: Any, denominator: Any, numerator: Any) -> tuple[Any, Any]:
    """V_DIV_SCALE_F32: the source `a` scaled so that a division is safe, and what was scaled."""
    a, d, n = np.broadcast_arrays(a, denominator, numerator)
    a, d, n = (np.ascontiguousarray(x) for x in (a, d, n))
    up, down = np.ldexp(a, 64), np.ldexp(a, -64)
    quotient = n.astype(F64) / d.astype(F64)
    tiny = (np.abs(quotient) < 2.0**-126) & (quotient != 0)
    tiny_inverse = np.abs(1.0 / d.astype(F64)) < 2.0**-126
    is_d, is_n = a == d, a == n
    cases = (
        ((n == 0) | (d == 0), np.float32(np.nan), False),
        (_exponent(n) - _exponent(d) >= 96, np.where(is_d, up, a), True),
        (_is_denormal(d), up, False),
        (tiny_inverse & tiny, np.where(is_d, up, a), True),
        (tiny_inverse, down, False),
        (tiny, np.where(is_n, up, a), True),
        (_exponent(n) <= 23, up, False),
    )
    conditions = [case[0] for case in cases]
    value = np.select(conditions, [case[1] for case in cases], a)
    return value, np.select(conditions, [case[2] for case in cases], False)


def div_fmas(a: Any, b: Any, c: Any, scaled: Any) -> Any:
    """V_DIV_FMAS_F32. The guide says 2**32; what undoes V_DIV_SCALE's scaling is 2**±64."""
    value = fma(a, b, c)
    if not scaled.any():
        return value
    factor = np.where(_exponent(np.ascontiguousarray(c)) > 127, 64, -64)
    return np.where(scaled, np.ldexp(value, factor), value)


def div_fixup(quotient: Any, denominator: Any, numerator: Any) -> Any:
    """V_DIV_FIXUP_F32: a quotient, made right where the operands are special."""
    q, d, n = np.broadcast_arrays(quotient, denominator, numerator)
    q, d, n = (np.ascontiguousarray(x) for x in (q, d, n))
    sign = np.where(np.signbit(d) ^ np.signbit(n), np.float32(-1), np.float32(1))
    infinite_d, infinite_n = np.isinf(d), np.isinf(n)
    exponents = _exponent(n) - _exponent(d)
    with np.errstate(all="ignore"):
        conditions = [
            np.isnan(n),
            np.isnan(d),
            (d == 0) & (n == 0),
            infinite_d & infinite_n,
            (d == 0) | infinite_n,
            infinite_d | (n == 0),
            exponents < -150,
        ]
        nan = np.float32(np.nan)
        choices = [n, d, nan, nan, sign * np.float32(np.inf), sign * 0, sign * 0]
        return np.select(conditions, choices, sign * np.abs(q)).astype(np.float32)


_CLASSES = (
    lambda a, bits: np.isnan(a) & (bits & 0x400000 == 0),
    lambda a, bits: np.isnan(a) & (bits & 0x400000 != 0),
    lambda a, bits: a == -np.inf,
    lambda a, bits: np.isfinite(a) & np.signbit(a) & (bits & 0x7F800000 != 0),
    lambda a, bits: np.signbit(a) & _is_denormal(a),
    lambda a, bits: bits == 0x80000000,
    lambda a, bits: bits == 0,
    lambda a, bits: ~np.signbit(a) & _is_denormal(a),
    lambda a, bits: np.isfinite(a) & ~np.signbit(a) & (bits & 0x7F800000 != 0),
    lambda a, bits: a == np.inf,
)


def is_of_class(a: Any, wanted: Any) -> Any:
    """V_CMP_CLASS_F32: whether a number is of one of the ten classes that bits choose."""
    a = np.ascontiguousarray(a)
    bits = a.view(np.uint32)
    found = np.zeros(np.broadcast_shapes(a.shape, np.shape(wanted)), bool)
    for number, is_one in enumerate(_CLASSES):
        found |= is_one(a, bits) & ((wanted >> np.uint32(number) & 1) != 0)
    return found


def leading_zeros(a: Any) -> Any:
    """Zeros before the first one of 32 bits; -1 where there is no one."""
    _, exponent = np.frexp(np.asarray(a, F64))
    return np.where(a == 0, -1, 32 - exponent).astype(np.int32)


def trailing_zeros(a: Any) -> Any:
    """Zeros after the last one of 32 bits; -1 where there is no one."""
    lowest = a & (~a + np.uint32(1))
    _, exponent = np.frexp(np.asarray(lowest, F64))
    return np.where(a == 0, -1, exponent - 1).astype(np.int32)


def reverse_bits(a: Any) -> Any:
    """32 bits in the other order."""
    a = np.asarray(a, np.uint32)
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        a = (a >> shift & np.uint32(mask)) | ((a & np.uint32(mask)) << shift)
    return a >> 16 | a << 16


def _wide(a: Any) -> Any:
    return np.asarray(a, np.uint64)


def _low(a: Any) -> Any:
    return (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _mask(width: Any) -> Any:
    return (np.uint32(1) << (width & 31)) - np.uint32(1)


def _bfe_signed(a: Any, offset: Any, width: Any) -> Any:
    width = np.asarray(width & 31, np.int32)
    value = (a >> (offset & 31).astype(np.int32)).view(np.uint32) & _mask(width.astype(np.uint32))
    shift = (32 - width).astype(np.uint32) & 31
    signed = (value << shift).view(np.int32) >> shift.astype(np.int32)
    return np.where(width == 0, 0, signed)


def _permuted_bytes(high: Any, low: Any, choice: Any) -> Any:
    """V_PERM_B32: each byte of the result is one of eight, a sign, 0 or 255."""
    data = _wide(high) << np.uint64(32) | _wide(low)
    result = np.zeros(np.broadcast_shapes(data.shape, np.shape(choice)), np.uint32)
    for byte in range(4):
        chosen = choice >> np.uint32(8 * byte) & np.uint32(0xFF)
        place = np.where(chosen < 8, chosen, 2 * chosen - 15) & 7
        value = data >> (_wide(place) * 8) & np.uint64(0xFF)
        sign = np.where(value & np.uint64(0x80), 0xFF, 0)
        value = np.select([chosen >= 13, chosen == 12, chosen >= 8], [0xFF, 0, sign], value)
        result |= value.astype(np.uint32) << np.uint32(8 * byte)
    return result


def _med3(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _med3_float(a: Any, b: Any, c: Any) -> Any:
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(nan, np.fmin(np.fmin(a, b), c), _med3(a, b, c))


def _i24(a: Any) -> Any:
    return (a << np.int32(8)) >> np.int32(8)


def _u24(a: Any) -> Any:
    return a & np.uint32(0xFFFFFF)


def _f16_pair(low: Any, high: Any) -> Any:
    low, high = (np.asarray(x, np.float16).view(np.uint16).astype(np.uint32) for x in (low, high))
    return low | high << np.uint32(16)


def _truncated_f16(a: Any) -> Any:
    """f32 to f16 towards zero."""
    near = np.asarray(a).astype(np.float16)
    grew = np.abs(near.astype(F64)) > np.abs(np.asarray(a, F64))
    return np.where(grew, (near.view(np.uint16) - np.uint16(1)).view(np.float16), near)



def _mul_hi(a: Any, b: Any) -> Any:
    return (_wide(a) * _wide(b) >> np.uint64(32)).astype(np.uint32)


def _mul_hi_signed(a: Any, b: Any) -> Any:
    return (np.asarray(a, np.int64) * np.asarray(b, np.int64) >> 32).astype(np.int32)


def _popcount(a: Any) -> Any:
    return np.bitwise_count(a).astype(np.uint32)


RULES: dict[str, Rule] = {}


def _add(result: str, sources: str, rules: dict[str, Callable[..., Any]]) -> None:
    for name, compute in rules.items():
        RULES[f"v_{name}"] = Rule(compute, result, tuple(sources.split()))


_ROUND = {"trunc": np.trunc, "ceil": np.ceil, "rndne": np.rint, "floor": np.floor}
for _type, _dtype in (("f16", np.float16), ("f32", np.float32), ("f64", np.float64)):
    _add(_type, _type, {f"{name}_{_type}": function for name, function in _ROUND.items()})
    _add(_type, f"{_type} {_type}", {f"min_{_type}": np.fmin, f"max_{_type}": np.fmax})
    _add(_type, f"{_type} {_type}", {f"add_{_type}": np.add, f"mul_{_type}": np.multiply})
    _add(
        _type,
        _type,
        {
            f"rcp_{_type}": _through_f64(lambda a: 1 / a, _dtype),
            f"rsq_{_type}": _through_f64(lambda a: 1 / np.sqrt(a), _dtype),
            f"sqrt_{_type}": _through_f64(np.sqrt, _dtype),
            f"fract_{_type}": lambda a: a - np.floor(a),
        },
    )
for _type, _dtype in (("f16", np.float16), ("f32", np.float32)):
    _add(_type, f"{_type} {_type}", {f"sub_{_type}": np.subtract})
    _add(_type, f"{_type} {_type}", {f"subrev_{_type}": lambda a, b: b - a})
    _add(
        _type,
        _type,
        {
            f"exp_{_type}": _through_f64(np.exp2, _dtype),
            f"log_{_type}": _through_f64(np.log2, _dtype),
            f"sin_{_type}": _through_f64(_sine(np.sin), _dtype),
            f"cos_{_type}": _through_f64(_sine(np.cos), _dtype),
        },
    )
    _add(
        _type,
        f"{_type} {_type} {_type}",
        {
            f"min3_{_type}": lambda a, b, c: np.fmin(np.fmin(a, b), c),
            f"max3_{_type}": lambda a, b, c: np.fmax(np.fmax(a, b), c),
            f"maxmin_{_type}": lambda a, b, c: np.fmin(np.fmax(a, b), c),
            f"minmax_{_type}": lambda a, b, c: np.fmax(np.fmin(a, b), c),
            f"med3_{_type}": _med3_float,
        },
    )
_add("f32", "f32 f32 f32", {"fma_f32": fma, "div_fixup_f32": div_fixup})
_add("f32", "f32 f32 F32", {"fmac_f32": fma})
_add("f32", "f32 f32 f32", {"mad_f32": mad})
_add("f32", "f32 f32 F32", {"mac_f32": mad})
_add("f16", "f16 f16 f16", {"fma_f16": fma16})
_add("f16", "f16 f16 F16", {"fmac_f16": fma16})
_add("f32", "f32", {"rcp_iflag_f32": RULES["v_rcp_f32"].compute})
_add("f32", "f32 i32", {"ldexp_f32": lambda a, b: np.ldexp(a, np.clip(b, -400, 400))})
_add("f16", "f16 i16", {"ldexp_f16": lambda a, b: np.ldexp(a, np.asarray(b, np.int32))})
_add("f64", "f64 i32", {"ldexp_f64": lambda a, b: np.ldexp(a, b)})
_add("i32", "f32", {"frexp_exp_i32_f32": lambda a: np.where(np.isfinite(a), np.frexp(a)[1], 0)})
_add("f32", "f32", {"frexp_mant_f32": lambda a: np.where(np.isfinite(a), np.frexp(a)[0], a)})

for _kind in ("i", "u"):
    _t = f"{_kind}32"
    _add(
        _t,
        f"{_t} {_t}",
        {f"min_{_t}": np.minimum, f"max_{_t}": np.maximum},
    )
    _add(
        _t,
        f"{_t} {_t} {_t}",
        {
            f"min3_{_t}": lambda a, b, c: np.minimum(np.minimum(a, b), c),
            f"max3_{_t}": lambda a, b, c: np.maximum(np.maximum(a, b), c),
            f"maxmin_{_t}": lambda a, b, c: np.minimum(np.maximum(a, b), c),
            f"minmax_{_t}": lambda a, b, c: np.maximum(np.minimum(a, b), c),
            f"med3_{_t}": _med3,
        },
    )
    _s = f"{_kind}16"
    _add(_s, f"{_s} {_s}", {f"min_{_s}": np.minimum, f"max_{_s}": np.maximum})
    _add(_s, f"{_s} {_s}", {f"add_nc_{_s}": np.add, f"sub_nc_{_s}": np.subtract})
    _add(_s, f"{_s} {_s} {_s}", {f"mad_{_s}": lambda a, b, c: a * b + c})
_add("u16", "u16 u16", {"mul_lo_u16": np.multiply})
_add(
    "u16",
    "u16 u16",
    {
        "lshlrev_b16": lambda a, b: b << (a & 15),
        "lshrrev_b16": lambda a, b: b >> (a & 15),
        "and_b16": np.bitwise_and,
        "or_b16": np.bitwise_or,
        "xor_b16": np.bitwise_xor,
    },
)
_add("i16", "u16 i16", {"ashrrev_i16": lambda a, b: b >> (a & 15).astype(np.int16)})
_add("u32", "u32", {"mov_b32": np.positive, "not_b32": np.invert, "bfrev_b32": reverse_bits})
_add("u64", "u64", {"mov_b64": np.positive})
_add("u64", "u64 u32 u64", {"lshl_add_u64": lambda a, b, c: (a << _wide(b & 7)) + c})
_add("u16", "u16", {"mov_b16": np.positive, "not_b16": np.invert})
_add("i32", "u32", {"clz_i32_u32": leading_zeros, "ctz_i32_b32": trailing_zeros})
_add(
    "u32",
    "u32 u32",
    {
        "add_nc_u32": np.add,
        "sub_nc_u32": np.subtract,
        "subrev_nc_u32": lambda a, b: b - a,
        "mul_lo_u32": np.multiply,
        "mul_hi_u32": _mul_hi,
        "mul_u32_u24": lambda a, b: _u24(a) * _u24(b),
        "mul_hi_u32_u24": lambda a, b: _mul_hi(_u24(a), _u24(b)),
        "lshlrev_b32": lambda a, b: b << (a & 31),
        "lshrrev_b32": lambda a, b: b >> (a & 31),
        "and_b32": np.bitwise_and,
        "or_b32": np.bitwise_or,
        "xor_b32": np.bitwise_xor,
        "xnor_b32": lambda a, b: ~(a ^ b),
        "bfm_b32": lambda a, b: _mask(a) << (b & 31),
        "bcnt_u32_b32": lambda a, b: _popcount(a) + b,
    },
)
_add(
    "i32",
    "i32 i32",
    {
        "add_nc_i32": np.add,
        "sub_nc_i32": np.subtract,
        "mul_hi_i32": _mul_hi_signed,
        "mul_i32_i24": lambda a, b: _i24(a) * _i24(b),
        "ashrrev_i32": lambda a, b: b >> (a & 31),
    },
)
_add(
    "u32",
    "u32 u32 u32",
    {
        "add3_u32": lambda a, b, c: a + b + c,
        "lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
        "add_lshl_u32": lambda a, b, c: (a + b) << (c & 31),
        "lshl_or_b32": lambda a, b, c: a << (b & 31) | c,
        "and_or_b32": lambda a, b, c: a & b | c,
        "or3_b32": lambda a, b, c: a | b | c,
        "xor3_b32": lambda a, b, c: a ^ b ^ c,
        "xad_u32": lambda a, b, c: (a ^ b) + c,
        "bfe_u32": lambda a, b, c: a >> (b & 31) & _mask(c),
        "bfi_b32": lambda a, b, c: (a & b) | (~a & c),
        "alignbit_b32": lambda a, b, c: _low(
            (_wide(a) << np.uint64(32) | _wide(b)) >> _wide(c & 31)
        ),
        "alignbyte_b32": lambda a, b, c: _low(
            (_wide(a) << np.uint64(32) | _wide(b)) >> _wide((c & 3) * 8)
        ),
        "perm_b32": _permuted_bytes,
        "mad_u32_u24": lambda a, b, c: _u24(a) * _u24(b) + c,
    },
)
_add("i32", "i32 i32 i32", {"mad_i32_i24": lambda a, b, c: _i24(a) * _i24(b) + c})
_add("i32", "i32 u32 u32", {"bfe_i32": _bfe_signed})
_add("u32", "u16 u16 u32", {"mad_u32_u16": lambda a, b, c: np.asarray(a, np.uint32) * b + c})
_add("i32", "i16 i16 i32", {"mad_i32_i16": lambda a, b, c: np.asarray(a, np.int32) * b + c})
_add("u64", "u32 u64", {"lshlrev_b64": lambda a, b: b << _wide(a & 63)})
_add("u64", "u32 u64", {"lshrrev_b64": lambda a, b: b >> _wide(a & 63)})
_add("i64", "u32 i64", {"ashrrev_i64": lambda a, b: b >> (a & 63).astype(np.int64)})
_add("f64", "f64 f64 f64", {"fma_f64": lambda a, b, c: a * b + c})

_add("f32", "f16", {"cvt_f32_f16": lambda a: np.asarray(a, np.float32)})
_add("f16", "f32", {"cvt_f16_f32": lambda a: np.asarray(a).astype(np.float16)})
_add("f32", "f64", {"cvt_f32_f64": lambda a: np.asarray(a).astype(np.float32)})
_add("f64", "f32", {"cvt_f64_f32": lambda a: np.asarray(a, F64)})
_add("f64", "i32", {"cvt_f64_i32": lambda a: np.asarray(a, F64)})
_add("f64", "u32", {"cvt_f64_u32": lambda a: np.asarray(a, F64)})
_add("f32", "i32", {"cvt_f32_i32": lambda a: np.asarray(a).astype(np.float32)})
_add("f32", "u32", {"cvt_f32_u32": lambda a: np.asarray(a).astype(np.float32)})
_add("f16", "u16", {"cvt_f16_u16": lambda a: np.asarray(a).astype(np.float16)})
_add("f16", "i16", {"cvt_f16_i16": lambda a: np.asarray(a).astype(np.float16)})
for _byte in range(4):
    _add(
        "f32",
        "u32",
        {
            f"cvt_f32_ubyte{_byte}": lambda a, shift=np.uint32(8 * _byte): (
                a >> shift & np.uint32(0xFF)
            ).astype(np.float32)
        },
    )
_I32, _U32 = _to_int(-(2**31), 2**31 - 1, np.int32), _to_int(0, 2**32 - 1, np.uint32)
_add("i32", "f32", {"cvt_i32_f32": _I32, "cvt_floor_i32_f32": lambda a: _I32(np.floor(a))})
_add("i32", "f32", {"cvt_nearest_i32_f32": lambda a: _I32(np.floor(np.asarray(a, F64) + 0.5))})
_add("u32", "f32", {"cvt_u32_f32": _U32})
_add("i32", "f64", {"cvt_i32_f64": _I32})
_add("u32", "f64", {"cvt_u32_f64": _U32})
_add("u16", "f16", {"cvt_u16_f16": _to_int(0, 2**16 - 1, np.uint16)})
_add("i16", "f16", {"cvt_i16_f16": _to_int(-(2**15), 2**15 - 1, np.int16)})
_add("i32", "i16", {"cvt_i32_i16": lambda a: np.asarray(a, np.int32)})
_add("u32", "u16", {"cvt_u32_u16": lambda a: np.asarray(a, np.uint32)})
_add("u32", "f16 f16", {"pack_b32_f16": _f16_pair})
_add(
    "u32",
    "f32 f32",
    {"cvt_pk_rtz_f16_f32": lambda a, b: _f16_pair(_truncated_f16(a), _truncated_f16(b))},
)

_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": np.less,
    "eq": np.equal,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "ne": np.not_equal,
    "lg": lambda a, b: (a < b) | (a > b),
    "o": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "u": lambda a, b: np.isnan(a) | np.isnan(b),
    "nge": lambda a, b: ~(a >= b),
    "nlg": lambda a, b: ~((a < b) | (a > b)),
    "ngt": lambda a, b: ~(a > b),
    "nle": lambda a, b: ~(a <= b),
    "neq": lambda a, b: ~(a == b),
    "nlt": lambda a, b: ~(a < b),
    "f": lambda a, b: np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)), bool),
    "t": lambda a, b: np.ones(np.broadcast_shapes(np.shape(a), np.shape(b)), bool),
}

COMPARISONS: dict[str, Rule] = {
    f"{relation}_{kind}": Rule(compare, "mask", (kind, kind))
    for kind in ("f16", "f32", "f64", "i16", "u16", "i32", "u32", "i64", "u64")
    for relation, compare in _RELATIONS.items()
}
COMPARISONS["class_f32"] = Rule(is_of_class, "mask", ("f32", "u32"))
