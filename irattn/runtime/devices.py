"""Devices: which drivers are there, what each offers, and why one is not to be had."""

import re
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from irattn.errors import DeviceError

CPU_DRIVERS = ("local-sync", "local-task")
GPU_DRIVERS = ("hip", "cuda")
DEVICES = ("auto", "cpu", *CPU_DRIVERS, *GPU_DRIVERS)


@dataclass(frozen=True)
class DriverStatus:
    """A driver of the installed runtime: its devices, or the reason why there are none."""

    driver: str
    devices: tuple[str, ...]
    problem: str | None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return asdict(self)


def driver_status(driver: str) -> DriverStatus:
    """Ask a driver for its devices; never raises."""
    try:
        from iree import runtime

        found = runtime.get_driver(driver).query_available_devices()
    except ImportError as error:
        return DriverStatus(driver, (), f"the IREE runtime does not import: {error}")
    except (RuntimeError, ValueError) as error:
        return DriverStatus(driver, (), _shorten(error))
    names = tuple(str(device["name"] or device["path"]) for device in found)
    return DriverStatus(driver, names, None if names else "the driver finds no device")


@cache
def open_device(driver: str) -> Any:
    """The HAL device of a driver (`hip`, `local-sync`, …); DeviceError with the reason if none."""
    from iree import runtime

    status = driver_status(driver)
    if status.problem:
        raise DeviceError(f"device {driver}: {status.problem}; `irattn doctor` shows what is there")
    try:
        return runtime.get_device(driver)
    except (RuntimeError, ValueError) as error:
        raise DeviceError(f"device {driver}: {_shorten(error)}") from error


def runtime_version() -> str:
    """Version of the installed runtime package."""
    from importlib.metadata import version

    return version("iree-base-runtime")


def _shorten(error: Exception) -> str:
    """IREE's own words without its source location and the places where it looked."""
    found = re.search(r"[A-Z_]+; (.+?)(?:[;:] please .*)?$", str(error), re.MULTILINE)
    return found.group(1) if found else str(error)
