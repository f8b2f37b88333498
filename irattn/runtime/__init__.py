"""Artifacts to callables. The only room that imports iree.runtime."""

from irattn.runtime.devices import (
    CPU_DRIVERS,
    DEVICES,
    EMULATORS,
    GPU_DRIVERS,
    DriverStatus,
    driver_status,
)
from irattn.runtime.kernel import Kernel, Selection
from irattn.runtime.launching import LAUNCH_FLAG, Launcher
from irattn.runtime.loading import auto_device, load_artifact
from irattn.runtime.selection import load_variant, select

__all__ = [
    "CPU_DRIVERS",
    "DEVICES",
    "EMULATORS",
    "GPU_DRIVERS",
    "LAUNCH_FLAG",
    "DriverStatus",
    "Kernel",
    "Launcher",
    "Selection",
    "auto_device",
    "driver_status",
    "load_artifact",
    "load_variant",
    "select",
]
