"""The packages that only generation needs, loaded on first use."""

from importlib import import_module
from typing import Any

from irattn.core.errors import UsageError


def package(name: str) -> Any:
    """A module of the extra; UsageError, which says how to get it, where it is not there."""
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(
            f"generate: {name.partition('.')[0]} does not import ({error}); "
            "pip install 'irattn[generate]'"
        ) from error
