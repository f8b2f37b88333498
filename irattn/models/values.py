"""Values of a configuration, checked: ConfigError names the key of what is not one."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from irattn.core import numbers
from irattn.core.errors import ConfigError, SpecError, shown
from irattn.models.names import EXPERTS, LAYERS

# Far beyond what any model says, and within the range of floats when multiplied.
_LEAST, _MOST = 5e-324, 1e150
# Layers enough to see every kind, where the file does not say how many there are, and at most.
MOST_LAYERS = 10_000
# Of all layers together, each of which has tensors of its own in most files.
_MOST_EXPERTS = 250_000

Fields = Mapping[str, Any]
_Made = TypeVar("_Made")


def whole(fields: Fields, *keys: str, least: int = 1) -> int | None:
    """The first of these keys that is set; ConfigError unless it is a whole number."""
    for key in keys:
        value = fields.get(key)
        if value is None:
            continue
        return numbers.whole(key, value, least=least, error=ConfigError)
    return None


def key_of(fields: Fields, *keys: str) -> str:
    """The first of these keys that is set, for messages; the first one where none is."""
    return next((key for key in keys if fields.get(key) is not None), keys[0])


def check_layer_count(fields: Fields, count: int) -> None:
    """ConfigError for so many layers, more than any model has, which would be listed one by one."""
    if count > MOST_LAYERS:
        raise ConfigError(f"{key_of(fields, *LAYERS)}: expected at most {MOST_LAYERS}, got {count}")


def check_expert_count(fields: Fields) -> None:
    """ConfigError for more experts than any model has, which would be listed one by one."""
    count, layers = whole(fields, *EXPERTS) or 0, whole(fields, *LAYERS) or 1
    if count * layers > _MOST_EXPERTS:
        raise ConfigError(
            f"{key_of(fields, *EXPERTS)}: expected at most {_MOST_EXPERTS // layers} in each of "
            f"{layers} layers, got {count}"
        )


def rope_type_key(rope: Fields) -> str:
    """The key that has the kind of a rotation's scaling: `type` is the older word."""
    return key_of(rope, "rope_type", "type")


def rope_type(rope: Fields) -> str | None:
    """The kind of a rotation's scaling, by either of its keys."""
    return text(rope, rope_type_key(rope))


def missing(what: str, also: str = "") -> ConfigError:
    """The error for a key that every model's file has, with its other names where it has some."""
    known = f" (also known as {also})" if also else ""
    return ConfigError(
        f"{what}: missing{known}; expected a model's whole config.json, as the hub has it"
    )


def text(fields: Fields, key: str) -> str | None:
    """A text value, if it is set."""
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{key}: expected text, got {shown(value)}")
    return value


def texts(fields: Fields, key: str) -> list[str]:
    """A list of texts, empty if it is not set."""
    value = fields.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{key}: expected a list of texts, got {shown(value)}")
    return value


def positive(fields: Fields, *keys: str) -> float | None:
    """The first of these keys that is set; ConfigError unless it is a number above zero."""
    for key in keys:
        value = fields.get(key)
        if value is None:
            continue
        is_large = isinstance(value, int | float) and value > _MOST
        words = f"a number above 0{f' and up to {_MOST:g}' if is_large else ''}"
        return numbers.real(key, value, _LEAST, _MOST, expected=words, error=ConfigError)
    return None


def positive_or_off(fields: Fields, key: str) -> float | None:
    """A number above zero; None where it is not set, or zero."""
    return positive(fields, key) if fields.get(key) else None


def flag(fields: Fields, value: str | bool) -> bool:
    """A flag that is fixed, or that the key of this name sets; off if it is not set."""
    return value if isinstance(value, bool) else bool(fields.get(value))


def section(fields: Fields, key: str) -> Fields:
    """A nested object, empty if it is not set."""
    value = fields.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{key}: expected an object, got {shown(value)}")
    return value


def by_keys(make: Callable[..., _Made], keys: Mapping[str, str], **given: Any) -> _Made:
    """A spec or a part of one; ConfigError by the key that a refused field comes of."""
    try:
        return make(**given)
    except SpecError as error:
        field, colon, rest = str(error).partition(":")
        raise ConfigError(f"{keys.get(field, field)}{colon}{rest}") from error
