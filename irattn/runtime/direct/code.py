"""Code on one device: modules loaded, functions looked up, constants uploaded."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irattn.core.errors import DeviceError
from irattn.runtime.direct.driver import Driver
from irattn.targets.architectures import runs

if TYPE_CHECKING:
    from irattn.binary.launches import KernelEntry, LaunchPlan


@dataclass(frozen=True)
class LoadedKernel:
    """A kernel's function on a device, and what every launch of it takes besides its grid."""

    function: int
    block: tuple[int, int, int]
    shared_bytes: int


@dataclass(frozen=True)
class LoadedCode:
    """A plan's kernels by name on device `number`, and the addresses of its constants."""

    driver: Driver
    number: int
    kernels: Mapping[str, LoadedKernel]
    constants: tuple[int, ...]


def load(
    driver: Driver, number: int, plan: "LaunchPlan", files: Mapping[str, bytes], stream: int = 0
) -> LoadedCode:
    """The plan's code on a device of a driver, which keeps it.

    DeviceError where the device is of another architecture, where the driver refuses the code, and
    where `stream` is being captured: loading would end the capture.
    """
    _check_arch(driver, number, plan)
    if driver.captures(number, stream):
        raise DeviceError(
            f"{plan.name}: is not loaded on device {driver.name} {number}, and nothing can be "
            "loaded while a graph is captured; call kernel.prepare(device) before"
        )
    try:
        with driver.on(number):
            modules = {
                code.file: driver.handle("load", files[code.file] + b"\0")
                for code in plan.code_objects
            }
            kernels = {one.name: _kernel(driver, modules, one) for one in plan.kernels}
            constants = tuple(
                _uploaded(driver, files[buffer.file])
                for buffer in plan.buffers
                if buffer.role == "constant" and buffer.file
            )
    except DeviceError as error:
        raise DeviceError(f"{plan.name}: does not load: {error}") from error
    return LoadedCode(driver, number, kernels, constants)


def _check_arch(driver: Driver, number: int, plan: "LaunchPlan") -> None:
    count = driver.num_devices
    if not 0 <= number < count:
        raise DeviceError(f"device {driver.name} {number}: expected one of {count} devices")
    arch = driver.arch(number)
    if not runs(plan.gfx, arch):
        raise DeviceError(
            f"{plan.name}: compiled for {plan.gfx}, which does not run on device {driver.name} "
            f"{number}, {arch}"
        )


def _kernel(driver: Driver, modules: Mapping[str, int], entry: "KernelEntry") -> LoadedKernel:
    function = driver.handle("find", modules[entry.code_object], entry.name.encode())
    if entry.dynamic_lds:
        driver.set_shared_memory(function, entry.dynamic_lds)
    return LoadedKernel(function, entry.workgroup_size, entry.dynamic_lds)


def _uploaded(driver: Driver, data: bytes) -> int:
    address = driver.handle("allocate", len(data))
    driver.call("upload", address, ctypes.c_char_p(data), len(data), 0)
    driver.call("wait", 0)
    return address
