"""When a result is the guide's."""

import math
import re

from support.emulator.pseudocode_numbers import MANTISSA, Number
from support.emulator.trial import Trial

# Opcodes whose rounding AMD does not state, and for which the guides' texts are not to be taken by
# the bit. So many units in the last place may lie between.
UNITS = 4
ROUNDED_FREELY = re.compile(r"v_(s_)?(rcp|rcp_iflag|rsq|sqrt|exp|log|sin|cos)_f\d\d$")
# Their NaN is the very NaN of the source.
MOVES_FLOATS = ("v_pack_b32_f16",)


def compare(trial: Trial, bits: int, told: Number, part: tuple[int, int, str]) -> None:
    """A part of a result with the guide's: equal bits, but for NaN and free rounding."""
    low, width, kind = part
    mask = (1 << width) - 1
    wanted = trial.modified(Number(kind, width, told.bits >> low & mask))
    if wanted is None:
        return
    low += trial.shift
    given = Number(kind, width, bits >> low & mask)
    assert agree(trial.name, given, wanted), (
        f"bits {low} to {low + width - 1}: {given} and not {wanted}"
        f" ({given.value} and not {wanted.value})"
    )


def agree(name: str, given: Number, wanted: Number) -> bool:
    """Whether a number is what it should be."""
    if given.bits == wanted.bits:
        return True
    if given.kind not in ("F", "BF"):
        return False
    a, b = given.value, wanted.value
    if math.isnan(a) and math.isnan(b):
        return name not in MOVES_FLOATS
    # Near its zeros a sine is as good as near its peaks.
    is_sine = bool(re.search("sin|cos", name))
    if not (ROUNDED_FREELY.match(name) and math.isfinite(a) and math.isfinite(b)):
        return False
    if not ((a and b) or (is_sine and (a or b))):
        return False
    least = Number(given.kind, given.width, 1).value
    size = 1.0 if is_sine else abs(b)
    return abs(a - b) <= UNITS * max(size * 2.0 ** -MANTISSA[given.kind, given.width], least)
