"""Which bits of a result nobody knows, where bits of the sources were never written.

Each is a function of the sources, and then of the bits of each that nobody knows. What is not here
depends on all of them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.arithmetic import ones, permuted_bytes
from irattn.lab.emulator.isa.formulas import Formula

Unknown = Callable[..., Any]

ALL_BITS = np.uint32(0xFFFFFFFF)
_LOW, _HIGH = np.uint32(0xFFFF), np.uint32(0xFFFF0000)


def whole(condition: Any) -> np.ndarray:
    """All bits where something holds, and none elsewhere: uint32."""
    return np.where(condition, ALL_BITS, np.uint32(0))


def _and(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
    """Bits of a & b that nobody knows: a 0 on one side decides."""
    return (of_a | of_b) & (a | of_a) & (b | of_b)


def _or(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
    """Bits of a | b that nobody knows: a 1 on one side decides."""
    return _and(~a, ~b, of_a, of_b)


def _one(a: Any, of_a: Any) -> Any:
    return of_a


def _either(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
    return of_a | of_b


def _where_known(choice: Any, bits: Any) -> Any:
    """All bits where nobody knows what chooses them."""
    return np.where(choice != 0, ALL_BITS, bits)


def _left(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
    """Unknown bits of `a` shifted to the left."""
    return _where_known(of_b & 31, of_a << (b & 31))


def _right(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
    return _where_known(of_b & 31, of_a >> (b & 31))


def _halves(a: Any, b: Any, of_a: Any, of_b: Any) -> Any:
    """Unknown bits of a word whose halves are two numbers."""
    return np.where(of_a != 0, _LOW, 0) | np.where(of_b != 0, _HIGH, 0)


def _chosen(a: Any, b: Any, c: Any, of_a: Any, of_b: Any, of_c: Any) -> Any:
    """V_BFI_B32: bits of `a` choose between the others."""
    return _or(a & b, ~a & c, _and(a, b, of_a, of_b), _and(~a, c, of_a, of_c))


def _aligned(unit: int) -> Unknown:
    """Unknown bits of two words shifted right by units of bits; the second word is the low one."""

    def unknown(a: Any, b: Any, c: Any, of_a: Any, of_b: Any, of_c: Any) -> Any:
        both = np.asarray(of_a, np.uint64) << np.uint64(32) | np.asarray(of_b, np.uint64)
        shift = np.asarray(c, np.uint64) * np.uint64(unit) & np.uint64(31)
        return _where_known(of_c, (both >> shift).astype(np.uint32))

    return unknown


def _permuted(a: Any, b: Any, c: Any, of_a: Any, of_b: Any, of_c: Any) -> Any:
    """Bytes of both; those that the selector says itself are known."""
    zero = np.zeros_like(of_a)
    return _where_known(of_c, permuted_bytes(of_a, of_b, c) & ~permuted_bytes(zero, zero, c))


# Of two masks or numbers, by the scalar unit's names.
BITWISE: dict[str, Unknown] = {
    **dict.fromkeys(("and", "nand"), _and),
    **dict.fromkeys(("or", "nor"), _or),
    **dict.fromkeys(("xor", "xnor"), _either),
    "and_not1": lambda a, b, *of: _and(a, ~b, *of),
    "or_not1": lambda a, b, *of: _or(a, ~b, *of),
    "and_not0": lambda a, b, *of: _and(~a, b, *of),
    "or_not0": lambda a, b, *of: _or(~a, b, *of),
}
MOVE = _one
VECTOR: dict[str, Unknown] = {
    **{f"v_{name}_b{bits}": MOVE for name in ("mov", "not") for bits in (16, 32)},
    **{
        f"v_{name}_b{bits}": BITWISE[name]
        for name, bits in (("and", 16), ("or", 16), ("xor", 16), ("and", 32), ("or", 32))
    },
    **{f"v_{name}_b32": BITWISE[name] for name in ("xor", "xnor")},
    "v_lshlrev_b32": lambda a, b, of_a, of_b: _left(b, a, of_b, of_a),
    "v_lshrrev_b32": lambda a, b, of_a, of_b: _right(b, a, of_b, of_a),
    "v_lshl_or_b32": lambda a, b, c, of_a, of_b, of_c: _or(
        a << (b & 31), c, _left(a, b, of_a, of_b), of_c
    ),
    "v_and_or_b32": lambda a, b, c, of_a, of_b, of_c: _or(a & b, c, _and(a, b, of_a, of_b), of_c),
    "v_or3_b32": lambda a, b, c, of_a, of_b, of_c: _or(a | b, c, _or(a, b, of_a, of_b), of_c),
    "v_bfi_b32": _chosen,
    "v_bfe_u32": lambda a, b, c, of_a, of_b, of_c: _where_known(
        of_b | of_c, of_a >> (b & 31) & ones(c)
    ),
    "v_alignbit_b32": _aligned(1),
    "v_alignbyte_b32": _aligned(8),
    "v_perm_b32": _permuted,
    "v_pack_b32_f16": _halves,
    **{
        f"v_cvt_pk_{kinds}": _halves
        for kinds in (
            *("f16_f32", "bf16_f32", "rtz_f16_f32", "u16_u32", "i16_i32", "u16_f32", "i16_f32"),
            *(f"norm_{kind}_{of}" for kind in ("i16", "u16") for of in ("f16", "f32")),
        )
    },
}


def say_unknown(formulas: dict[str, Formula]) -> None:
    """Give those formulas of vector instructions theirs that have one."""
    for name in VECTOR.keys() & formulas.keys():
        formulas[name] = formulas[name]._replace(unknown=VECTOR[name])
