"""Packages that a part of the work needs: their versions, and how to get what is missing."""

from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

from irattn.core.errors import MissingPackageError

COMPILER = "iree-base-compiler"
RUNTIME = "iree-base-runtime"


def installed_version(package: str) -> str | None:
    """The version of a package; None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def needed_version(package: str, what: str) -> str:
    """The version of a package; MissingPackageError, which says what needs it, where it is not."""
    found = installed_version(package)
    if found is None:
        raise MissingPackageError(
            f"{what} needs {package}, which is not installed: {install_command(package)}"
        )
    return found


def install_command(package: str) -> str:
    """The command that installs a package in the version that irattn is made for."""
    return f"pip install {requirement(package)}"


@cache
def requirement(package: str) -> str:
    """The requirement of a package in irattn's own metadata: `iree-base-compiler==3.13.0`."""
    stated = (Requirement(text) for text in requires("irattn") or ())
    return next((str(one) for one in stated if one.name == package and not one.marker), package)
