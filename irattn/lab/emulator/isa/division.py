"""The three instructions that, with fused products, make a division out of a reciprocal.

The guides of AMD tell them otherwise than cards do them: they compare quotients where the cards
compare exponents, scale back by other powers, and round twice. What stands here was measured on
gfx1100 and gfx1201 by AMD's rocjitsu (ROCm/rocm-systems, pull request 11613), for f32 and f64. The
guides of CDNA have the same texts as those of RDNA, and LLVM divides by the same instructions.

All of it is for a processor that keeps denormal numbers; `flush` says that the wave's mode does
not.
"""

from typing import Any, NamedTuple

import numpy as np

from irattn.lab.emulator.isa.fused import fma64, to_odd


class _Form(NamedTuple):
    """A float type: its bits, and the powers of two and exponents that matter for divisions.

    Quotients whose exponents differ by `far` are near the ends of the range, numerators up to
    `tiny` too small for what is computed between; `power` is what they are scaled by. f16 has none
    of these: its quotients are computed in f32.
    """

    bits: Any
    places: int
    bias: int
    far: int = 0
    tiny: int = 0
    power: int = 0

    @property
    def sign(self) -> Any:
        return self.bits((self.bias + 1) * 2 << self.places)

    @property
    def infinity(self) -> Any:
        return self.bits((2 * self.bias + 1) << self.places)

    @property
    def quiet(self) -> Any:
        """The bit that quiet NaN have and signalling ones do not."""
        return self.bits(1 << self.places - 1)

    @property
    def nan(self) -> Any:
        """The NaN that is given where there is no number."""
        return self.sign | self.infinity | self.quiet

    def exponent(self, bits: Any) -> Any:
        """The exponent as it is encoded."""
        return ((bits & self.infinity) >> self.bits(self.places)).astype(np.int64)


_FORMS = {
    np.dtype(np.float16): _Form(np.uint16, 10, 15),
    np.dtype(np.float32): _Form(np.uint32, 23, 127, 96, 24, 64),
    np.dtype(np.float64): _Form(np.uint64, 52, 1023, 768, 53, 128),
}


def _opened(flush: bool, *given: Any) -> tuple[_Form, list[Any]]:
    """The form of floats, and their bits, with zeros for denormal ones where these are flushed."""
    arrays = [np.ascontiguousarray(array) for array in np.broadcast_arrays(*given)]
    form = _FORMS[arrays[0].dtype]
    bits = [array.view(form.bits) for array in arrays]
    if flush:
        bits = [np.where(b & form.infinity == 0, b & form.sign, b) for b in bits]
    return form, bits


def div_scale(value: Any, denominator: Any, numerator: Any, *, flush: bool) -> tuple[Any, Any]:
    """V_DIV_SCALE: a numerator or denominator scaled so that a division is safe.

    Beside it, bool: whether V_DIV_FMAS has to scale the quotient back.
    """
    form, (v, d, n) = _opened(flush, value, denominator, numerator)
    of_d, of_n = form.exponent(d), form.exponent(n)
    difference = of_n - of_d
    is_d, is_far_below = v == d, difference <= -form.far
    up = form.power
    cases: list[tuple[Any, Any, Any]] = [
        (difference >= form.far, np.where(is_d, up, 0), True),
        (of_d == 0, up, False),
        (of_d >= 2 * form.bias - 1, np.where(is_far_below & ~is_d, 0, -up), is_far_below),
        (is_far_below, np.where(is_d, 0, up), True),
        (of_n <= form.tiny, up, False),
    ]
    conditions = [case[0] for case in cases]
    power = np.select(conditions, [case[1] for case in cases], 0)
    scaled = np.select(conditions, [case[2] for case in cases], False)
    is_zero = (d & ~form.sign == 0) | (n & ~form.sign == 0)
    kind = np.asarray(value).dtype.type
    # A product quiets NaN too.
    result = v.view(kind) * np.ldexp(kind(1), power)
    return np.where(is_zero, form.nan, result.view(form.bits)).view(kind), scaled


def div_fmas(a: Any, b: Any, c: Any, scaled: Any, *, flush: bool) -> Any:
    """V_DIV_FMAS: a * b + c, scaled back where bool `scaled` says so, all rounded once.

    Denormal sources count whatever the mode is.
    """
    form, (*_, addend) = _opened(False, a, b, c)
    up = np.where(form.exponent(addend) > form.bias, form.power, -form.power)
    power = np.where(scaled, up, 0)
    if form.bits is np.uint64:
        return fma64(a, b, c, power)
    product = np.multiply(a, b, dtype=np.float64)
    total = to_odd(product + c, product, np.asarray(c, np.float64))
    result = np.ldexp(total, power).astype(np.float32)
    return _opened(flush, result)[1][0].view(np.float32)


def div_fixup(quotient: Any, denominator: Any, numerator: Any, *, flush: bool) -> Any:
    """V_DIV_FIXUP: a quotient, made right where the operands are special.

    The sign is that of the operands; a denormal quotient stays, and one that is no number stands
    for one that is too large, but in f16, of which only the guides tell.
    """
    form, (q,) = _opened(False, np.broadcast_arrays(quotient, denominator, numerator)[0])
    _, (d, n) = _opened(flush, denominator, numerator)
    d, n = np.broadcast_arrays(d, n)
    size_d, size_n = d & ~form.sign, n & ~form.sign
    sign = (d ^ n) & form.sign
    q, is_too_small = q & ~form.sign, np.zeros(q.shape, bool)
    if form.power:
        is_too_small = form.exponent(n) - form.exponent(d) < -(form.bias + form.places)
        q = np.minimum(q, form.infinity)
    cases: list[tuple[Any, Any]] = [
        (size_n > form.infinity, n | form.quiet),
        (size_d > form.infinity, d | form.quiet),
        ((size_d == 0) & (size_n == 0), form.nan),
        ((size_d == form.infinity) & (size_n == form.infinity), form.nan),
        ((size_d == 0) | (size_n == form.infinity), sign | form.infinity),
        ((size_n == 0) | (size_d == form.infinity) | is_too_small, sign),
    ]
    fixed = np.select([case[0] for case in cases], [case[1] for case in cases], sign | q)
    return fixed.astype(form.bits).view(np.asarray(quotient).dtype)
