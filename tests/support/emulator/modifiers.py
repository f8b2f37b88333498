"""Modifiers of sources and results, and halves of registers: what they mean, told apart from AMD's
pseudocode, which leaves them out."""

import re
import zlib
from functools import cached_property
from typing import Any

import numpy as np

from irattn.binary.codeobject import Instruction
from support.emulator.pseudocode_numbers import MANTISSA, Number, number
from support.emulator.trial import Trial

# Results that the emulator does not clamp: pairs, and a dot product of CDNA.
REFUSED = re.compile("v_(pk|pack|dot2)_")
LANES = 4
FACTORS = {0: 1.0, 1: 2.0, 2: 4.0, 3: 0.5}


class Modified(Trial):
    """A trial with fields that the usual ones leave at zero."""

    def __init__(self, op: Instruction, gfx: str, chosen: dict[str, int]) -> None:
        self.chosen = chosen
        super().__init__(op, gfx)
        # The numbers have had their own trial.
        self.lanes = [lanes[:LANES] for lanes in self.lanes]
        if chosen.get("omod"):
            # Only where denormal numbers are flushed, so those are not looked at.
            self.machine.waves.denormals = 0
            self.lanes = [
                [lane for lane in lanes if not self._has_subnormal(wave, lane)]
                for wave, lanes in enumerate(self.lanes)
            ]

    def _field(self, name: str) -> int | None:
        return self.chosen.get(name, super()._field(name))

    @property
    def is_packed(self) -> bool:
        return self.encoding == "VOP3P"

    @property
    def is_mixed(self) -> bool:
        return "_mix" in self.name

    @cached_property
    def float_sources(self) -> dict[int, int]:
        """The width of each source that is a float, but for the destination's."""
        if self.name.startswith("v_cndmask"):
            return dict.fromkeys((0, 1), int(self.name[-2:]))
        kinds = {i: self.type_of_source(i) for i in range(3) if f"src{i}" in self.values}
        if self.adds_to_result:
            kinds.pop(2, None)
        return {i: width for i, (kind, width) in kinds.items() if kind == "F"}

    def _has_subnormal(self, wave: int, lane: int | None) -> bool:
        given = self.variables(wave, lane)
        return any(
            is_subnormal(Number("F", width, given[f"S{i}"].bits & (1 << width) - 1))
            for i, width in self.float_sources.items()
        )

    def variables(self, wave: int, lane: int | None) -> dict[str, Any]:
        variables = super().variables(wave, lane)
        floats = self.float_sources
        for i in range(3):
            if f"S{i}" not in variables:
                continue
            bits = variables[f"S{i}"].bits
            if self.is_packed:
                bits = self._packed(bits, i, is_float=i in floats)
            else:
                bits = self._single(bits, i, floats.get(i))
            variables[f"S{i}"] = Number("B", 64, bits)
        if self.adds_to_result:
            variables["D0"] = Number("B", 64, variables["D0"].bits >> self.shift)
        variables["S"] = [variables.get(f"S{i}") for i in range(3)]
        variables["OPSEL_HI"] = Number("U", 3, self._high())
        return variables

    def _high(self) -> int:
        return self.values.get("opsel_hi", 3) | self.values.get("opsel_hi2", 1) << 2

    def _bit(self, name: str, position: int) -> int:
        return self.values.get(name, 0) >> position & 1

    def _single(self, bits: int, i: int, width: int | None) -> int:
        """A high half in the place of the low one; then no sign, then the other sign."""
        if self._bit("opsel", i):
            bits >>= 16
        if width is None:
            return bits
        if self._bit("abs", i):
            bits &= ~(1 << width - 1)
        return bits ^ self._bit("neg", i) << width - 1

    def _packed(self, bits: int, i: int, *, is_float: bool) -> int:
        """Any half for each of both results, with signs of their own."""
        if self.is_mixed:
            signs = 0x80008000 if self._high() >> i & 1 else 0x80000000
            bits = bits & ~signs if self._bit("neg_hi", i) else bits
            return bits ^ signs if self._bit("neg", i) else bits
        if self.name.startswith("v_dot2") and i == 2:
            return bits
        width = 32 if self.name.endswith("f32") and "dot2" not in self.name else 16
        result = 0
        chosen = (self._bit("opsel", i), "neg"), (self._high() >> i & 1, "neg_hi")
        for place, (half, sign) in enumerate(chosen):
            part = bits >> width * half & (1 << width) - 1
            part ^= is_float and self._bit(sign, i) << width - 1
            result |= part << width * place
        return result

    @property
    def shift(self) -> int:
        """From which bit on a 16-bit result lies."""
        return 16 * self._bit("opsel", 3) * (not self.is_packed)

    def modified(self, told: Number) -> Number | None:
        """The result with its modifiers; None where it is flushed."""
        factor, clamp = FACTORS[self.values.get("omod", 0)], self.values.get("clmp")
        if told.kind != "F":
            return told
        value = told.value
        if factor != 1:
            # A zero loses its sign.
            scaled = number("F", told.width, value * factor + 0.0)
            if is_subnormal(told) or is_subnormal(scaled):
                return None
            told, value = scaled, scaled.value
        if clamp:
            # NaN is not more than 0.
            return number("F", told.width, min(value, 1.0) if value > 0 else 0.0)
        return told


