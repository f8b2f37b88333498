"""Vector instructions: arithmetic on lanes, comparisons, carries, packed and paired forms."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator import arithmetic
from irattn.emulator.arithmetic import COMPARISONS, RULES, Rule
from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.lanes import CROSS_LANE, dpp
from irattn.emulator.operands import KINDS, VGPR, Getter, Operands, Setter, is_float
from irattn.emulator.wave import EXEC, VCC, Waves

Step = Callable[[Waves], None]

_OMOD = {1: 2.0, 2: 4.0, 3: 0.5}


def vector(ops: Operands) -> Step:
    """What a vector instruction does."""
    step = _plain(ops)
    return dpp(ops, step) if ops.is_dpp else step


def _plain(ops: Operands) -> Step:
    name = ops.name
    if ops.encoding.startswith("VOPD"):
        return _dual(ops)
    if ops.encoding.startswith("VOP3P"):
        return _packed(ops)
    if name.startswith("v_cmp"):
        return _comparison(ops)
    for table in (_SPECIAL, CROSS_LANE):
        if name in table:
            return table[name](ops)
    if name in RULES:
        return _by_rule(ops, RULES[name])
    raise UnknownInstructionError("unknown")


def _by_rule(ops: Operands, rule: Rule) -> Step:
    get = [_source(ops, i, kind) for i, kind in enumerate(rule.sources)]
    compute, finish = rule.compute, _finish(ops, rule.result)
    is_plain = finish is None and not ops.is_sdwa
    if isinstance(compute, np.ufunc) and is_plain and rule.result in ("u32", "i32", "f32"):
        return _direct(ops, compute, get, rule.result)
    put = ops.target(rule.result)
    if finish is not None:
        inner, dtype = compute, KINDS[rule.result]
        compute = lambda *given: finish(inner(*given)).astype(dtype)  # noqa: E731
    return _stepped(compute, get, put)


def _stepped(compute: Callable[..., Any], get: list[Getter], put: Setter) -> Step:
    if len(get) == 1:
        a = get[0]
        return lambda st: put(st, compute(a(st)))
    if len(get) == 2:
        a, b = get
        return lambda st: put(st, compute(a(st), b(st)))
    a, b, c = get
    return lambda st: put(st, compute(a(st), b(st), c(st)))


def _direct(ops: Operands, compute: Any, get: list[Getter], kind: str) -> Step:
    """One call of NumPy that computes right into the register."""
    register = ops.field("vdst")
    ops.writes.add(register)
    view = {"u32": "v", "i32": "i", "f32": "f"}[kind]
    if len(get) == 1:
        a = get[0]

        def one(st: Waves) -> None:
            compute(a(st), out=getattr(st, view)[register], where=st.active)

        return one
    a, b = get

    def two(st: Waves) -> None:
        compute(a(st), b(st), out=getattr(st, view)[register], where=st.active)

    return two


def _source(ops: Operands, position: int, kind: str) -> Getter:
    if kind.islower():
        return ops.source(position, kind)
    # The destination is a source too, with the modifiers of the third.
    kind = kind.lower()
    register, half = ops.field("vdst"), 0
    if kind.endswith("16"):
        if ops.has("opsel"):
            half = ops.field("opsel") >> 3 & 1
        else:
            register, half = ops.half_of(register)
    return ops.vector(register, kind, half)


def _finish(ops: Operands, kind: str) -> Callable[[Any], Any] | None:
    """Output modifiers: a factor, then a clamp to 0 and 1."""
    factor, clamp = _OMOD.get(ops.field("omod")), ops.field("clmp")
    if not (factor or clamp):
        return None
    if not is_float(kind):
        raise UnknownInstructionError("an output modifier on integers")

    def finish(value: Any) -> Any:
        if factor:
            value = value * KINDS[kind](factor)
        # NaN becomes 0.
        return np.fmin(np.fmax(value, KINDS[kind](0)), KINDS[kind](1)) if clamp else value

    return finish


def _comparison(ops: Operands) -> Step:
    what = ops.name.removeprefix("v_cmp")
    is_exec = what.startswith("x_")
    rule = COMPARISONS.get(what.removeprefix("x_" if is_exec else "_"))
    if rule is None:
        raise UnknownInstructionError("unknown")
    a, b = (ops.source(i, kind) for i, kind in enumerate(rule.sources))
    compute = rule.compute
    if ops.field("clmp"):
        raise UnknownInstructionError("a comparison with a clamp")
    put = ops.mask_target(EXEC if is_exec else _mask_register(ops))
    if not (is_exec and ops.family.writes_both_masks):
        return lambda st: put(st, compute(a(st), b(st)))
    put_too = ops.mask_target(_mask_register(ops))

    def step(st: Waves) -> None:
        mask = compute(a(st), b(st))
        put_too(st, mask)
        put(st, mask)

    return step


def _mask_register(ops: Operands) -> int:
    """Where a comparison puts its mask."""
    if ops.is_sdwa:
        return ops.field("sdst") if ops.field("sd") else VCC
    return ops.field("vdst") if ops.has("vdst") else VCC


# Instructions whose operands do not follow the common form.


def _select(ops: Operands) -> Step:
    kind = "u16" if ops.name.endswith("b16") else "u32"
    kind = kind if not (ops.field("neg") or ops.field("abs")) else kind.replace("u", "f")
    no, yes = ops.source(0, kind), ops.source(1, kind)
    chosen, put = ops.carry_in(), ops.target(kind)
    return lambda st: put(st, np.where(chosen(st), yes(st), no(st)))


def _literal_fma(ops: Operands) -> Step:
    """FMAMK multiplies by the literal, FMAAK adds it."""
    kind = ops.name[-3:]
    is_fused = ops.name.startswith("v_fma")
    a, c = ops.source(0, kind), ops.source(1, kind)
    literal, put = np.array([[ops.literal(kind)]]), ops.target(kind)
    fma = (arithmetic.fma if is_fused else arithmetic.mad) if kind == "f32" else arithmetic.fma16
    if ops.name.startswith(("v_fmamk", "v_madmk")):
        return lambda st: put(st, fma(a(st), literal, c(st)))
    return lambda st: put(st, fma(a(st), c(st), literal))


def _mad_64(ops: Operands) -> Step:
    signed = ops.name.endswith("i32")
    wide, narrow = ("i64", "i32") if signed else ("u64", "u32")
    a, b, c = ops.source(0, narrow), ops.source(1, narrow), ops.source(2, wide)
    put, carry = ops.target(wide), ops.mask_target(ops.field("sdst"))
    dtype = KINDS[wide]

    def step(st: Waves) -> None:
        addend = c(st)
        total = np.asarray(a(st), dtype) * np.asarray(b(st), dtype) + addend
        carry(st, total < addend)
        put(st, total)

    if signed and ops.field("sdst") != 124:
        raise UnknownInstructionError("a signed sum with its carry")
    return step


def _with_carry(ops: Operands) -> Step:
    """Additions and subtractions that give a carry, and some that take one."""
    words = ops.name.split("_")
    a, b = ops.source(0, "u32"), ops.source(1, "u32")
    if words[1] == "subrev":
        a, b = b, a
    carry = ops.carry_in() if "ci" in words else None
    put = ops.target("u32")
    out = ops.mask_target(ops.field("sdst") if ops.has("sdst") else VCC)
    sign = 1 if words[1] == "add" else -1

    def step(st: Waves) -> None:
        total = np.asarray(a(st), np.int64) + sign * np.asarray(b(st), np.int64)
        if carry is not None:
            total = total + sign * carry(st)
        out(st, (total < 0) | (total > 0xFFFFFFFF))
        put(st, (total & 0xFFFFFFFF).astype(np.uint32))

    return step


def _div_scale(ops: Operands) -> Step:
    get = [ops.source(i, "f32") for i in range(3)]
    put, scaled = ops.target("f32"), ops.mask_target(ops.field("sdst"))

    def step(st: Waves) -> None:
        value, mask = arithmetic.div_scale(*(source(st) for source in get))
        scaled(st, mask)
        put(st, value)

    return step


def _div_fmas(ops: Operands) -> Step:
    a, b, c = (ops.source(i, "f32") for i in range(3))
    scaled, put = ops.mask_source(VCC), ops.target("f32")
    return lambda st: put(st, arithmetic.div_fmas(a(st), b(st), c(st), scaled(st)))


def _nothing(ops: Operands) -> Step:
    return lambda st: None


def _swap(ops: Operands) -> Step:
    a, b = ops.source(0, "u32"), ops.vector(ops.field("vdst"), "u32")
    put = ops.target("u32")
    back = ops.vector_target(ops.field("src0") - VGPR, "u32")

    def step(st: Waves) -> None:
        first, second = a(st).copy(), b(st).copy()
        put(st, first)
        back(st, second)

    return step


def _dot2(ops: Operands) -> Step:
    """V_DOT2ACC_F32_F16: two products of halves are added to the destination."""
    pairs = [_halves(ops, i, "f16", 0, 1) for i in range(2)]
    register = ops.field("vdst")
    c, put = ops.vector(register, "f32"), ops.target("f32")
    return lambda st: put(st, _dot(*(pair(st) for pair in pairs), c(st)))


def _dot(a: tuple[Any, Any], b: tuple[Any, Any], c: Any) -> Any:
    total = c
    for x, y in zip(a, b, strict=True):
        total = arithmetic.fma(np.asarray(x, np.float32), np.asarray(y, np.float32), total)
    return total


_SPECIAL: dict[str, Callable[[Operands], Step]] = {
    "v_nop": _nothing,
    "v_cndmask_b32": _select,
    "v_cndmask_b16": _select,
    "v_fmamk_f32": _literal_fma,
    "v_fmaak_f32": _literal_fma,
    "v_madmk_f32": _literal_fma,
    "v_madak_f32": _literal_fma,
    "v_fmamk_f16": _literal_fma,
    "v_fmaak_f16": _literal_fma,
    "v_mad_u64_u32": _mad_64,
    "v_mad_i64_i32": _mad_64,
    "v_div_scale_f32": _div_scale,
    "v_div_fmas_f32": _div_fmas,
    "v_swap_b32": _swap,
    "v_accvgpr_mov_b32": lambda ops: _move_accumulator(ops),
    "v_dot2acc_f32_f16": _dot2,
}
for _name in ("add_co", "sub_co", "subrev_co", "add_co_ci", "sub_co_ci", "subrev_co_ci"):
    _SPECIAL[f"v_{_name}_u32"] = _with_carry


# Paired instructions (VOPD): both read before one writes.

_DUAL: dict[str, Callable[..., Any]] = {
    "mul_f32": np.multiply,
    "add_f32": np.add,
    "sub_f32": np.subtract,
    "subrev_f32": lambda a, b: b - a,
    "max_f32": np.fmax,
    "min_f32": np.fmin,
    "add_nc_u32": np.add,
    "and_b32": np.bitwise_and,
    "lshlrev_b32": lambda a, b: b << (a & 31),
}


def _dual(ops: Operands) -> Step:
    first, second = ops.instruction.name.removeprefix("v_dual_").split("_v_dual_")
    x = ops.field("vdstx")
    # Its lowest bit is the other one than in X.
    y = ops.field("vdsty") << 1 | (x & 1 ^ 1)
    compute_x, kind_x = _half(ops, first, "x", x)
    compute_y, kind_y = _half(ops, second, "y", y)
    put_x, put_y = ops.vector_target(x, kind_x), ops.vector_target(y, kind_y)

    def step(st: Waves) -> None:
        value_x, value_y = compute_x(st), compute_y(st)
        put_x(st, value_x)
        put_y(st, value_y)

    return step


def _half(ops: Operands, name: str, part: str, target: int) -> tuple[Getter, str]:
    kind = "u32" if name.endswith(("u32", "b32")) else "f32"
    a = ops.value(ops.field(f"src{part}0"), kind)
    if name == "mov_b32":
        # The other half may overwrite the register before this one is written.
        return lambda st: a(st).copy(), kind
    b = ops.vector(ops.field(f"vsrc{part}1"), kind)
    if name == "cndmask_b32":
        chosen = ops.mask_source(VCC)
        return lambda st: np.where(chosen(st), b(st), a(st)), kind
    if name in ("fmac_f32", "fmaak_f32", "fmamk_f32"):
        literal = np.array([[ops.literal(kind)]])
        if name == "fmac_f32":
            c = ops.vector(target, kind)
            return lambda st: arithmetic.fma(a(st), b(st), c(st)), kind
        if name == "fmaak_f32":
            return lambda st: arithmetic.fma(a(st), b(st), literal), kind
        return lambda st: arithmetic.fma(a(st), literal, b(st)), kind
    if name == "dot2acc_f32_f16":
        raise UnknownInstructionError("unknown")
    if name not in _DUAL:
        raise UnknownInstructionError("unknown")
    compute = _DUAL[name]
    return lambda st: compute(a(st), b(st)), kind


# Packed instructions (VOP3P): two 16-bit halves, or sources of mixed width.


def _halves(ops: Operands, position: int, kind: str, low: int, high: int) -> Getter:
    """The halves of a source that go into the low and the high half of the result."""
    code = ops.field(f"src{position}") if ops.has(f"src{position}") else ops.field("vsrc1") + VGPR
    negative = [ops.field(name) >> position & 1 for name in ("neg", "neg_hi")]
    if not ops.has("neg_hi"):
        negative = [0, 0]
    if any(negative) and not is_float(kind):
        raise UnknownInstructionError("a sign modifier on a source that is no float")
    parts = [_half_of(ops, code, kind, half) for half in (low, high)]

    def get(st: Waves) -> tuple[Any, Any]:
        values = [part(st) for part in parts]
        return tuple(-v if sign else v for v, sign in zip(values, negative, strict=True))  # type: ignore[return-value]

    return get


def _half_of(ops: Operands, code: int, kind: str, half: int) -> Getter:
    if code == 255:
        bits = np.uint16(ops.field("literal") >> 16 * half & 0xFFFF)
        constant = np.array([[bits]]).view(KINDS[kind])
        return lambda st: constant
    if 128 <= code < VGPR and half:
        # The high half of an inline constant: 0 for a float, the sign for an integer.
        bits32 = int(np.array(ops.constant(code, "i32")).view(np.uint32)) >> 16
        if 240 <= code <= 248:
            bits32 = 0
        constant = np.array([[np.uint16(bits32 & 0xFFFF)]]).view(KINDS[kind])
        return lambda st: constant
    return ops.value(code, kind, half)


_PACKED: dict[str, tuple[str, Callable[..., Any]]] = {
    "v_pk_add_f16": ("f16", np.add),
    "v_pk_mul_f16": ("f16", np.multiply),
    "v_pk_min_f16": ("f16", np.fmin),
    "v_pk_max_f16": ("f16", np.fmax),
    "v_pk_fma_f16": ("f16", arithmetic.fma16),
    "v_pk_mad_i16": ("i16", lambda a, b, c: a * b + c),
    "v_pk_mad_u16": ("u16", lambda a, b, c: a * b + c),
    "v_pk_mul_lo_u16": ("u16", np.multiply),
    "v_pk_lshlrev_b16": ("u16", lambda a, b: b << (a & 15)),
    "v_pk_lshrrev_b16": ("u16", lambda a, b: b >> (a & 15)),
    "v_pk_ashrrev_i16": ("i16", lambda a, b: b >> (a & 15)),
}
for _kind in ("i16", "u16"):
    for _word, _function in (
        ("add", np.add),
        ("sub", np.subtract),
        ("max", np.maximum),
        ("min", np.minimum),
    ):
        _PACKED[f"v_pk_{_word}_{_kind}"] = (_kind, _function)


def _packed(ops: Operands) -> Step:
    name = ops.name
    if name in _ACCUMULATORS:
        return _move_accumulator(ops)
    if name in _PACKED_F32:
        return _packed_f32(ops)
    if name == "v_pk_mov_b32":
        return _packed_move(ops)
    if name.startswith("v_fma_mix"):
        return _mixed(ops)
    if name in ("v_dot2_f32_f16", "v_dot2_f32_bf16"):
        return _dot2_packed(ops)
    if name not in _PACKED:
        raise UnknownInstructionError("unknown")
    kind, compute = _PACKED[name]
    if ops.field("clmp"):
        raise UnknownInstructionError("a packed instruction with a clamp")
    count = 3 if "fma_" in name or "mad_" in name else 2
    sources = [_halves(ops, i, kind, *_selection(ops, i)) for i in range(count)]
    register = ops.field("vdst")
    ops.writes.add(register)
    view = {"f16": "h", "u16": "u16", "i16": "i16"}[kind]

    def step(st: Waves) -> None:
        low, high = zip(*(source(st) for source in sources), strict=True)
        values = compute(*low), compute(*high)
        target = getattr(st, view)[register]
        for half, value in enumerate(values):
            np.copyto(target[..., half], value, where=st.active)

    return step


_PACKED_F32: dict[str, tuple[int, Callable[..., Any]]] = {
    "v_pk_add_f32": (2, np.add),
    "v_pk_mul_f32": (2, np.multiply),
    "v_pk_fma_f32": (3, arithmetic.fma),
}


def _packed_f32(ops: Operands) -> Step:
    """Two f32 operations on pairs of registers; each source chooses its register for each."""
    count, compute = _PACKED_F32[ops.name]
    if ops.field("clmp"):
        raise UnknownInstructionError("a packed instruction with a clamp")
    low = [_of_pair(ops, i, "f32", _selection(ops, i)[0], ops.field("neg")) for i in range(count)]
    high = [
        _of_pair(ops, i, "f32", _selection(ops, i)[1], ops.field("neg_hi")) for i in range(count)
    ]
    return _put_pair(ops, "f32", [low, high], compute)


def _packed_move(ops: Operands) -> Step:
    """V_PK_MOV_B32: one register of each source's pair."""
    sources = [[_of_pair(ops, i, "u32", ops.field("opsel") >> i & 1, 0)] for i in range(2)]
    return _put_pair(ops, "u32", sources, lambda a: a.copy())


