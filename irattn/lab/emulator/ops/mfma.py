"""Matrix instructions of CDNA: MFMA, a product of 16x16 or 32x32 matrices for each wave.

The layout is that of AMD's matrix instruction calculator. With n rows and columns, lane l holds row
(A) or column (B) l % n, and there the numbers k = l // n * K / (64 / n) and following. C and D have
column l % n in lane l; their rows go to four registers at a time, four to each group of lanes.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.fields import VGPR
from irattn.lab.emulator.isa.floats import flushed
from irattn.lab.emulator.isa.kinds import BF16, F16, F32, I32, Kind
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Getter, Source, Touches, combined, effect
from irattn.lab.emulator.ops.matrices import (
    Element,
    elements,
    float_element,
    integer_element,
    total,
    vector_register,
    worked_out_once,
)
from irattn.lab.emulator.ops.operands import Factory, Operands

_LANES = 64
# K by rows or columns and kind, of all chips from gfx90a to gfx950.
_DEPTHS = {
    (16, F32): (4,),
    (32, F32): (2,),
    (16, F16): (16, 32),
    (32, F16): (8, 16),
    (16, BF16): (8, 16, 32),
    (32, BF16): (4, 8, 16),
}


def _of_floats(ops: Operands, *, size: int, depth: int, first: str, second: str) -> Effect:
    """D = A B + C of floats of 8 or 16 bits."""
    factors = float_element(ops, first), float_element(ops, second)
    flushed_kind = {"f16": F16, "bf16": BF16}.get(first)
    flushes = flushed_kind if ops.family.flushes_products else None
    return matrix_product(ops, size, depth, factors, F32, flushes)


def _of_singles(ops: Operands, *, size: int, depth: int) -> Effect:
    """D = A B + C of f32."""
    one = Element("f32", 32, lambda words: words.view(np.float32))
    return matrix_product(ops, size, depth, (one, one), F32, None)


def _of_integers(ops: Operands, *, size: int, depth: int) -> Effect:
    """D = A B + C of bytes with signs."""
    one = integer_element(8, signed=True)
    return matrix_product(ops, size, depth, (one, one), I32, None)


def matrix_product(
    ops: Operands,
    size: int,
    depth: int,
    factors: tuple[Element, Element],
    result_kind: Kind,
    flushes: Kind | None,
    *,
    is_modified: bool = False,
    scales: Sequence[Source] = (),
) -> Effect:
    """A matrix product: all lanes take part, whatever exec says.

    Denormal numbers count as zero where a kind `flushes`, whatever the mode says. Modifiers are
    refused but where an instruction `is_modified` by its meaning. `scales` give for each factor
    what lanes multiply their numbers by: f64 [waves, lanes].
    """
    if not is_modified and (ops.field("cbsz") or ops.field("abid") or ops.field("blgp")):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    a, b = (matrix_factor(ops, i, factor, size, depth, flushes) for i, factor in enumerate(factors))
    if scales:
        a, b = (_scaled(one, by, size) for one, by in zip((a, b), scales, strict=True))
    c = _addend(ops, size, result_kind)
    return added(
        ops,
        size,
        lambda st: np.matmul(a.get(st).swapaxes(1, 2), b.get(st)),
        (a, b),
        c,
        result_kind,
        flushes,
    )


def added(
    ops: Operands,
    size: int,
    products: Getter,
    factors: Sequence[Source],
    c: Source,
    kind: Kind,
    flushes: Kind | None = None,
) -> Effect:
    """The products of factors, [waves, row, column], added to C as it lies in registers."""
    groups, count = _LANES // size, size * size // _LANES
    register = ops.field("vdst")
    register = ops.accumulator(register) if ops.field("acc_cd") else register
    written = frozenset(range(register, register + count))
    read = sorted(c.reads.union(*(one.reads for one in factors)))

    def act(st: Waves) -> None:
        if st.around.checks and st.active is not True:
            for number in read:
                st.written.check_lanes(number, np.ones((st.count, st.lanes), bool))
        rows = products(st).reshape(st.count, count // 4, groups, 4, size)
        rows = rows.transpose(1, 3, 0, 2, 4)
        result = st.f[register : register + count].reshape(count // 4, 4, st.count, groups, size)
        if kind is I32:
            result.view(np.int32)[...] = total(rows, c.get(st), clamps=False)
        elif flushes is None:
            np.add(rows, c.get(st), out=result)
        else:
            result[...] = flushed(rows + flushed(c.get(st)))
        st.written.vector.update(written)

    return effect(act, *factors, c, Touches(writes=written))


def _scaled(factor: Source, scale: Source, size: int) -> Source:
    """A factor as f64, the numbers of each lane times that lane's scale."""

    def multiplied(numbers: np.ndarray, by: np.ndarray) -> np.ndarray:
        waves, depth, _ = numbers.shape
        groups = _LANES // size
        of_lanes = np.broadcast_to(by, (waves, _LANES)).reshape(waves, groups, 1, size)
        parts = numbers.reshape(waves, groups, depth // groups, size)
        return np.asarray(parts * of_lanes).reshape(numbers.shape)

    # Not as a matrix that is left for others: its scale may change.
    return combined(multiplied, factor, scale)


def matrix_factor(
    ops: Operands, position: int, element: Element, size: int, depth: int, flushes: Kind | None
) -> Source:
    """A as f32 [waves, k, row], or B as [waves, k, column]."""
    name, groups = f"src{position}", _LANES // size
    register = vector_register(ops, name)
    if ops.field("acc") >> position & 1:
        register = ops.accumulator(register)
    words = depth // groups * element.bits // 32

    def work_out(st: Waves) -> np.ndarray:
        given = elements(st, register, words, element.bits)
        rows, *_, parts = given.shape
        given = given.reshape(rows, st.count, groups, size, parts).transpose(1, 2, 0, 4, 3)
        matrix = element.widen(given.copy())
        if flushes is not None:
            matrix = flushed(matrix, flushes)
        return matrix.reshape(st.count, depth, size)

    what = f"{name} {element.name} {size}x{depth}"
    return worked_out_once(ops, what, range(register, register + words), work_out)


def _addend(ops: Operands, size: int, kind: Kind) -> Source:
    """C as `matrix_addend` has it, or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = ops.constant(code, kind)
        return Source(get=lambda st: constant)
    return matrix_addend(ops, code - VGPR, size, kind)


def matrix_addend(ops: Operands, register: int, size: int, kind: Kind) -> Source:
    """C as f32 or int32 [registers / 4, 4, waves, groups of lanes, column], from a register on."""
    groups, count = _LANES // size, size * size // _LANES
    register = ops.accumulator(register) if ops.field("acc_cd") else register
    return Source(
        get=lambda st: (
            st.v[register : register + count]
            .view(kind.numpy)
            .reshape(count // 4, 4, st.count, groups, size)
        ),
        reads=frozenset(range(register, register + count)),
    )


MFMA: dict[str, Factory] = {
    f"v_mfma_f32_{size}x{size}x{depth}_{kind.name}": (
        partial(_of_singles, size=size, depth=depth)
        if kind is F32
        else partial(_of_floats, size=size, depth=depth, first=kind.name, second=kind.name)
    )
    for (size, kind), depths in _DEPTHS.items()
    for depth in depths
}
# CDNA2 has these beside older ones of half the depth.
for _shape in ("16x16x16", "32x32x8"):
    MFMA[f"v_mfma_f32_{_shape}_bf16_1k"] = MFMA[f"v_mfma_f32_{_shape}_bf16"]
for _size, _depth in ((16, 32), (32, 16)):
    for _first, _second in product(("fp8", "bf8"), repeat=2):
        MFMA[f"v_mfma_f32_{_size}x{_size}x{_depth}_{_first}_{_second}"] = partial(
            _of_floats, size=_size, depth=_depth, first=_first, second=_second
        )
# gfx950 has twice the depth too.
for _size, _depth in ((16, 32), (16, 64), (32, 16), (32, 32)):
    MFMA[f"v_mfma_i32_{_size}x{_size}x{_depth}_i8"] = partial(
        _of_integers, size=_size, depth=_depth
    )
