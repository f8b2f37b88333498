"""Artifacts to callables. The only room that imports iree.runtime."""

# `ending` is imported for what it does when Python ends.
from irattn.runtime import ending as ending
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.devices import (
    CPU_DRIVERS,
    GPU_DRIVERS,
    DriverStatus,
    device_hint,
    driver_status,
)
from irattn.runtime.iree_providers import device_names, register_provider, registry
from irattn.runtime.kernel import Kernel, Selection
from irattn.runtime.loading import auto_device, load_artifact
from irattn.runtime.providers import Decision, Provider
from irattn.runtime.selection import load_variant, select
from irattn.runtime.transfer_counts import Transfers, transfers

__all__ = [
    "CPU_DRIVERS",
    "GPU_DRIVERS",
    "Decision",
    "DeviceArray",
    "DriverStatus",
    "Kernel",
    "Provider",
    "Selection",
    "Transfers",
    "auto_device",
    "device_hint",
    "device_names",
    "driver_status",
    "load_artifact",
    "load_variant",
    "register_provider",
    "registry",
    "select",
    "transfers",
]