def _of_pair(ops: Operands, position: int, kind: str, second: int, negative: int) -> Getter:
    code = ops.field(f"src{position}")
    if second and 128 <= code < VGPR:
        raise UnknownInstructionError("the high half of a constant")
    get = ops.value(code + second, kind)
    return (lambda st: -get(st)) if negative >> position & 1 else get


def _put_pair(
    ops: Operands, kind: str, sources: list[list[Getter]], compute: Callable[..., Any]
) -> Step:
    """Both results are there before one is written."""
    register = ops.field("vdst")
    targets = [ops.vector_target(register + i, kind) for i in range(2)]

    def step(st: Waves) -> None:
        values = [compute(*(get(st) for get in part)) for part in sources]
        for put, value in zip(targets, values, strict=True):
            put(st, value)

    return step


_ACCUMULATORS = ("v_accvgpr_read", "v_accvgpr_write", "v_accvgpr_mov_b32")


def _move_accumulator(ops: Operands) -> Step:
    """Moves between vector registers and accumulation registers."""
    code, target = ops.field("src0"), ops.field("vdst")
    if not ops.name.endswith("write"):
        code = VGPR + ops.accumulator(code - VGPR)
    if not ops.name.endswith("read"):
        target = ops.accumulator(target)
    get, put = ops.value(code, "u32"), ops.vector_target(target, "u32")
    return lambda st: put(st, get(st))