def is_subnormal(number: Number) -> bool:
    size = number.bits & (1 << number.width - 1) - 1
    return 0 < size < 1 << MANTISSA[number.kind, number.width]


def modifiers(op: Instruction, gfx: str) -> list[dict[str, int]]:
    """Fields to try: signs, halves, and what is done to the result."""
    plain = Modified(op, gfx, {})
    rng = np.random.default_rng(zlib.crc32(op.name.encode()))
    floats = sum(1 << i for i in plain.float_sources if i < 2 or "dot2" not in plain.name)
    chosen = []
    for clamp in range(1 + is_clamped(plain)):
        signs = {name: int(rng.integers(1, 8)) & floats for name in ("neg", "abs", "neg_hi")}
        chosen.append({**signs, **_halves(plain, rng), "clmp": clamp})
    if chosen[-1]["clmp"] and is_scaled(plain):
        chosen.append({**chosen[0], "clmp": 1 - len(op.name) % 2, "omod": 1 + len(op.name) % 3})
    return [{name: value for name, value in c.items() if name in plain.fields} for c in chosen]


def is_clamped(plain: Modified) -> bool:
    """Whether the emulator clamps the result: one float."""
    return not REFUSED.match(plain.name) and bool(
        re.search(r"D0(\[[^\]]*\])?\.f\d\d\b.*=", plain.text)
    )


def is_scaled(plain: Modified) -> bool:
    """Whether the result may have a factor: one f32, which is not of a packed instruction."""
    # Of a sine, what is within its error would be scaled too.
    is_sine = re.search("sin|cos", plain.name)
    return "omod" in plain.fields and "D0.f32" in plain.text and not is_sine


def _halves(plain: Modified, rng: np.random.Generator) -> dict[str, int]:
    if plain.is_packed:
        if plain.name == "v_pk_mov_b32" or plain.name.startswith("v_accvgpr"):
            return {}
        most = 7 if plain.is_mixed else 3
        return {name: int(rng.integers(most + 1)) for name in ("opsel", "opsel_hi")} | {
            "opsel_hi": int(rng.integers(4)),
            "opsel_hi2": int(rng.integers(2)),
        }
    halves = sum(
        1 << i
        for i in range(3)
        if f"src{i}" in plain.values
        and plain.type_of_source(i)[1] == 16
        and not (i == 2 and plain.adds_to_result)
    )
    if re.search(r"D0\.[fiub]16 ", plain.text) and plain.gfx.startswith("gfx1"):
        halves |= 8
    return {"opsel": int(rng.integers(16)) & halves}
