"""Packed instructions (VOP3P): two 16-bit halves at once, or sources of mixed width."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa import fused
from irattn.lab.emulator.isa.byte_formulas import dot
from irattn.lab.emulator.isa.fields import LITERAL, VGPR
from irattn.lab.emulator.isa.floats import flushed
from irattn.lab.emulator.isa.formulas import Formula
from irattn.lab.emulator.isa.kinds import BF16, F16, F32, I32, U16, U32, Kind
from irattn.lab.emulator.isa.packed_formulas import PACKED_FORMULAS
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Destination, Effect, Source, Touches, computed, effect
from irattn.lab.emulator.ops.flows import by_lanes
from irattn.lab.emulator.ops.operands import VIEWS, Factory, Operands
from irattn.lab.emulator.ops.outputs import clamp_of, finish, saturated
from irattn.lab.emulator.ops.packed_f32 import PACKED_F32


def _halves(ops: Operands, position: int, kind: Kind, low: int, high: int) -> Source:
    """The halves of a source that go into the low and the high half of the result."""
    negative = [ops.field(name) >> position & 1 for name in ("neg", "neg_hi")]
    if negative[0] and not ops.has("neg_hi"):
        raise UnknownInstructionError("a sign modifier on a pair")
    if any(negative) and not kind.is_float:
        raise UnknownInstructionError("a sign modifier on a source that is no float")
    parts = _both(ops, position, kind, low, high)

    def get(st: Waves) -> tuple[Any, Any]:
        values = [part.get(st) for part in parts]
        return tuple(-v if sign else v for v, sign in zip(values, negative, strict=True))

    return replace(parts[0], get=get, unwritten=None)


def _both(ops: Operands, position: int, kind: Kind, low: int, high: int) -> list[Source]:
    """The halves of a packed source, each by itself and without its sign."""
    code = ops.field(f"src{position}") if ops.has(f"src{position}") else ops.field("vsrc1") + VGPR
    return [_half_of(ops, code, kind, half) for half in (low, high)]


def _half_of(ops: Operands, code: int, kind: Kind, half: int) -> Source:
    if code == LITERAL:
        bits = np.uint16(ops.field("literal") >> 16 * half & 0xFFFF)
        return _constant(bits, kind)
    if 240 <= code <= 248 and not kind.is_float:
        # As wide as a register, or as one of its halves: the guides leave it open.
        raise UnknownInstructionError("a float constant of a packed integer instruction")
    if 128 <= code < VGPR and half:
        # The high half of an inline constant: 0 for a float, the sign for an integer.
        bits32 = int(np.array(ops.constant(code, I32)).view(np.uint32)) >> 16
        if 240 <= code <= 248:
            bits32 = 0
        return _constant(np.uint16(bits32 & 0xFFFF), kind)
    return ops.value(code, kind, half)


def _constant(bits: np.uint16, kind: Kind) -> Source:
    constant = np.array([[bits]]).view(kind.numpy)
    return Source(get=lambda st: constant)


def _by_formula(ops: Operands, *, formula: Formula) -> Effect:
    kind, compute = formula.result, _clamped(ops, formula)
    sources = [_halves(ops, i, kind, *_selection(ops, i)) for i, kind in enumerate(formula.sources)]
    register, view = ops.field("vdst"), VIEWS[kind]

    def act(st: Waves) -> None:
        low, high = zip(*(source.get(st) for source in sources), strict=True)
        values = compute(*low), compute(*high)
        target = getattr(st, view)[register]
        for half, value in enumerate(values):
            np.copyto(target[..., half], value, where=st.active)

    written = frozenset((register,))
    both = [_both(ops, i, kind, *_selection(ops, i)) for i in range(len(sources))]
    parts = zip(*both, strict=True)
    flows = [(_half_target(written, half), part) for half, part in enumerate(parts)]
    return by_lanes(effect(act, *sources, Touches(writes=written)), *flows)


def _half_target(written: frozenset[int], half: int) -> Destination:
    """Half of a register, for what flows there."""
    return Destination(put=lambda st, value: None, writes=written, shift=16 * half, width=16)


def _clamped(ops: Operands, formula: Formula) -> Callable[..., Any]:
    """The result of each half, kept between 0 and 1, or within the range of its kind."""
    compute = formula.in_mode(ieee=ops.ieee)
    if formula.exact is not None and ops.field("clmp"):
        return saturated(formula.exact, formula.result)
    finished = finish(ops, formula.result)
    return compute if finished is None else lambda *given: finished(compute(*given))


def _integer_dot(ops: Operands, *, bits: int, kind: Kind, chooses: bool = False) -> Effect:
    """V_DOT of halves, bytes or nibbles; some `choose` by fields which sources have signs."""
    signs = ops.field("neg")
    if ops.field("opsel") or ops.field("neg_hi") or signs & ~(3 * chooses):
        raise UnknownInstructionError("modifiers of a dot product")
    of_a, of_b = (bool(signs >> i & 1) if chooses else kind is I32 for i in range(2))
    exact = dot(bits, (of_a, of_b))
    sources = [ops.value(ops.field(f"src{i}"), one) for i, one in enumerate((U32, U32, kind))]
    if ops.field("clmp"):
        return computed(saturated(exact, kind), sources, ops.target(kind))
    dtype = kind.numpy
    return computed(lambda *given: exact(*given).astype(dtype), sources, ops.target(kind))


def _selection(ops: Operands, position: int) -> tuple[int, int]:
    high = ops.field("opsel_hi") | ops.field("opsel_hi2") << 2
    return ops.field("opsel") >> position & 1, high >> position & 1


def _dot2_packed(ops: Operands, *, is_bf16: bool) -> Effect:
    kind = U16 if is_bf16 else F16
    a, b = (_halves(ops, i, kind, *_selection(ops, i)) for i in range(2))
    c, target = ops.value(ops.field("src2"), F32), ops.target(F32)
    if ops.field("neg") >> 2 or ops.field("clmp"):
        raise UnknownInstructionError("modifiers of a dot product")
    # CDNA adds the third source to the sum of the products.
    dot = _dot_of_pairs(ops, is_bf16=is_bf16, last=is_bf16 and ops.family.has_accumulators)
    return computed(dot, [a, b, c], target)


def _dot_of_pairs(ops: Operands, *, is_bf16: bool, last: bool = False) -> Callable[..., Any]:
    """The dot product of pairs of halves, those of bf16 as bits, with a number added."""
    dot = dot_of(ops, BF16 if is_bf16 else F16, last=last)

    def widened(part: Any) -> Any:
        if is_bf16:
            return (np.asarray(part, np.uint32) << np.uint32(16)).view(np.float32)
        return np.asarray(part, np.float32)

    def of_pairs(x: Any, y: Any, z: Any) -> Any:
        return dot([widened(part) for part in x], [widened(part) for part in y], z)

    return of_pairs


def _mixed(ops: Operands, *, half: int | None) -> Effect:
    """V_FMA_MIX*: each source is f32 or one half of a register; the result f32 or a `half`."""
    a, b, c = (_mixed_source(ops, i) for i in range(3))
    clamp = clamp_of(ops)
    register = ops.field("vdst")
    whole = ops.vector_target(register, F32)

    def act(st: Waves) -> None:
        value = fused.fma(a.get(st), b.get(st), c.get(st))
        if clamp:
            value = clamp(value, np.float32(0), np.float32(1)) + np.float32(0)
        if half is None:
            whole.put(st, value)
        else:
            # Rounded to f32 first, as the guide writes it.
            np.copyto(st.h[register, ..., half], value.astype(np.float16), where=st.active)

    made = effect(act, a, b, c, whole)
    into = whole if half is None else _half_target(whole.writes, half)
    return by_lanes(made, (into, [a, b, c]))


def _mixed_source(ops: Operands, position: int) -> Source:
    half, is_half = _selection(ops, position)
    code = ops.field(f"src{position}")
    source = _half_of(ops, code, F16, half) if is_half else ops.value(code, F32)
    negative = ops.field("neg") >> position & 1
    # The field of the high half's sign says absolute value here.
    absolute = ops.field("neg_hi") >> position & 1
    get = source.get

    def value(st: Waves) -> Any:
        number = np.asarray(get(st), np.float32)
        number = np.abs(number) if absolute else number
        return -number if negative else number

    return replace(source, get=value)


def dot2(ops: Operands, *, is_bf16: bool) -> Effect:
    """V_DOT2ACC_F32_*: two products of halves are added to the destination."""
    if any(ops.field(name) for name in ("neg", "abs", "opsel")):
        raise UnknownInstructionError("modifiers of a dot product")
    pairs = [_halves(ops, i, U16 if is_bf16 else F16, 0, 1) for i in range(2)]
    before, target = ops.vector(ops.field("vdst"), F32), ops.target(F32)
    return computed(_dot_of_pairs(ops, is_bf16=is_bf16), [*pairs, before], target)


def dot_of(ops: Operands, kind: Kind, *, last: bool = False) -> Callable[..., Any]:
    """The dot product of a chip: see `flushes_products` of its family."""
    if not ops.family.flushes_products:
        return lambda a, b, c: _dot(a, b, c, last=last)

    def dot(a: Sequence[Any], b: Sequence[Any], c: Any) -> Any:
        a, b = ([flushed(np.asarray(x, np.float32), kind) for x in pair] for pair in (a, b))
        return flushed(_dot(a, b, flushed(c), last=last))

    return dot


def _dot(a: Sequence[Any], b: Sequence[Any], c: Any, *, last: bool = False) -> Any:
    """The sum of products in f32, where those of halves are exact unless too large or too small."""
    products = [
        np.asarray(x, np.float32) * np.asarray(y, np.float32) for x, y in zip(a, b, strict=True)
    ]
    return products[0] + products[1] + c if last else c + products[0] + products[1]


PACKED: dict[str, Factory] = {
    **{name: partial(_by_formula, formula=formula) for name, formula in PACKED_FORMULAS.items()},
    **PACKED_F32,
    "v_fma_mix_f32": partial(_mixed, half=None),
    "v_fma_mixlo_f16": partial(_mixed, half=0),
    "v_fma_mixhi_f16": partial(_mixed, half=1),
    **{
        f"v_dot{32 // bits}_{to}32_{to}{bits}": partial(_integer_dot, bits=bits, kind=kind)
        for bits in (16, 8, 4)
        for to, kind in (("i", I32), ("u", U32))
    },
    "v_dot4_i32_iu8": partial(_integer_dot, bits=8, kind=I32, chooses=True),
    "v_dot8_i32_iu4": partial(_integer_dot, bits=4, kind=I32, chooses=True),
    "v_dot2_f32_f16": partial(_dot2_packed, is_bf16=False),
    "v_dot2_f32_bf16": partial(_dot2_packed, is_bf16=True),
}
