"""The order of what a thread launches on a device, and how a launch is waited for."""

import re
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from irattn.core.errors import DeviceError
from irattn.runtime.waiting import without_preempting

_T = TypeVar("_T")

# What is launched and not done keeps its memory. After so many calls, or bytes of results, a launch
# waits for those before them: at most twice as many are under way.
MOST_CALLS, MOST_BYTES = 32, 1 << 27


class Launched:
    """Work that a queue has taken, done or not."""

    __slots__ = ("_semaphore", "culprit", "fence", "name", "queue")

    def __init__(self, queue: "Queue", name: str, semaphore: Any, fence: Any) -> None:
        self.queue, self.name, self.fence = queue, name, fence
        self._semaphore = semaphore
        # The name of the launch by which this one failed, once that is known.
        self.culprit = ""

    def wait(self) -> None:
        """Return when the launch is done; DeviceError where it, or one before it, has failed."""
        if self._state == 1:
            return
        try:
            self.queue.wait_for(self.fence)
        except RuntimeError as error:
            raise self.queue.failure(self, error) from error

    @property
    def is_done(self) -> bool:
        """Whether the launch is done, well or not."""
        return self._state != 0

    @property
    def has_failed(self) -> bool:
        """Whether the launch is known to have failed."""
        return self._state is None

    @property
    def _state(self) -> int | None:
        """1 once it is done well, 0 before that; None where it has failed."""
        try:
            return int(self._semaphore.query())
        except RuntimeError:
            return None


class Queue:
    """The launches of one thread on a device: each begins when the one before it is done.

    `driver` is the device's name, `hal` IREE's device, and `attach` what a thread must call before
    it uses that, if anything. `is_host` says that it works on the host's own cores.
    """

    def __init__(
        self, driver: str, hal: Any, attach: Callable[[], None] | None, is_host: bool = False
    ) -> None:
        from iree.runtime import HalFence

        self._driver, self._hal = driver, hal
        self._attach, self._is_host = attach, is_host
        self._thread = threading.current_thread()
        self._at = HalFence.create_at
        self._nothing = self._at(hal.create_semaphore(0), 0)
        self._last: Launched | None = None
        self._recent: deque[Launched] = deque(maxlen=2 * MOST_CALLS)
        self._bound: Launched | None = None
        self._calls = self._bytes = 0

    def launch(
        self, name: str, submit: Callable[[Any, Any], _T], num_bytes: int = 0
    ) -> tuple[_T, Launched]:
        """Call `submit` with the fences to wait for and to signal; gives its result and the launch.

        `num_bytes` are those of results. DeviceError where a launch before it has failed.
        """
        self._keep_within_bounds(num_bytes)
        semaphore = self._hal.create_semaphore(0)
        fence = self._at(semaphore, 1)
        last = self._last
        made = submit(last.fence if last else self._nothing, fence)
        self._last = launched = Launched(self, name, semaphore, fence)
        self._recent.append(launched)
        return made, launched

    @property
    def is_idle(self) -> bool:
        """Whether all launches are done."""
        return self._last is None or self._last.is_done

    @property
    def is_over(self) -> bool:
        """Whether all launches are done, and none will come."""
        return not self._thread.is_alive() and self.is_idle

    def wait_for(self, fence: Any) -> None:
        """Return when a fence of the device is reached; RuntimeError where it has failed."""
        if self._attach:
            self._attach()
        if self._is_host:
            without_preempting(fence.wait)
        else:
            fence.wait()

    def wait(self) -> None:
        """Return when all is done; DeviceError where a launch has failed."""
        if last := self._last:
            last.wait()

    def failure(self, launched: Launched, error: Exception) -> DeviceError:
        """The error of a launch that failed; what is launched from now on does not build on it."""
        recent = list(self._recent)
        if not launched.culprit and launched in recent:
            self._last, self._bound = None, None
            self._recent.clear()
            failed = next((one for one in recent if one.has_failed), launched)
            # All behind it waits for it, and fails too.
            for one in recent[recent.index(failed) :]:
                one.culprit = failed.name
        return launch_failure(launched.culprit or launched.name, self._driver, error)

    def _keep_within_bounds(self, num_bytes: int) -> None:
        self._calls += 1
        self._bytes += num_bytes
        if self._calls > MOST_CALLS or self._bytes > MOST_BYTES:
            bound, self._bound = self._bound, self._last
            self._calls, self._bytes = 1, num_bytes
            if bound:
                bound.wait()


def launch_failure(name: str, driver: str, error: Exception) -> DeviceError:
    """The error of a launch that the runtime says has failed."""
    return DeviceError(f"{name}: launch on device {driver} failed: {launch_problem(error)}")


def launch_problem(error: Exception) -> str:
    """The HIP library's words for a launch that failed there, else IREE's."""
    said = re.search(
        r"HIP driver error '(\w+)' \(\d+\): (.+?)(?:; while invoking .*)?$", str(error), re.DOTALL
    )
    return f"{said[1]}: {said[2].strip()}" if said else str(error)