def _selection(ops: Operands, position: int) -> tuple[int, int]:
    high = ops.field("opsel_hi") | ops.field("opsel_hi2") << 2
    return ops.field("opsel") >> position & 1, high >> position & 1


def _dot2_packed(ops: Operands) -> Step:
    is_bf16 = ops.name.endswith("bf16")
    kind = "u16" if is_bf16 else "f16"
    a, b = (_halves(ops, i, kind, *_selection(ops, i)) for i in range(2))
    c, put = ops.value(ops.field("src2"), "f32"), ops.target("f32")
    if ops.field("neg") >> 2 or ops.field("clmp"):
        raise UnknownInstructionError("modifiers of a dot product")
    widen = (lambda x: (np.asarray(x, np.uint32) << np.uint32(16)).view(np.float32)) if is_bf16 else (
        lambda x: np.asarray(x, np.float32)
    )

    def step(st: Waves) -> None:
        x, y = ([widen(part) for part in pair(st)] for pair in (a, b))
        put(st, _dot(tuple(x), tuple(y), c(st)))

    return step


def _mixed(ops: Operands) -> Step:
    """V_FMA_MIX*: each source is f32 or one half of a register; the result f32 or one half."""
    sources = [_mixed_source(ops, i) for i in range(3)]
    a, b, c = sources
    clamp = ops.field("clmp")
    half = {"v_fma_mixlo_f16": 0, "v_fma_mixhi_f16": 1}.get(ops.name)
    register = ops.field("vdst")
    put32 = ops.vector_target(register, "f32")

    def step(st: Waves) -> None:
        value = np.multiply(a(st), b(st), dtype=np.float64) + c(st)
        if clamp:
            value = np.fmin(np.fmax(value, 0), 1)
        if half is None:
            put32(st, value.astype(np.float32))
        else:
            # Rounded to f32 first, as the guide writes it.
            value = value.astype(np.float32).astype(np.float16)
            np.copyto(st.h[register, ..., half], value, where=st.active)

    return step


