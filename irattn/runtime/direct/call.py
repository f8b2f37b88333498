"""Carry out a call's steps: everything but addresses and the stream is ready before."""

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import TypeAlias

from irattn.core.errors import DeviceError
from irattn.runtime.direct.code import LoadedCode
from irattn.runtime.direct.steps import Address, Copying, Filling, Launch, Step

# Gives the driver's error; takes the addresses of all steps in order, and the stream.
_Action: TypeAlias = Callable[[Sequence[int], ctypes.c_void_p], int]

_SLOT = 8


class Frame:
    """The arguments of all launches of one call, in memory that drivers read.

    The driver has copied them when a launch returns: the next call of any thread that has the frame
    to itself may write them anew. Each argument has 8 bytes, of which constants use the low half:
    addresses come first, then constants.
    """

    def __init__(self, code: LoadedCode, steps: Sequence[Step]) -> None:
        self._code = code
        places = [place for step in steps for place in _places(step)]
        constants = [word for step in steps if isinstance(step, Launch) for word in step.constants]
        self._values = (ctypes.c_uint64 * (len(places) + len(constants)))()
        self._values[len(places) :] = constants  # type: ignore[assignment]
        self._pack = struct.Struct(f"={len(places)}Q").pack_into
        self._next_place, self._next_constant = 0, len(places)
        self._numbered = [*enumerate([self._action(step) for step in steps])]
        self._stream, self._handle = 0, ctypes.c_void_p(0)
        self.error = 0

    def run(self, addresses: Sequence[int], stream: int) -> int | None:
        """Launch all steps; gives the number of one that the driver refused, and keeps its error.

        `addresses` are those of all places of the steps, in order.
        """
        self._pack(self._values, 0, *addresses)
        if stream != self._stream:
            self._stream, self._handle = stream, ctypes.c_void_p(stream)
        handle = self._handle
        for number, action in self._numbered:
            if error := action(addresses, handle):
                self.error = error
                return number
        return None

    def _action(self, step: Step) -> _Action:
        first = self._next_place
        self._next_place += len(_places(step))
        if isinstance(step, Launch):
            return self._launch(step, first)
        return self._fill(step, first) if isinstance(step, Filling) else self._copy(step, first)

    def _launch(self, step: Launch, first: int) -> _Action:
        kernel, launch = self._code.kernels[step.kernel], self._code.driver.launch
        slots = [*range(first, first + len(step.bindings))]
        slots += range(self._next_constant, self._next_constant + len(step.constants))
        self._next_constant += len(step.constants)
        start = ctypes.addressof(self._values)
        pointers = (ctypes.c_void_p * len(slots))(*(start + _SLOT * slot for slot in slots))
        (x, y, z), (bx, by, bz), shared = step.grid, kernel.block, kernel.shared_bytes
        function = ctypes.c_void_p(kernel.function)
        return lambda addresses, stream: launch(
            function, x, y, z, bx, by, bz, shared, stream, pointers, None
        )

    def _fill(self, step: Filling, first: int) -> _Action:
        fill = self._code.driver.f[f"fill{step.width}"]
        pattern, count = step.pattern, step.count
        return lambda addresses, stream: fill(addresses[first], pattern, count, stream)

    def _copy(self, step: Copying, first: int) -> _Action:
        driver, width, rows = self._code.driver, step.width, step.rows
        if rows == 1:
            copy = driver.f["copy"]
            return lambda at, stream: copy(at[first], at[first + 1], width, stream)
        to_pitch, from_pitch = step.target_pitch, step.source_pitch
        return lambda at, stream: driver.copy_rows(
            at[first], to_pitch, at[first + 1], from_pitch, width, rows, stream
        )


class StepLauncher:
    """Launches the same steps again and again, for several threads at once.

    `name` is the artifact's, for messages.
    """

    def __init__(self, name: str, code: LoadedCode, steps: Sequence[Step]) -> None:
        self._name, self._code, self._steps = name, code, steps
        self._enter, self._leave = code.driver.enter, code.driver.leave
        self._number = code.number
        self._places = [(place.block, place.offset) for step in steps for place in _places(step)]
        self._idle = [Frame(code, steps)]

    def launch(self, blocks: Sequence[int], stream: int) -> None:
        """Launch all steps on a stream; `blocks` are the addresses of a call's memory.

        DeviceError names the driver's error, the step and its kernel.
        """
        try:
            frame = self._idle.pop()
        except IndexError:
            frame = Frame(self._code, self._steps)
        before = self._enter(self._number)
        try:
            refused = frame.run([blocks[i] + offset for i, offset in self._places], stream)
        finally:
            if before is not None:
                self._leave(before)
        if refused is not None:
            self._refuse(refused, frame.error)
        self._idle.append(frame)

    def _refuse(self, number: int, error: int) -> None:
        step, driver = self._steps[number], self._code.driver
        what = f"kernel {step.kernel}" if isinstance(step, Launch) else _WORDS[type(step)]
        raise DeviceError(
            f"{self._name}: step {number + 1} of {len(self._steps)}, {what}, fails on device "
            f"{driver.name} {self._number}: {driver.error_text(error)}"
        )


_WORDS: dict[type, str] = {Filling: "a fill", Copying: "a copy"}


def _places(step: Step) -> tuple[Address, ...]:
    if isinstance(step, Launch):
        return step.bindings
    return (step.target,) if isinstance(step, Filling) else (step.target, step.source)
