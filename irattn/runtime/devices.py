"""Devices: which drivers are there, what each offers, and why one is not to be had."""

import ctypes
import os
import re
import sys
import threading
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from irattn.core.errors import ArgumentError, DeviceError, shown
from irattn.core.packages import RUNTIME, needed_version
from irattn.runtime.allocation import open_gpu
from irattn.runtime.cores import on_all_cores
from irattn.runtime.cuda_context import context_attacher
from irattn.runtime.memory import Device

CPU_DRIVERS = ("local-sync", "local-task")
GPU_DRIVERS = ("hip", "cuda")
# Among the names of a library, one beside the other: `'a.dll'/'a.so'`.
_WINDOWS_LIBRARY = re.compile(r"'[\w.]+\.dll'/|/'[\w.]+\.dll'")
_OTHER_LIBRARY = re.compile(r"'[\w.]+\.so'/|/'[\w.]+\.so'")
# Those that work while who calls them goes on.
ASYNCHRONOUS = ("local-task", *GPU_DRIVERS)


# What others call the devices of these drivers.
_ELSEWHERE = {
    "hip": ("rocm", "amd", "amdgpu", "radeon", "instinct"),
    "cuda": ("nvidia", "geforce"),
    "cpu": ("host", "llvm-cpu"),
}


def device_hint(word: object) -> str:
    """A hint that names the device which others call by this word; empty if there is none."""
    plain = str(word).lower().partition(":")[0]
    if plain in ("gpu", "device", "xpu"):
        return "; AMD's GPUs are hip, NVIDIA's cuda, and auto takes the target's"
    for name, words in _ELSEWHERE.items():
        if plain in (name, *words):
            return f"; here it is called {name}"
    return ""


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
        devices = _driver(driver).query_available_devices()
    except ImportError as error:
        return DriverStatus(driver, (), f"the IREE runtime does not import: {error}")
    except (RuntimeError, ValueError) as error:
        return DriverStatus(driver, (), _shorten(error))
    names = tuple(str(device["name"] or device["path"]) for device in devices)
    return DriverStatus(driver, names, None if names else "the driver finds no device")


def _driver(name: str) -> Any:
    """The driver, which keeps the workers that it begins with for good."""
    from iree import runtime

    with on_all_cores():
        driver = runtime.get_driver(name)
    _asked.add(name)
    return driver


def open_device(driver: str) -> Device:
    """The device of a driver (`hip`, `local-sync`, …); DeviceError with the reason without one."""
    # A driver that two threads open at once would be there twice, with memories of their own.
    with _opening:
        return _open_driver(driver)


def memory_of(device: str) -> Device:
    """The device of a driver's name, where `cpu` is any CPU driver; a device is its own.

    ArgumentError for a name that keeps no arrays, DeviceError where the device is not there.
    """
    if isinstance(device, Device):
        return device
    names = ("cpu", *CPU_DRIVERS, *GPU_DRIVERS)
    if device not in names:
        raise ArgumentError(
            f"device: expected one of {', '.join(names)}, or a kernel's device, got {shown(device)}"
            f"{device_hint(device)}"
        )
    return open_device(CPU_DRIVERS[0] if device == "cpu" else device)


_opening = threading.Lock()
# Drivers that this process has.
_asked: set[str] = set()


def _forget_workers() -> None:
    """Open IREE's threaded driver anew in a forked process, which has none of its workers."""
    if not _asked:
        return
    from iree.runtime import _binding, system_setup

    # Never freed, at this process's end neither: that would wait for threads of the parent's. IREE
    # keeps these for the process; the runtime's version is pinned.
    devices = system_setup._GLOBAL_DEVICES_BY_URI
    for kept in (*devices.values(), *map(_binding.get_cached_hal_driver, _asked)):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
    _binding.clear_hal_driver_cache()
    _asked.clear()
    # Other drivers have the devices that they had.
    devices.pop("local-task", None)
    _open_driver.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


@cache
def wrapped(driver: str, hal: Any) -> Device:
    """The one object for a device of IREE's, which is kept."""
    attach = context_attacher() if driver == "cuda" else None
    is_host, has_queues = driver in CPU_DRIVERS, driver in ASYNCHRONOUS
    return Device(driver, hal, is_host=is_host, attach=attach, has_queues=has_queues)


@cache
def _open_driver(driver: str) -> Device:
    status = driver_status(driver)
    if status.problem:
        raise DeviceError(f"device {driver}: {status.problem}; `irattn doctor` shows what is there")
    from iree import runtime

    try:
        with on_all_cores():
            hal = open_gpu(driver) if driver in GPU_DRIVERS else runtime.get_device(driver)
        return wrapped(driver, hal)
    except (RuntimeError, ValueError) as error:
        raise DeviceError(f"device {driver}: {_shorten(error)}") from error


@cache
def device_arch(driver: str) -> str | None:
    """The architecture of the GPU that `open_device` opens, such as `gfx90a:sramecc+:xnack-`.

    None where there is no device, or where the runtime does not tell.
    """
    info = driver_info(driver)
    return None if info is None else arch_in(info)


def driver_info(driver: str) -> str | None:
    """All that a driver says of the device that `open_device` opens; None where it says nothing."""
    if driver_status(driver).problem:
        return None
    try:
        opened = _driver(driver)
        # The first is the default.
        return str(opened.dump_device_info(opened.query_available_devices()[0]["device_id"]))
    except (RuntimeError, ValueError):
        return None


def arch_in(info: str) -> str | None:
    """The architecture that a driver's description of a device names."""
    if named := re.search(r"gpu-arch-name: (gfx\w+\S*)", info):
        return named[1]
    if named := re.search(r"gpu-compute-capability: (\d+)\.(\d+)", info):
        return f"sm_{named[1]}{named[2]}"
    return None


def runtime_version() -> str:
    """The version of the installed runtime; MissingPackageError where there is none."""
    return needed_version(RUNTIME, "running")


def _shorten(error: Exception) -> str:
    """IREE's own words without its source location and the places where it looked."""
    said = re.search(r"[A-Z_]+; (.+?)(?:[;:] please .*)?$", str(error), re.MULTILINE)
    text = said.group(1) if said else str(error)
    # The driver names the files of all systems.
    foreign = _OTHER_LIBRARY if sys.platform == "win32" else _WINDOWS_LIBRARY
    return foreign.sub("", text)
