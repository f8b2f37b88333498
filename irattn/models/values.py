"""Values of a configuration, checked: ConfigError names the key of what is not one."""

from collections.abc import Mapping
from typing import Any

from irattn.errors import ConfigError

Fields = Mapping[str, Any]


def whole(fields: Fields, *keys: str) -> int | None:
    """The first of these keys that is set; ConfigError unless it is a whole number."""
    for key in keys:
        value = fields.get(key)
        if value is None:
            continue
        if type(value) is not int or value < 1:
            raise ConfigError(f"{key}: expected a whole number of at least 1, got {value!r}")
        return value
    return None


def key_of(fields: Fields, *keys: str) -> str:
    """The first of these keys that is set, for messages; the first one where none is."""
    return next((key for key in keys if fields.get(key) is not None), keys[0])


def text(fields: Fields, key: str) -> str | None:
    """A text value, if it is set."""
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{key}: expected text, got {value!r}")
    return value


def texts(fields: Fields, key: str) -> list[str]:
    """A list of texts, empty if it is not set."""
    value = fields.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{key}: expected a list of texts, got {value!r}")
    return value


def positive(fields: Fields, *keys: str) -> float | None:
    """The first of these keys that is set; ConfigError unless it is a number above zero."""
    for key in keys:
        value = fields.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise ConfigError(f"{key}: expected a number above 0, got {value!r}")
        return float(value)
    return None


def section(fields: Fields, key: str) -> Fields:
    """A nested object, empty if it is not set."""
    value = fields.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{key}: expected an object, got {value!r}")
    return value
