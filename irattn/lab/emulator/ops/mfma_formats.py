"""Matrix instructions of CDNA 4 whose factors are floats of 8, 6 or 4 bits, scaled or not.

CBSZ says the format of A, BLGP that of B (LLVM's `SIDefines.h`, `MFMAScaleFormats`). Each lane
holds 32 numbers of its row or column, one after the other in K, and where they are scaled a power
of two for these: E8M0, in the byte of a register that OPSEL and OPSEL_HI choose (LLVM's test
`llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.ll`; IREE's `MFMA_SCALE_F32_16x16x128_B32` has the
layout).
"""

from functools import partial

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.kinds import F32, U32
from irattn.lab.emulator.ops.effects import Effect, Source, combined
from irattn.lab.emulator.ops.matrices import Element, float_element
from irattn.lab.emulator.ops.mfma import matrix_product
from irattn.lab.emulator.ops.operands import Factory, Operands

_BYTES = {0: "fp8", 1: "bf8"}
# Name, bits behind the point, and bias, of formats without infinity and NaN (OCP Microscaling
# Formats, 1.0).
_SMALL = {2: ("fp6", 3, 1), 3: ("bf6", 2, 3), 4: ("fp4", 1, 1)}
_WIDTHS = {"fp6": 6, "bf6": 6, "fp4": 4}
_E8M0_BIAS, _E8M0_NAN = 127, 255


def _of_formats(ops: Operands, *, size: int, depth: int, is_scaled: bool) -> Effect:
    """D = A B + C of floats in the formats that the instruction chooses for A and for B."""
    if not ops.family.has_ocp_bytes:
        raise UnknownInstructionError("a matrix instruction of chosen formats")
    if ops.field("abid") > is_scaled or (is_scaled and (ops.field("neg") or ops.field("neg_hi"))):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    factors = _element(ops, "cbsz"), _element(ops, "blgp")
    scales = [_scale(ops, i) for i in range(2)] if is_scaled else []
    return matrix_product(ops, size, depth, factors, F32, None, is_modified=True, scales=scales)


def _element(ops: Operands, name: str) -> Element:
    chosen = ops.field(name)
    if chosen in _BYTES:
        return float_element(ops, _BYTES[chosen])
    if chosen not in _SMALL:
        raise UnknownInstructionError(f"a format of matrices {chosen}")
    form, places, bias = _SMALL[chosen]
    values = _values(_WIDTHS[form], places, bias)
    return Element(form, _WIDTHS[form], values.take)


def _values(bits: int, places: int, bias: int) -> np.ndarray:
    """The numbers that all codes of a format stand for, as f32."""
    codes = np.arange(1 << bits)
    exponent = codes >> places & (1 << bits - 1 - places) - 1
    fraction = codes & (1 << places) - 1
    whole = fraction + np.where(exponent, 1 << places, 0)
    size = np.ldexp(whole.astype(np.float32), np.maximum(exponent, 1) - bias - places)
    values: np.ndarray = np.where(codes >> bits - 1, -size, size).astype(np.float32)
    return values


def _scale(ops: Operands, position: int) -> Source:
    """The power of two of each lane, for one factor: f64 [waves, lanes]."""
    low, high = (ops.field(name) >> position & 1 for name in ("opsel", "opsel_hi"))
    shift = np.uint32(8 * (low | high << 1))

    def scale(words: np.ndarray) -> np.ndarray:
        code = (words >> shift & np.uint32(0xFF)).astype(np.int32)
        power = np.ldexp(np.ones(code.shape), code - _E8M0_BIAS)
        return np.where(code == _E8M0_NAN, np.nan, power)

    return combined(scale, ops.value(ops.field(f"scale_src{position}"), U32))


MFMA_FORMATS: dict[str, Factory] = {
    f"v_mfma_{scale}f32_{size}x{size}x{depth}_f8f6f4": partial(
        _of_formats, size=size, depth=depth, is_scaled=bool(scale)
    )
    for size, depth in ((16, 128), (32, 64))
    for scale in ("", "scale_")
}
