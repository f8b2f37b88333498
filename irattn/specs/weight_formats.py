"""The formats of a spec's quantised weights: one for all of them, or one for each by name."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from irattn.core.errors import SpecError, shown
from irattn.core.weight_formats import weight_format

# The weights of an MLP by the names that they may have.
MLP_WEIGHTS = ("gate_up", "gate", "up", "down")

# One for all, or pairs of a weight's name and its format.
WeightFormats: TypeAlias = str | tuple[tuple[str, str], ...]


def stored_formats(given: Any, *choices: Sequence[str]) -> WeightFormats | None:
    """Formats in one form; SpecError unless they name all weights of one of the `choices`.

    A mapping, or its pairs, has a format for each weight.
    """
    if given is None or isinstance(given, str):
        return given if given is None else weight_format(given).name
    try:
        by_name = dict(given)
        names = next(names for names in choices if by_name.keys() == set(names))
    except (TypeError, ValueError, StopIteration):
        words = " or of ".join(", ".join(names) for names in choices)
        raise SpecError(
            f"weight_format: expected a format, or one each of {words}, got {shown(given)}"
        ) from None
    known = [weight_format(by_name[name]) for name in names]
    if len({one.scaled is None for one in known}) > 1:
        raise SpecError(
            "weight_format: expected formats in blocks, or formats whose scales are apart, got "
            f"both: {', '.join(one.name for one in known)}"
        )
    return tuple((name, one.name) for name, one in zip(names, known, strict=True))


def stored_some(given: Any, names: Sequence[str]) -> WeightFormats | None:
    """Formats in one form; of a mapping, those of some weights. SpecError for other names."""
    if given is None or isinstance(given, str):
        return stored_formats(given)
    try:
        by_name = dict(given)
    except (TypeError, ValueError):
        by_name = {}
    if not by_name or by_name.keys() - set(names):
        raise SpecError(
            f"weight_format: expected a format, or those of some of {', '.join(names)}, got "
            f"{shown(given)}"
        )
    return stored_formats(by_name, [name for name in names if name in by_name])


def format_of(formats: WeightFormats | None, name: str) -> str | None:
    """The format of a weight, None for one that has none."""
    if formats is None or isinstance(formats, str):
        return formats
    return dict(formats).get(name)


def is_apart(formats: WeightFormats | None, name: str) -> bool:
    """Whether a weight has a format of its own."""
    return not isinstance(formats, str | None) and name in dict(formats)


def formats_for(formats: WeightFormats | None, names: Mapping[str, str]) -> WeightFormats | None:
    """The formats of a part, whose weights have other `names` in the whole."""
    if formats is None or isinstance(formats, str):
        return formats
    of_part = {own: dict(formats)[name] for name, own in names.items() if name in dict(formats)}
    return tuple(of_part.items()) or None


def check_formats_of_layer(
    formats: WeightFormats | None,
    own: str,
    *,
    has_mlp: bool,
    has_experts: bool,
    of_mlp: Collection[str] = MLP_WEIGHTS,
) -> None:
    """SpecError for formats of an MLP where a layer has none; `own` are its other weights."""
    if isinstance(formats, str):
        if has_experts:
            raise SpecError(
                f"weight_format: experts have their own (experts.weight_format); name {own}"
            )
    elif not has_mlp:
        for name, _ in formats or ():
            if name in of_mlp:
                raise SpecError(f"weight_format: {name} is of an MLP, which this layer has not")
