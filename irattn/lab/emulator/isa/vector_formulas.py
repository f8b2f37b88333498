"""The arithmetic of vector instructions, by mnemonic."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.arithmetic import (
    F64,
    bf16_pair,
    byte_as_float,
    f16_pair,
    high_product,
    lit_product,
    low_word,
    median,
    of_revolutions,
    ones,
    permuted_bytes,
    population,
    signed_24,
    signed_field,
    signed_high_product,
    through_f64,
    to_integer,
    truncated_f16,
    unsigned_24,
    widened,
    zero_times,
)
from irattn.lab.emulator.isa.bits import (
    leading_signs,
    leading_zeros,
    reverse_bits,
    trailing_zeros,
)
from irattn.lab.emulator.isa.extremes import EXTREMES, EXTREMES_OF_IEEE, maximum, minimum
from irattn.lab.emulator.isa.formulas import Formula, kinds
from irattn.lab.emulator.isa.fused import fma, fma16, fma64, mad
from irattn.lab.emulator.isa.kinds import KINDS
from irattn.lab.emulator.isa.trigonometry import trig_preop
from irattn.lab.emulator.isa.unknown import say_unknown

VECTOR_FORMULAS: dict[str, Formula] = {}


def _add(result: str, sources: str, functions: dict[str, Callable[..., Any]]) -> None:
    for name, compute in functions.items():
        VECTOR_FORMULAS[f"v_{name}"] = Formula(compute, KINDS[result], kinds(sources))


def _add_accumulating(result: str, sources: str, name: str, compute: Callable[..., Any]) -> None:
    VECTOR_FORMULAS[f"v_{name}"] = Formula(compute, KINDS[result], kinds(sources), accumulates=True)


def _exponent_of(kind: str) -> Callable[[Any], Any]:
    dtype = KINDS[kind].numpy
    return lambda a: np.where(np.isfinite(a), np.frexp(a)[1], 0).astype(dtype)


def _mantissa(a: Any) -> Any:
    return np.where(np.isfinite(a), np.frexp(a)[0], a)


def _add_extreme(kind: str, count: int, name: str) -> None:
    VECTOR_FORMULAS[f"v_{name}_{kind}"] = Formula(
        EXTREMES[name], KINDS[kind], (KINDS[kind],) * count, ieee=EXTREMES_OF_IEEE[name]
    )


_ROUND = {"trunc": np.trunc, "ceil": np.ceil, "rndne": np.rint, "floor": np.floor}
for _type, _dtype in (("f16", np.float16), ("f32", np.float32), ("f64", np.float64)):
    _add(_type, _type, {f"{name}_{_type}": function for name, function in _ROUND.items()})
    for _name in ("min", "max"):
        _add_extreme(_type, 2, _name)
    _add(_type, f"{_type} {_type}", {f"minimum_{_type}": minimum, f"maximum_{_type}": maximum})
    _add(_type, f"{_type} {_type}", {f"add_{_type}": np.add, f"mul_{_type}": np.multiply})
    _add(
        _type,
        _type,
        {
            f"rcp_{_type}": through_f64(lambda a: 1 / a, _dtype),
            f"rsq_{_type}": through_f64(lambda a: 1 / np.sqrt(a), _dtype),
            f"sqrt_{_type}": through_f64(np.sqrt, _dtype),
            f"fract_{_type}": lambda a: a - np.floor(a),
        },
    )
for _type, _dtype in (("f16", np.float16), ("f32", np.float32)):
    for _name in ("min3", "max3", "maxmin", "minmax", "med3"):
        _add_extreme(_type, 3, _name)
    _add(_type, f"{_type} {_type}", {f"sub_{_type}": np.subtract})
    _add(_type, f"{_type} {_type}", {f"subrev_{_type}": lambda a, b: b - a})
    _add(
        _type,
        _type,
        {
            f"exp_{_type}": through_f64(np.exp2, _dtype),
            f"log_{_type}": through_f64(np.log2, _dtype),
            f"sin_{_type}": through_f64(of_revolutions(np.sin), _dtype),
            f"cos_{_type}": through_f64(of_revolutions(np.cos), _dtype),
        },
    )
    _add(
        _type,
        f"{_type} {_type} {_type}",
        {
            f"minimum3_{_type}": lambda a, b, c: minimum(minimum(a, b), c),
            f"maximum3_{_type}": lambda a, b, c: maximum(maximum(a, b), c),
            f"maximumminimum_{_type}": lambda a, b, c: minimum(maximum(a, b), c),
            f"minimummaximum_{_type}": lambda a, b, c: maximum(minimum(a, b), c),
        },
    )
_add("f32", "f32 f32 f32", {"fma_f32": fma})
_add_accumulating("f32", "f32 f32", "fmac_f32", fma)
_add("f32", "f32 f32", {"mul_dx9_zero_f32": zero_times(np.multiply)})
_add("f32", "f32 f32 f32", {"fma_dx9_zero_f32": zero_times(fma)})
_add("f32", "f32 f32 f32", {"mullit_f32": lit_product})
_add("f32", "f32 f32 f32", {"mad_f32": mad})
_add_accumulating("f32", "f32 f32", "mac_f32", mad)
_add("f16", "f16 f16 f16", {"fma_f16": fma16})
_add_accumulating("f16", "f16 f16", "fmac_f16", fma16)
_add("f32", "f32", {"rcp_iflag_f32": VECTOR_FORMULAS["v_rcp_f32"].compute})
_add("f32", "f32 i32", {"ldexp_f32": lambda a, b: np.ldexp(a, np.clip(b, -400, 400))})
_add("f16", "f16 i16", {"ldexp_f16": lambda a, b: np.ldexp(a, np.asarray(b, np.int32))})
_add("f64", "f64 i32", {"ldexp_f64": lambda a, b: np.ldexp(a, b)})
for _type, _exponent in (("f16", "i16"), ("f32", "i32"), ("f64", "i32")):
    _add(_exponent, _type, {f"frexp_exp_{_exponent}_{_type}": _exponent_of(_exponent)})
    _add(_type, _type, {f"frexp_mant_{_type}": _mantissa})

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
            f"med3_{_t}": median,
        },
    )
    _s = f"{_kind}16"
    _add(_s, f"{_s} {_s}", {f"min_{_s}": np.minimum, f"max_{_s}": np.maximum})
    _add(_s, f"{_s} {_s}", {f"add_nc_{_s}": np.add, f"sub_nc_{_s}": np.subtract})
    _add(_s, f"{_s} {_s} {_s}", {f"mad_{_s}": lambda a, b, c: a * b + c})
_add("u16", "u16 u16", {"mul_lo_u16": np.multiply, "subrev_nc_u16": lambda a, b: b - a})
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
_add("u64", "u64 u32 u64", {"lshl_add_u64": lambda a, b, c: (a << widened(b & 7)) + c})
_add("u16", "u16", {"mov_b16": np.positive, "not_b16": np.invert})
_add("i32", "u32", {"clz_i32_u32": leading_zeros, "ctz_i32_b32": trailing_zeros})
_add("i32", "i32", {"cls_i32": leading_signs})
_add(
    "u32",
    "u32 u32",
    {
        "add_nc_u32": np.add,
        "sub_nc_u32": np.subtract,
        "subrev_nc_u32": lambda a, b: b - a,
        "mul_lo_u32": np.multiply,
        "mul_hi_u32": high_product,
        "mul_u32_u24": lambda a, b: unsigned_24(a) * unsigned_24(b),
        "mul_hi_u32_u24": lambda a, b: high_product(unsigned_24(a), unsigned_24(b)),
        "lshlrev_b32": lambda a, b: b << (a & 31),
        "lshrrev_b32": lambda a, b: b >> (a & 31),
        "and_b32": np.bitwise_and,
        "or_b32": np.bitwise_or,
        "xor_b32": np.bitwise_xor,
        "xnor_b32": lambda a, b: ~(a ^ b),
        "bfm_b32": lambda a, b: ones(a) << (b & 31),
        "bcnt_u32_b32": lambda a, b: population(a) + b,
    },
)
_add(
    "i32",
    "i32 i32",
    {
        "add_nc_i32": np.add,
        "sub_nc_i32": np.subtract,
        "mul_hi_i32": signed_high_product,
        "mul_i32_i24": lambda a, b: signed_24(a) * signed_24(b),
        "mul_hi_i32_i24": lambda a, b: signed_high_product(signed_24(a), signed_24(b)),
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
        "bfe_u32": lambda a, b, c: a >> (b & 31) & ones(c),
        "bfi_b32": lambda a, b, c: (a & b) | (~a & c),
        "alignbit_b32": lambda a, b, c: low_word(
            (widened(a) << np.uint64(32) | widened(b)) >> widened(c & 31)
        ),
        "alignbyte_b32": lambda a, b, c: low_word(
            (widened(a) << np.uint64(32) | widened(b)) >> widened((c & 3) * 8)
        ),
        "perm_b32": permuted_bytes,
        "mad_u32_u24": lambda a, b, c: unsigned_24(a) * unsigned_24(b) + c,
    },
)
_add("i32", "i32 i32 i32", {"mad_i32_i24": lambda a, b, c: signed_24(a) * signed_24(b) + c})
_add("i32", "i32 u32 u32", {"bfe_i32": signed_field})
_add("u32", "u16 u16 u32", {"mad_u32_u16": lambda a, b, c: a * b.astype(c.dtype) + c})
_add("i32", "i16 i16 i32", {"mad_i32_i16": lambda a, b, c: a * b.astype(c.dtype) + c})
_add("u64", "u32 u64", {"lshlrev_b64": lambda a, b: b << widened(a & 63)})
_add("u64", "u32 u64", {"lshrrev_b64": lambda a, b: b >> widened(a & 63)})
_add("i64", "u32 i64", {"ashrrev_i64": lambda a, b: b >> (a & 63).astype(np.int64)})
_add("f64", "f64 f64 f64", {"fma_f64": fma64})
_add("f64", "f64 u32", {"trig_preop_f64": trig_preop})

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
    _add("f32", "u32", {f"cvt_f32_ubyte{_byte}": byte_as_float(8 * _byte)})
_I32, _U32 = to_integer(-(2**31), 2**31 - 1, np.int32), to_integer(0, 2**32 - 1, np.uint32)
_add("i32", "f32", {"cvt_i32_f32": _I32, "cvt_floor_i32_f32": lambda a: _I32(np.floor(a))})
_add("i32", "f32", {"cvt_nearest_i32_f32": lambda a: _I32(np.floor(np.asarray(a, F64) + 0.5))})
_add("u32", "f32", {"cvt_u32_f32": _U32})
_add("i32", "f64", {"cvt_i32_f64": _I32})
_add("u32", "f64", {"cvt_u32_f64": _U32})
_add("u16", "f16", {"cvt_u16_f16": to_integer(0, 2**16 - 1, np.uint16)})
_add("i16", "f16", {"cvt_i16_f16": to_integer(-(2**15), 2**15 - 1, np.int16)})
_add("i32", "i16", {"cvt_i32_i16": lambda a: np.asarray(a, np.int32)})
_add("u32", "u16", {"cvt_u32_u16": lambda a: np.asarray(a, np.uint32)})
_add("u32", "f16 f16", {"pack_b32_f16": f16_pair})
_add(
    "u32",
    "f32 f32",
    {"cvt_pk_f16_f32": f16_pair, "cvt_pk_bf16_f32": bf16_pair},
)
_add(
    "u32",
    "f32 f32",
    {"cvt_pk_rtz_f16_f32": lambda a, b: f16_pair(truncated_f16(a), truncated_f16(b))},
)
# Those that a clamp keeps within their range: what they compute does so for wider numbers too.
_SATURATED = (
    *(f"{_op}_nc_{_kind}" for _op in ("add", "sub") for _kind in ("u32", "i32", "u16", "i16")),
    *("subrev_nc_u32", "subrev_nc_u16", "mad_u16", "mad_i16", "mad_u32_u16", "mad_i32_i16"),
    *("mad_u32_u24", "mad_i32_i24"),
)
for _name in _SATURATED:
    _formula = VECTOR_FORMULAS[f"v_{_name}"]
    VECTOR_FORMULAS[f"v_{_name}"] = _formula._replace(exact=_formula.compute)
say_unknown(VECTOR_FORMULAS)
for _name in ("mov_b64", "lshl_add_u64", "lshlrev_b64"):
    VECTOR_FORMULAS[f"v_{_name}"] = VECTOR_FORMULAS[f"v_{_name}"]._replace(is_upward=True)
