"""The arithmetic of scalar instructions, and what sets the condition code, by mnemonic."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.emulator.isa import bits, unknown
from irattn.lab.emulator.isa.arithmetic import widened
from irattn.lab.emulator.isa.formulas import Formula, kinds
from irattn.lab.emulator.isa.kinds import KINDS
from irattn.lab.emulator.isa.vector_formulas import VECTOR_FORMULAS


def _nonzero(result: Any, *_: Any) -> Any:
    return result != 0


def _unsigned(result: Any, a: Any, b: Any) -> Any:
    return result < a


def _borrow(result: Any, a: Any, b: Any) -> Any:
    return b > a


def overflow_add(result: Any, a: Any, b: Any) -> Any:
    return ((a ^ result) & (b ^ result)) < 0


def _overflow_sub(result: Any, a: Any, b: Any) -> Any:
    return ((a ^ b) & (a ^ result)) < 0


def _shift_add(amount: int) -> tuple[Any, Any]:
    def compute(a: Any, b: Any) -> Any:
        return (a << np.uint32(amount)) + b

    def carry(result: Any, a: Any, b: Any) -> Any:
        return (np.asarray(a, np.uint64) << np.uint64(amount)) + b > 0xFFFFFFFF

    return compute, carry


def _field(a: Any, b: Any) -> Any:
    """Bits of `a`: offset and width are in `b`."""
    bits = np.uint64(a.dtype.itemsize * 8 - 1)
    offset = np.asarray(b, np.uint64) & bits
    width = np.asarray(b, np.uint64) >> np.uint64(16) & np.uint64(0x7F)
    mask = (np.uint64(1) << np.minimum(width, 63)) - np.uint64(1)
    mask = np.where(width >= 64, np.uint64(2**64 - 1), mask)
    return (np.asarray(a, np.uint64) >> offset & mask).astype(a.dtype)


def _signed_field(a: Any, b: Any) -> Any:
    """A field of bits of `a`, with the sign of the field's highest bit."""
    most = a.dtype.itemsize * 8
    value = np.asarray(a, np.int64) >> (b & (most - 1)).astype(np.int64)
    width = np.minimum(b >> 16 & 0x7F, most).astype(np.int64)
    shift = np.minimum(64 - width, 63)
    return np.where(width == 0, 0, value << shift >> shift).astype(a.dtype)


