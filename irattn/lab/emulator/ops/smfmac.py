"""Sparse matrix instructions of CDNA: SMFMAC, where A has two of each four numbers of a row.

Their layout is that of MFMA, and A is half as deep as it lies in registers. For each of its numbers
two bits of a register of their own, SRC2, say which of four numbers of B's column it is multiplied
by: those for a lane's numbers side by side, in the byte (in the half for numbers of 8 bits) that
ABID chooses, or in the first one where CBSZ is not zero. D is C too (AMD's "CDNA3" Instruction Set
Architecture, sparse matrices; LLVM's `llvm.amdgcn.smfmac`).
"""

from functools import partial
from itertools import product

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.kinds import F32, I32, U32, Kind
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Source, combined
from irattn.lab.emulator.ops.matrices import (
    Element,
    float_element,
    integer_element,
    vector_register,
)
from irattn.lab.emulator.ops.mfma import added, matrix_addend, matrix_factor
from irattn.lab.emulator.ops.operands import Factory, Operands

_LANES = 64
_OF_FOUR, _KEPT = 4, 2


def _of_floats(ops: Operands, *, size: int, depth: int, first: str, second: str) -> Effect:
    """D += A B of floats of 8 or 16 bits, with zeros in A left out."""
    return _sparse(ops, size, depth, (float_element(ops, first), float_element(ops, second)), F32)


def _of_integers(ops: Operands, *, size: int, depth: int) -> Effect:
    """D += A B of bytes with signs, with zeros in A left out."""
    one = integer_element(8, signed=True)
    return _sparse(ops, size, depth, (one, one), I32)


def _sparse(
    ops: Operands, size: int, depth: int, factors: tuple[Element, Element], kind: Kind
) -> Effect:
    if ops.field("blgp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    a = matrix_factor(ops, 0, factors[0], size, depth // _OF_FOUR * _KEPT, None)
    b = matrix_factor(ops, 1, factors[1], size, depth, None)
    partners = _partners(ops, size, depth // _OF_FOUR * _KEPT)

    def products(st: Waves) -> np.ndarray:
        # What A leaves out is not multiplied: an infinite number of B makes no NaN there.
        waves = np.arange(st.count)[:, None, None]
        chosen = b.get(st)[waves, partners.get(st)]
        return np.asarray(np.einsum("wkr,wkrc->wrc", a.get(st), chosen))

    c = matrix_addend(ops, ops.field("vdst"), size, kind)
    return added(ops, size, products, (a, b, partners), c, kind)


def _partners(ops: Operands, size: int, kept: int) -> Source:
    """Which numbers of B's columns those of A are multiplied by: [waves, number of A, row]."""
    groups = _LANES // size
    of_lane = kept // groups
    bits = 2 * of_lane
    part = 0 if ops.field("cbsz") & 3 else ops.field("abid") % (32 // bits)
    shifts = np.arange(of_lane, dtype=np.uint32) * 2 + np.uint32(part * bits)
    fours = np.arange(kept)[:, None] // _KEPT * _OF_FOUR

    def places(words: np.ndarray) -> np.ndarray:
        of_four = words[..., None] >> shifts & np.uint32(3)
        rows = of_four.reshape(-1, groups, size, of_lane).swapaxes(2, 3)
        return np.asarray(rows.reshape(-1, kept, size) + fours)

    register = vector_register(ops, "src2")
    return combined(places, ops.vector(register, U32))


SMFMAC: dict[str, Factory] = {
    f"v_smfmac_f32_{size}x{size}x{depth}_{name}": partial(
        _of_floats, size=size, depth=depth, first=name, second=name
    )
    for size, depth in ((16, 32), (32, 16))
    for name in ("f16", "bf16")
}
for _size, _depth in ((16, 64), (32, 32)):
    SMFMAC[f"v_smfmac_i32_{_size}x{_size}x{_depth}_i8"] = partial(
        _of_integers, size=_size, depth=_depth
    )
    for _first, _second in product(("fp8", "bf8"), repeat=2):
        SMFMAC[f"v_smfmac_f32_{_size}x{_size}x{_depth}_{_first}_{_second}"] = partial(
            _of_floats, size=_size, depth=_depth, first=_first, second=_second
        )
