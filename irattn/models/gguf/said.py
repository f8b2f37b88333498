"""The metadata of a GGUF file about its own architecture, each value checked when it is read."""

from collections.abc import Collection
from typing import Any

import numpy as np

from irattn.core.errors import ConfigError
from irattn.core.gguf_file import GgufFile
from irattn.models.values import positive, whole

ARCHITECTURE = "general.architecture"


class Said:
    """The metadata of a file's own architecture, by what follows its name."""

    def __init__(self, file: GgufFile, ignored: Collection[str]) -> None:
        self.name = str(file.metadata[ARCHITECTURE])
        before = f"{self.name}."
        self.fields = {
            key: _one(key, value)
            for key, value in file.metadata.items()
            if key.startswith(before) and key not in ignored
        }

    def named(self, key: str) -> str:
        """The whole name of a key."""
        return f"{self.name}.{key}"

    def value(self, key: str) -> Any:
        """Whatever there is, None without it."""
        return self.fields.get(self.named(key))

    def whole(self, key: str, least: int = 1) -> int | None:
        """A whole number, if it is there."""
        return whole(self.fields, self.named(key), least=least)

    def positive(self, key: str) -> float | None:
        """A number above zero, if it is there."""
        return positive(self.fields, self.named(key))

    def given(self, key: str) -> bool | int | float | None:
        """A flag, or a number above zero; files say 0 where there is none of a thing."""
        value = self.value(key)
        if isinstance(value, bool):
            return value
        if value is None or value == 0:
            return None
        return self.whole(key) if type(value) is int else self.positive(key)

    def needed(self, key: str) -> int:
        """A whole number that must be there."""
        value = self.whole(key)
        if value is None:
            raise ConfigError(f"{self.named(key)}: missing")
        return value


def _one(key: str, value: object) -> Any:
    """A value; of a list for each layer that says the same of all, that."""
    if not isinstance(value, np.ndarray):
        return value
    each = value.tolist()
    return (
        each[0]
        if each and key.endswith(("length", "_kv", "head_count")) and len({*each}) == 1
        else each
    )
