"""Scale the frequencies of rotary embeddings to positions beyond those trained on."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real, whole
from irattn.specs.base import of_json, store_plain


@dataclass(frozen=True, kw_only=True)
class RopeScaling:
    """One way to scale; `rope_type` names it as Hugging Face configurations do.

    `factor` says how many times longer the context becomes. Below, `f` is the frequency without
    scaling, in radians per token, and `d` is `rotary_dim`.
    """

    positive: ClassVar[tuple[str, ...]] = ()

    rope_type: str = field(default="", init=False)
    factor: float

    def __post_init__(self) -> None:
        store_plain(self)
        _store_real(self, "factor", least=1.0)
        for name in self.positive:
            _store_real(self, name, least=1e-6)

    def check_rotary_dim(self, rotary_dim: int) -> None:
        """SpecError where the scaling does not fit a rotary_dim."""


@dataclass(frozen=True, kw_only=True)
class LinearScaling(RopeScaling):
    """`f / factor` (position interpolation, Chen et al. 2023)."""

    rope_type: str = field(default="linear", init=False)


@dataclass(frozen=True, kw_only=True)
class NtkScaling(RopeScaling):
    """Frequencies of `theta * factor ** (d / (d - 2))` (static NTK-aware, bloc97 2023)."""

    rope_type: str = field(default="ntk", init=False)

    def check_rotary_dim(self, rotary_dim: int) -> None:
        if rotary_dim == 2:
            raise SpecError("rotary_dim: expected at least 4 with ntk scaling, got 2")


@dataclass(frozen=True, kw_only=True)
class YarnScaling(RopeScaling):
    """YaRN (Peng et al. 2023): pairs that turn often keep `f`, slow ones get `f / factor`.

    Between the pairs that make `beta_fast` and `beta_slow` turns in `original_max_position` tokens
    the two are mixed linearly; `truncate` widens that range to whole pairs. cos and sin are
    multiplied with `attention_factor`; None means `0.1 ln(factor) + 1`.
    """

    positive: ClassVar[tuple[str, ...]] = ("beta_fast", "beta_slow")

    rope_type: str = field(default="yarn", init=False)
    original_max_position: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    attention_factor: float | None = None
    truncate: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_original(self.original_max_position)
        _store_attention_factor(self, 0.1 * math.log(self.factor) + 1.0)
        if not isinstance(self.truncate, bool):
            raise SpecError(f"scaling.truncate: expected true or false, got {shown(self.truncate)}")
        if self.beta_fast < self.beta_slow:
            raise SpecError(
                f"scaling.beta_fast: expected at least beta_slow = {self.beta_slow}, "
                f"got {self.beta_fast}"
            )


@dataclass(frozen=True, kw_only=True)
class Llama3Scaling(RopeScaling):
    """Llama 3.1: pairs are told apart by their wavelength `2 pi / f`.

    Wavelengths below `original_max_position / high_freq_factor` keep `f`, those above
    `original_max_position / low_freq_factor` get `f / factor`, the two are mixed in between, where
    the factors differ (those of Llama 4 Scout are equal).
    """

    positive: ClassVar[tuple[str, ...]] = ("low_freq_factor", "high_freq_factor")

    rope_type: str = field(default="llama3", init=False)
    low_freq_factor: float
    high_freq_factor: float
    original_max_position: int

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_original(self.original_max_position)
        if self.high_freq_factor < self.low_freq_factor:
            raise SpecError(
                f"scaling.high_freq_factor: expected at least low_freq_factor = "
                f"{self.low_freq_factor}, got {self.high_freq_factor}"
            )


@dataclass(frozen=True, kw_only=True)
class LongRopeScaling(RopeScaling):
    """LongRoPE (Ding et al. 2024; Phi-3): pair `i` gets `f / factors[i]`.

    `factors` is the model's `short_factor` or `long_factor`. cos and sin are multiplied with
    `attention_factor`; None means `sqrt(1 + ln(factor) / ln(original_max_position))`.
    """

    rope_type: str = field(default="longrope", init=False)
    factors: tuple[float, ...]
    original_max_position: int
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_original(self.original_max_position)
        default = math.sqrt(1 + math.log(self.factor) / math.log(self.original_max_position))
        _store_attention_factor(self, default)
        if not isinstance(self.factors, list | tuple):
            raise SpecError(
                f"scaling.factors: expected a list of numbers, got {shown(self.factors)}"
            )
        words = "numbers from 0.001 to 1e6"
        factors = [real("scaling.factors", one, 1e-3, 1e6, expected=words) for one in self.factors]
        object.__setattr__(self, "factors", tuple(factors))

    def check_rotary_dim(self, rotary_dim: int) -> None:
        if len(self.factors) != rotary_dim // 2:
            raise SpecError(
                f"scaling.factors: expected rotary_dim / 2 = {rotary_dim // 2} numbers, "
                f"got {len(self.factors)}"
            )


@dataclass(frozen=True, kw_only=True)
class ProportionalScaling(RopeScaling):
    """Proportional RoPE (Gemma 4): the first `rotated_pairs` get `f / factor`, others stand still.

    The pairs are those of whole heads, so that a part of them turns as slowly as all would.
    """

    rope_type: str = field(default="proportional", init=False)
    factor: float = 1.0
    rotated_pairs: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("scaling.rotated_pairs", self.rotated_pairs)

    def check_rotary_dim(self, rotary_dim: int) -> None:
        if self.rotated_pairs > rotary_dim // 2:
            raise SpecError(
                f"scaling.rotated_pairs: expected at most rotary_dim / 2 = {rotary_dim // 2}, "
                f"got {self.rotated_pairs}"
            )


SCALINGS: dict[str, type[RopeScaling]] = {
    kind.rope_type: kind
    for kind in (
        *(LinearScaling, NtkScaling, YarnScaling, Llama3Scaling, LongRopeScaling),
        ProportionalScaling,
    )
}


def stored_scaling(scaling: object) -> RopeScaling | None:
    """The scaling as a spec stores it, from itself or from its JSON form; SpecError otherwise."""
    if scaling is None:
        return None
    if isinstance(scaling, RopeScaling) and type(scaling) in SCALINGS.values():
        return scaling
    if not isinstance(scaling, dict):
        raise SpecError(f"scaling: expected an object with a rope_type, got {shown(scaling)}")
    name = scaling.get("rope_type")
    kind = SCALINGS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise SpecError(
            f"scaling.rope_type: expected one of {', '.join(SCALINGS)}, got {shown(name)}"
        )
    fields = {key: value for key, value in scaling.items() if key != "rope_type"}
    return of_json(kind, "scaling", fields)


def _store_real(scaling: RopeScaling, name: str, least: float) -> None:
    """Refuse what is not a number in range; equal scalings are equal text."""
    words = f"a number from {least:g} to 1e9"
    value = real(f"scaling.{name}", getattr(scaling, name), least, 1e9, expected=words)
    object.__setattr__(scaling, name, value)


def _check_original(value: object) -> None:
    if type(value) is not int or not 2 <= value < 2**31:
        raise SpecError(
            f"scaling.original_max_position: expected a whole number of at least 2, got "
            f"{shown(value)}"
        )


def _store_attention_factor(scaling: Any, default: float) -> None:
    """Store an attention factor; one that equals the default is stored as the default."""
    if scaling.attention_factor is None:
        return
    _store_real(scaling, "attention_factor", least=1e-6)
    if scaling.attention_factor == default:
        object.__setattr__(scaling, "attention_factor", None)


def llama3(original_max_position: int) -> dict[str, Any]:
    """The scaling of Llama 3.1, as its configuration has it."""
    return {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position": original_max_position,
    }
