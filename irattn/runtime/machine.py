"""The target of this machine: its GPU's where there is one, else its CPU's."""

from irattn import targets
from irattn.runtime.devices import GPU_DRIVERS, device_arch
from irattn.targets import Target


def this_target() -> Target:
    """The target whose code runs best here; what a verb takes that is given none."""
    for driver in GPU_DRIVERS:
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