def _unknown_of(field: Callable[[Any, Any], Any], kind: Any) -> unknown.Unknown:
    """The bits of a field of a number of a kind that nobody knows, as uint64."""

    def lacks(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
        bits = field(np.asarray(of_a).astype(kind), b).astype(np.uint64)
        return np.where(of_b != 0, np.uint64(2**64 - 1), bits)

    return lacks


def _bitmask(kind: Any) -> Callable[[Any, Any], Any]:
    last = kind(np.dtype(kind).itemsize * 8 - 1)
    return lambda a, b: ((kind(1) << (a & last)) - kind(1)) << (b & last)


def _trailing_ones(find: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda a: find(~a)


# Of two masks or two numbers, bit by bit.
BITWISE: dict[str, Callable[[Any, Any], Any]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
    "and_not1": lambda a, b: a & ~b,
    "or_not1": lambda a, b: a | ~b,
}
# What exec is combined with a mask by.
WITH_EXEC = BITWISE | {"and_not0": lambda a, b: ~a & b, "or_not0": lambda a, b: ~a | b}


SCALAR_FORMULAS: dict[str, Formula] = {}


def _add(
    result: str,
    sources: str,
    scc: Any,
    missing: unknown.Unknown | None = None,
    **functions: Callable[..., Any],
) -> None:
    for name, compute in functions.items():
        SCALAR_FORMULAS[f"s_{name}"] = Formula(
            compute, KINDS[result], kinds(sources), scc=scc, unknown=missing
        )


_add("u32", "u32 u32", _unsigned, add_u32=np.add)
_add("u32", "u32 u32", _borrow, sub_u32=np.subtract)
_add("i32", "i32 i32", overflow_add, add_i32=np.add)
_add("i32", "i32 i32", _overflow_sub, sub_i32=np.subtract)
_add("i32", "i32 i32", _nonzero, absdiff_i32=lambda a, b: np.abs(a - b))
_add("i32", "i32 i32", lambda r, a, b: a < b, min_i32=np.minimum)
_add("u32", "u32 u32", lambda r, a, b: a < b, min_u32=np.minimum)
_add("i32", "i32 i32", lambda r, a, b: a >= b, max_i32=np.maximum)
_add("u32", "u32 u32", lambda r, a, b: a >= b, max_u32=np.maximum)
_add("u32", "u32 u32", None, mul_i32=np.multiply, bfm_b32=_bitmask(np.uint32))
_add("u64", "u32 u32", None, bfm_b64=lambda a, b: _bitmask(np.uint64)(widened(a), widened(b)))
_add(
    "u32",
    "u32 u32",
    None,
    mul_hi_u32=lambda a, b: (np.asarray(a, np.uint64) * b >> np.uint64(32)).astype(np.uint32),
    pack_ll_b32_b16=lambda a, b: (a & 0xFFFF) | b << 16,
    pack_lh_b32_b16=lambda a, b: (a & 0xFFFF) | b & np.uint32(0xFFFF0000),
    pack_hh_b32_b16=lambda a, b: a >> 16 | b & np.uint32(0xFFFF0000),
    pack_hl_b32_b16=lambda a, b: a >> 16 | b << 16,
)
_add(
    "i32",
    "i32 i32",
    None,
    mul_hi_i32=lambda a, b: (np.asarray(a, np.int64) * b >> 32).astype(np.int32),
)
_add(
    "u32",
    "u32 u32",
    _nonzero,
    lshl_b32=lambda a, b: a << (b & 31),
    lshr_b32=lambda a, b: a >> (b & 31),
)
_add("i32", "i32 u32", _nonzero, ashr_i32=lambda a, b: a >> (b & 31).astype(np.int32))
_add("u64", "u64 u32", _nonzero, lshl_b64=lambda a, b: a << (b & 63).astype(np.uint64))
_add("u64", "u64 u32", _nonzero, lshr_b64=lambda a, b: a >> (b & 63).astype(np.uint64))
_add("i64", "i64 u32", _nonzero, ashr_i64=lambda a, b: a >> (b & 63).astype(np.int64))
for _kind in ("u32", "u64", "i32", "i64"):
    _extract = _field if _kind.startswith("u") else _signed_field
    _missing = _unknown_of(_extract, KINDS[_kind].numpy)
    _add(_kind, f"{_kind} u32", _nonzero, _missing, **{f"bfe_{_kind}": _extract})
for _amount in (1, 2, 3, 4):
    _compute, _carry = _shift_add(_amount)
    _add("u32", "u32 u32", _carry, **{f"lshl{_amount}_add_u32": _compute})
for _name, _bitwise in BITWISE.items():
    for _bits in (32, 64):
        _kind = f"u{_bits}"
        _function = {f"{_name}_b{_bits}": _bitwise}
        _add(_kind, f"{_kind} {_kind}", _nonzero, unknown.BITWISE[_name], **_function)
for _bits in (32, 64):
    _kind = f"u{_bits}"
    _add(_kind, _kind, None, unknown.MOVE, **{f"mov_b{_bits}": np.positive})
    _add(_kind, _kind, _nonzero, unknown.MOVE, **{f"not_b{_bits}": np.invert})
    _add(
        "u32",
        _kind,
        _nonzero,
        **{
            f"bcnt1_i32_b{_bits}": lambda a: np.bitwise_count(a).astype(np.uint32),
            f"bcnt0_i32_b{_bits}": lambda a: np.bitwise_count(~a).astype(np.uint32),
        },
    )
    _add(_kind, _kind, _nonzero, **{f"wqm_b{_bits}": bits.whole_quads})
    _add(_kind, _kind, _nonzero, **{f"quadmask_b{_bits}": bits.quads})
_add("i32", "i32", _nonzero, abs_i32=np.abs)
_add("u32", "u32", None, brev_b32=bits.reverse_bits)
_add("u64", "u64", None, brev_b64=bits.reverse_64_bits)
_add("u64", "u32", None, bitreplicate_b64_b32=bits.doubled_bits)
_add("i32", "u32", None, clz_i32_u32=bits.leading_zeros, ctz_i32_b32=bits.trailing_zeros)
_add("i32", "u64", None, clz_i32_u64=bits.leading_zeros_of_64)
_add("i32", "u64", None, ctz_i32_b64=bits.trailing_zeros_of_64)
_add("i32", "i32", None, cls_i32=bits.leading_signs)
_add("i32", "i64", None, cls_i32_i64=bits.leading_signs_of_64)
_add("i32", "u32", None, ff0_i32_b32=_trailing_ones(bits.trailing_zeros))
_add("i32", "u64", None, ff0_i32_b64=_trailing_ones(bits.trailing_zeros_of_64))
_add("i32", "u32", None, sext_i32_i8=lambda a: a.astype(np.int8).astype(np.int32))
_add("i32", "u32", None, sext_i32_i16=lambda a: a.astype(np.int16).astype(np.int32))
_add("u64", "u64 u64", None, add_nc_u64=np.add, sub_nc_u64=np.subtract, mul_u64=np.multiply)

# Floats, of which RDNA3.5 and RDNA4 have scalar instructions too, are computed as in vectors.
_FLOATS = (
    *(f"{_name}_f16" for _name in ("add", "sub", "mul", "min", "max", "minimum", "maximum")),
    *(f"{_name}_f16" for _name in ("fmac", "ceil", "floor", "trunc", "rndne")),
    "cvt_f16_f32",
    "add_f32",
    "sub_f32",
    "mul_f32",
    "min_f32",
    "max_f32",
    "minimum_f32",
    "maximum_f32",
    "fmac_f32",
    "ceil_f32",
    "floor_f32",
    "trunc_f32",
    "rndne_f32",
    "cvt_f32_i32",
    "cvt_f32_u32",
    "cvt_i32_f32",
    "cvt_u32_f32",
    "cvt_f32_f16",
    "cvt_pk_rtz_f16_f32",
)
for _name in _FLOATS:
    SCALAR_FORMULAS[f"s_{_name}"] = VECTOR_FORMULAS[f"v_{_name}"]
_add(
    "f32",
    "u32",
    None,
    cvt_hi_f32_f16=lambda a: (a >> 16).astype(np.uint16).view(np.float16).astype(np.float32),
)
