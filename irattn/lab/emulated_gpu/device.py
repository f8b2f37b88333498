"""Opens AMD GPUs that are not there: IREE's own hip driver on the emulator's library.

The driver is one of its own beside that of a real GPU, and a process may use both.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from irattn import targets
from irattn.compiling.store import default_root
from irattn.core.errors import DeviceError
from irattn.runtime import ending
from irattn.runtime.devices import wrapped
from irattn.runtime.direct import Hip
from irattn.runtime.memory import Device
from irattn.targets import Target

if TYPE_CHECKING:
    from irattn.lab.emulator.hip import Bridge

EMULATOR = "emulator"
# The same under every order of waves, without IREE's driver.
EMULATOR_SCHEDULES = "emulator-schedules"
EMULATORS = (EMULATOR, EMULATOR_SCHEDULES)

# DLPack's type and number of the host's memory.
_HOST = (1, 0)

_DYLIB_PATH = "IREE_HIP_DYLIB_PATH"
_lock = threading.Lock()
_devices: dict[tuple[str, int], Any] = {}


def problem(target: Target) -> str | None:
    """Why a target's code is not executed here; None where it is."""
    if target.driver != "hip":
        return "is not code for an AMD GPU"
    from irattn.binary.codeobject import has_tables
    from irattn.lab.emulator import emulates

    if not emulates(target.name):
        known = ", ".join(one.name for one in emulated_targets())
        return f"is not emulated ({known} are)"
    if not has_tables(target.name):
        return "is emulated with instruction tables that are not here: pip install 'irattn[isa]'"
    return None


def emulated_targets() -> list[Target]:
    """The targets whose code is executed where their instruction tables are."""
    from irattn.lab.emulator import emulates

    return [target for target in targets.all_targets() if emulates(target.name)]


def library_problem() -> str | None:
    """Why IREE's driver cannot be had for the emulator; None where it can."""
    from irattn.lab.emulator.hip import library

    try:
        library(default_root())
    except DeviceError as error:
        return str(error)
    return None


def device_of(target: str) -> Device:
    """The emulated GPU of an AMD target, for arrays that stay there; DeviceError as below."""
    return wrapped(EMULATOR, open_device(target))


def open_device(target: str) -> Any:
    """The emulated GPU of an AMD target; DeviceError with the reason where it cannot be had.

    A device on which a launch has failed fails for ever, as a real one may: after a failure this
    is a new one. The old one is kept, as buffers that are still there must not outlive it.
    """
    with _lock:
        key = (target, bridge().failures)
        if key not in _devices:
            _devices[key] = _create_device(target)
        return _devices[key]


def _create_device(target: str) -> Any:
    driver = _driver()
    ids = {device["name"]: device["device_id"] for device in driver.query_available_devices()}
    name = f"{target} emulated by irattn"
    if name not in ids:
        raise DeviceError(
            f"device emulator: {target} is not among what the driver finds: {', '.join(ids)}; "
            "IREE may have been told of another library by --hip_dylib_path"
        )
    return driver.create_device(ids[name], None)


class EmulatedHip(Hip):
    """The emulator's library to the launcher: one device, in whose memory the host's arrays lie.

    It takes only what it was told of: memory of its own, and what `hipHostRegister` names.
    """

    def __init__(self, number: int) -> None:
        from irattn.lab.emulator.hip import library

        super().__init__(library(default_root()))
        self.first = number

    def place_of(self, number: int) -> tuple[int, int]:
        return _HOST

    def number_of(self, place: tuple[int, int]) -> int:
        return self.first


def direct_driver(target: str) -> EmulatedHip:
    """The emulated GPU of an AMD target to the launcher; DeviceError where it cannot be had."""
    names = [one.name for one in bridge().targets]
    return EmulatedHip(names.index(target))


@cache
def bridge() -> "Bridge":
    """The bridge that answers the library: one in a process, with every AMD target as a device."""
    from irattn.lab.emulator.hip import Bridge, library, run

    amd = [target for target in targets.all_targets() if target.driver == "hip"]
    return Bridge(library(default_root()), amd, run)


@cache
def _driver() -> Any:
    # The public function keeps one driver of a name for the process; this makes another. The
    # runtime's version is pinned.
    from iree.runtime._binding import create_hal_driver
    from iree.runtime.flags import parse_flags

    from irattn.lab.emulator.hip import library

    # A driver reads its settings when it is created. With the cache, a result's memory would still
    # hold an earlier, correct result.
    parse_flags("--hip_async_caching=false")
    with _environment(_DYLIB_PATH, f"file:{library(default_root())}"):
        try:
            return create_hal_driver("hip")
        except (RuntimeError, ValueError) as error:
            raise DeviceError(f"device emulator: {error}") from error
        finally:
            parse_flags("--hip_async_caching=true")


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """An environment variable for a while."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _forget() -> None:
    _devices.clear()
    bridge.cache_clear()
    _driver.cache_clear()


ending.afterwards(_forget)
