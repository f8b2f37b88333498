"""Artifacts to callables. The only room that imports iree.runtime."""

from irattn.runtime.device_array import DeviceArray
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
from irattn.runtime.transfer_counts import Transfers, transfers

__all__ = [
    "CPU_DRIVERS",
    "DEVICES",
    "EMULATORS",
    "GPU_DRIVERS",
    "LAUNCH_FLAG",
    "DeviceArray",
    "DriverStatus",
    "Kernel",
    "Launcher",
    "Selection",
    "Transfers",
    "auto_device",
    "driver_status",
    "load_artifact",
    "load_variant",
    "select",
    "transfers",
]
