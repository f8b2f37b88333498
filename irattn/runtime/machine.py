"""The target of a verb that is given none: this machine's GPU where there is one, else its CPU."""

from functools import cache

from irattn import targets
from irattn.runtime.devices import CPU_DRIVERS, GPU_DRIVERS, device_arch
from irattn.runtime.iree_providers import driver_library
from irattn.targets import Target


def target_or_here(name: str | None, device: str = "auto") -> Target:
    """The target of a name; of none the one that this machine, or a device that is named, runs.

    TargetError for a name that there is not.
    """
    if name is not None:
        return targets.get(name)
    if device in ("cpu", *CPU_DRIVERS):
        return targets.get("cpu")
    for driver in (device,) if device in GPU_DRIVERS else GPU_DRIVERS:
        if target := gpu_target(driver):
            return target
    return targets.get("cpu")


def gpu_target(driver: str) -> Target | None:
    """The target of a driver's GPU; None where it has none, or one that is not compiled for."""
    arch = device_arch(driver)
    return _newest(driver, arch) if arch else None


@cache
def launched_target(driver: str, number: int) -> str | None:
    """The name of the target of a GPU, as its driver's own library tells of it.

    None where nothing is compiled for it, DeviceError where the library is not there.
    """
    target = _newest(driver, driver_library(driver).arch(number))
    return target.name if target else None


def _newest(driver: str, arch: str) -> Target | None:
    """The target whose code a GPU of an architecture runs; None where there is none."""
    able = [one for one in targets.all_targets() if one.driver == driver and one.runs_on(arch)]
    # Where several run, as PTX does on later GPUs, the last is the newest.
    return able[-1] if able else None
