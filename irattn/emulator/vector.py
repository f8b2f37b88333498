"""Vector instructions: arithmetic on lanes, comparisons, carries, packed and paired forms."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator import arithmetic
from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.fields import KINDS, VGPR, is_float
from irattn.emulator.lanes import CROSS_LANE, Step, dpp
from irattn.emulator.operands import Getter, Operands, Setter
from irattn.emulator.packed import dot2, packed
from irattn.emulator.packed_f32 import move_accumulator
from irattn.emulator.paired import dual
from irattn.emulator.rules import COMPARISONS, RULES, Rule
from irattn.emulator.wave import EXEC, VCC, Waves

_OMOD = {1: 2.0, 2: 4.0, 3: 0.5}


def vector(ops: Operands) -> Step:
    """What a vector instruction does."""
    step = _plain(ops)
    if ops.name != "v_bitop3_b32" and ops.field("omod"):
        step = _only_flushed(step)
    return dpp(ops, step) if ops.is_dpp else step


def _only_flushed(step: Step) -> Step:
    """Output modifiers other than clamps are not compatible with denormal results."""

    def run(st: Waves) -> None:
        if st.denormals:
            raise UnknownInstructionError("a factor where denormal numbers count")
        step(st)

    return run


def _plain(ops: Operands) -> Step:
    name = ops.name
    if ops.encoding.startswith("VOPD"):
        return dual(ops)
    if ops.encoding.startswith("VOP3P"):
        return packed(ops)
    if name.startswith("v_cmp"):
        return _comparison(ops)
    for table in (_SPECIAL, CROSS_LANE):
        if name in table:
            # Of V_BITOP3 these bits are part of the function; V_S_* have them.
            is_free = name == "v_bitop3_b32" or table.get(name) is _on_a_scalar
            if not is_free and (ops.field("clmp") or ops.field("omod")):
                raise UnknownInstructionError("an output modifier on such an instruction")
            return table[name](ops)
    if name in RULES:
        return _by_rule(ops, RULES[name])
    raise UnknownInstructionError("unknown")


def _by_rule(ops: Operands, rule: Rule) -> Step:
    _refuse_idle_modifiers(ops, rule)
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


def _refuse_idle_modifiers(ops: Operands, rule: Rule) -> None:
    """Bits of VOP3 that choose halves of 32-bit operands, or signs of what is not there."""
    # A source in capital letters is the destination, which is the fourth.
    halves = sum(
        1 << i for i, kind in enumerate(rule.sources) if kind.endswith("16") and kind.islower()
    )
    halves |= 8 * (rule.result.endswith("16"))
    # The destination has no sign of its own where it is a source.
    floats = sum(1 << i for i, kind in enumerate(rule.sources) if is_float(kind))
    if ops.field("opsel") & ~halves or (ops.field("neg") | ops.field("abs")) & ~floats:
        raise UnknownInstructionError("a modifier that means nothing here")


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
    # The destination is a source too.
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
    if factor and kind != "f32":
        raise UnknownInstructionError("a factor where denormal numbers count")

    def finish(value: Any) -> Any:
        if factor:
            value = value * KINDS[kind](factor)
        if clamp:
            # NaN becomes 0.
            value = np.fmin(np.fmax(value, KINDS[kind](0)), KINDS[kind](1))
        # Both make -0 a 0.
        return value + KINDS[kind](0)

    return finish


def _comparison(ops: Operands) -> Step:
    what = ops.name.removeprefix("v_cmp")
    is_exec = what.startswith("x_")
    rule = COMPARISONS.get(what.removeprefix("x_" if is_exec else "_"))
    if rule is None:
        raise UnknownInstructionError("unknown")
    _refuse_idle_modifiers(ops, rule)
    a, b = (ops.source(i, kind) for i, kind in enumerate(rule.sources))
    compute = rule.compute
    if ops.field("clmp") or ops.field("omod"):
        raise UnknownInstructionError("a comparison with an output modifier")
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
    """FMAMK and MADMK multiply by the literal, FMAAK and MADAK add it."""
    kind, is_fused = ops.name[-3:], ops.name.startswith("v_fma")
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

    if signed and ops.field("sdst") != ops.family.null:
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


def _any_bits(ops: Operands) -> Step:
    """V_BITOP3: any function of three bits; its table is in the fields of the modifiers."""
    table = ops.field("omod") << 6 | ops.field("abs") << 3 | ops.field("neg")
    get = [ops.value(ops.field(f"src{i}"), "u32") for i in range(3)]
    put = ops.target("u32")

    def step(st: Waves) -> None:
        given = np.broadcast_arrays(*(source(st) for source in get))
        result = np.zeros(given[0].shape, np.uint32)
        for case in (case for case in range(8) if table >> case & 1):
            bits = [a if case >> 2 - i & 1 else ~a for i, a in enumerate(given)]
            result |= bits[0] & bits[1] & bits[2]
        put(st, result)

    return step


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


def _on_a_scalar(ops: Operands) -> Step:
    """V_S_*: what a vector instruction computes, of one scalar."""
    rule = RULES[ops.name.replace("v_s_", "v_")]
    (kind,) = rule.sources
    get, finish = ops.source(0, kind), _finish(ops, rule.result)
    put, compute = ops.scalar_target(ops.field("vdst"), rule.result), rule.compute

    def step(st: Waves) -> None:
        value = compute(get(st))
        put(st, (value if finish is None else finish(value))[:, 0])

    return step


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
    "v_bitop3_b32": _any_bits,
    "v_accvgpr_mov_b32": move_accumulator,
    "v_dot2acc_f32_f16": dot2,
}
for _name in ("exp", "log", "rcp", "rsq", "sqrt"):
    _SPECIAL[f"v_s_{_name}_f32"] = _on_a_scalar
for _name in ("add_co", "sub_co", "subrev_co", "add_co_ci", "sub_co_ci", "subrev_co_ci"):
    _SPECIAL[f"v_{_name}_u32"] = _with_carry


def mnemonics() -> frozenset[str]:
    """Comparisons and instructions of their own form that `vector` knows."""
    return frozenset({*(f"v_cmp{x}_{name}" for name in COMPARISONS for x in ("", "x")), *_SPECIAL})
