"""Times of tiles on a device, taken in turns; each tile has a process of its own."""

import platform
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from irattn.compiling.artifact import Artifact
from irattn.core.errors import DeviceError, UsageError, shown
from irattn.core.progress import step
from irattn.lab.benchmark.machine import processor, widest_vectors
from irattn.lab.benchmark.plan import DEVICES, threads_on
from irattn.lab.benchmark.process import SideProcess
from irattn.lab.benchmark.running import TURNS
from irattn.lab.benchmark.timing import interleave
from irattn.lab.benchmark.work import bench_tensors
from irattn.lab.tuning.timed import Timed, TimedTile
from irattn.lab.verification import known_case
from irattn.runtime import GPU_DRIVERS, device_hint, driver_status
from irattn.runtime.devices import device_arch, driver_info
from irattn.runtime.loading import cpu_problem, misfit
from irattn.targets import Target, host_cpu_flags


def device_for(target: Target, device: str, identity: str | None = None) -> str:
    """The device on which a target's code is timed here; DeviceError with the reason for none.

    `identity` is that of the processor that `cpu` means, by default this one.
    """
    if device not in DEVICES:
        raise UsageError(
            f"device: expected one of {', '.join(DEVICES)}, got {shown(device)}"
            f"{device_hint(device)}"
        )
    if device not in ("auto", "cpu") and (problem := misfit(target, device)):
        raise UsageError(f"device {device}: the target {target.name} {problem}")
    if device == "cpu" and target.is_gpu:
        raise UsageError(f"device cpu: the target {target.name} is a GPU")
    if not target.is_gpu:
        if problem := cpu_problem(target, identity or target.identity):
            raise DeviceError(f"device cpu: code is {problem}")
        return "cpu" if device == "auto" else device
    if problem := driver_status(target.driver).problem:
        raise DeviceError(f"device {target.driver}: {problem}")
    arch = device_arch(target.driver)
    if arch and not target.runs_on(arch):
        raise DeviceError(f"device {target.driver}: is {arch}, and does not run {target.name} code")
    return target.driver


def machine_of(device: str) -> dict[str, Any]:
    """The machine of a device: the processor and its threads, or the GPUs that the driver finds."""
    machine: dict[str, Any] = {
        "processor": processor(),
        "vectors": widest_vectors(host_cpu_flags()),
        "system": platform.platform(),
    }
    if device not in GPU_DRIVERS:
        return {**machine, "threads": threads_on(device)}
    return {
        **machine,
        "devices": list(driver_status(device).devices),
        "driver": driver_info(device),
    }


def measure(
    tiles: Sequence[tuple[Artifact, Artifact]], device: str, turns: int = TURNS
) -> list[Timed]:
    """Seconds of a call of each tile: median, quartiles, and how many calls they are of.

    Each is given with its cut, on which it is compared with the reference first. `halves` are the
    medians of every other turn, and of the turns between. On a GPU, launches are timed, many with
    one synchronisation. What does not run there, or is wrong, is not timed.
    """
    call = tiles[0][1].spec.calls[-1]
    known = known_case("bench", call, bench_tensors(call))
    threads = threads_on(device)
    with ExitStack() as stack, step(f"timing {len(tiles)} tiles in turns"):
        sides = []
        for whole, small in tiles:
            sides.append(TimedTile(stack.enter_context(SideProcess("own", threads, device))))
            sides[-1].prepare(whole, small, known)
        taken = interleave([side.turn for side in sides], turns)
    return [side.after(turns) for side, turns in zip(sides, taken, strict=True)]