def _mixed_source(ops: Operands, position: int) -> Getter:
    half, is_half = _selection(ops, position)
    code = ops.field(f"src{position}")
    get = _half_of(ops, code, "f16", half) if is_half else ops.value(code, "f32")
    negative = ops.field("neg") >> position & 1
    # The field of the high half's sign says absolute value here.
    absolute = ops.field("neg_hi") >> position & 1

    def value(st: Waves) -> Any:
        number = np.asarray(get(st), np.float32)
        number = np.abs(number) if absolute else number
        return -number if negative else number

    return value


def mnemonics() -> frozenset[str]:
    """Comparisons, packed and paired instructions, and those of their own form."""
    compared = {f"v_cmp{x}_{name}" for name in COMPARISONS for x in ("", "x")}
    dual = {f"v_dual_{name}" for name in (*_DUAL, "mov_b32", "cndmask_b32", "fmac_f32")}
    dual |= {"v_dual_fmaak_f32", "v_dual_fmamk_f32"}
    mixed = {"v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16"}
    dots = {"v_dot2_f32_f16", "v_dot2_f32_bf16"}
    return frozenset({*compared, *dual, *mixed, *dots, *_PACKED, *_PACKED_F32, *_ACCUMULATORS, *_SPECIAL, "v_pk_mov_b32"})
