"""Load the packages that integrations are for; each is an extra."""

from importlib import import_module
from typing import Any

from irattn.errors import MissingPackageError


def need(package: str, extra: str) -> Any:
    """The package; MissingPackageError where it is not installed, with the extra that brings it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        # Of a package that is there and lacks another, the error itself says which.
        if error.name != package:
            raise
        raise MissingPackageError(
            f"irattn.integrations.{extra}: {package} is not installed; "
            f"pip install 'irattn[{extra}]'"
        ) from error
