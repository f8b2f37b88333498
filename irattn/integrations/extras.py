"""Load the packages that integrations are for; each is the extra of its name."""

from importlib import import_module
from typing import Any

from irattn.errors import MissingPackageError


def need(package: str) -> Any:
    """The package; MissingPackageError with the extra where it is not there."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            # It is there and lacks another, which the error names.
            raise
        raise MissingPackageError(
            f"irattn.integrations.{package}: {package} is not installed; "
            f"pip install 'irattn[{package}]'"
        ) from error
