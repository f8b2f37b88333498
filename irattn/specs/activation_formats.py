"""The formats that hidden states are rounded to before products with quantised weights."""

from typing import Any

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import AnySize, TensorType
from irattn.core.weight_formats import WEIGHT_FORMATS
from irattn.specs.weight_formats import WeightFormats

ACTIVATION_FORMATS = ("int8",)


def check_activation_format(spec: Any) -> None:
    """SpecError for an unknown format, or one beside weights that are not in blocks."""
    given = spec.activation_format
    if given is None:
        return
    if given not in ACTIVATION_FORMATS:
        known = ", ".join(ACTIVATION_FORMATS)
        raise SpecError(f"activation_format: expected {known} or nothing, got {shown(given)}")
    if any(name not in WEIGHT_FORMATS for name in _formats(spec.weight_format)):
        raise SpecError(
            f"activation_format: {given} is for weights in blocks; give a weight_format of "
            f"{', '.join(WEIGHT_FORMATS)}, or leave activation_format out"
        )


def _formats(given: WeightFormats | None) -> list[str | None]:
    """The formats of all weights that have one; None of none."""
    return list(dict(given).values()) if isinstance(given, tuple) else [given]


def rounded_output(spec: Any, shape: tuple[AnySize, ...]) -> TensorType:
    """The output of a spec that multiplies what it has multiplied itself.

    That is rounded to the element type before it is rounded to whole numbers: next to a tie,
    another may be multiplied.
    """
    return TensorType("output", shape, spec.io_dtype, rounded=spec.activation_format)
