"""The target of a verb that is given none: this machine's GPU where there is one, else its CPU."""

from irattn import targets
from irattn.runtime.devices import CPU_DRIVERS, GPU_DRIVERS, device_arch
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
    if arch is None:
        return None
    able = [one for one in targets.all_targets() if one.driver == driver and one.runs_on(arch)]
    # Where several run, as PTX does on later GPUs, the last is the newest.
    return able[-1] if able else None
