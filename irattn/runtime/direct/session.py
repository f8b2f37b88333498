"""An artifact whose code is launched by the driver itself, on streams of the caller's."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from irattn.binary.compiled import Compiled
from irattn.binary.launches import launch_plan_and_files
from irattn.core.errors import ArgumentError
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.direct import values
from irattn.runtime.direct.arrays import Library, check_described
from irattn.runtime.direct.code import LoadedCode, load
from irattn.runtime.direct.driver import Driver
from irattn.runtime.direct.layout import laid_out
from irattn.runtime.direct.prepared import PreparedCall
from irattn.runtime.direct.shared_arrays import SharedArrays
from irattn.runtime.direct.torch_arrays import TorchArrays, is_tensor


class DirectSession:
    """An artifact on the devices of a driver, loaded on each when it is first needed there.

    Several threads may call it at once. Calls do nothing that the capture of a graph forbids, once
    `prepare` was called for the device, or a call made there.
    """

    def __init__(self, artifact: Any, driver: Driver, name: str | None = None) -> None:
        compiled: Compiled = artifact
        self.artifact = artifact
        self.spec = compiled.spec
        self.driver = name or driver.name
        self._driver = driver
        self._plan, self._files = launch_plan_and_files(compiled)
        self._names = [tensor.name for tensor in self.spec.inputs]
        self._output_names = [tensor.name for tensor in self.spec.outputs]
        self._only_output = tuple(self._output_names) if len(self._output_names) == 1 else ("",)
        self._compiled = self.spec.compiled
        self._loaded: dict[int, LoadedCode] = {}
        self._loading = threading.Lock()
        self._shared = SharedArrays(driver)
        self._torch: TorchArrays | None = None
        self._prepared: dict[Any, PreparedCall] = {}
        self._values = values.HostValues(self.spec)

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked NumPy arrays in call order: they go to the device, and results come
        back."""
        number, stream = self._driver.first, 0
        there = [self._shared.upload(array, number, stream) for array in arrays]
        donated = tuple(self.spec.updates.values())
        outputs = self._called(self._shared, there, (), donated, number, stream)
        results: list[Any] = list(outputs) if isinstance(outputs, tuple) else [outputs]
        return tuple(result.to_numpy() for result in results)

    def prepare(self, number: int | None = None) -> None:
        """Load the code on a device, by default the first; DeviceError where it does not load."""
        self._code(self._driver.first if number is None else number, 0)

    def call(
        self,
        arrays: Sequence[Any],
        out: Any = None,
        donate: tuple[str, ...] = (),
        stream: Any = None,
        check: bool = False,
    ) -> Any:
        """The output of arrays in call order, some of them on a device, or a tuple of several.

        Those of NumPy are checked and copied there. What other arrays hold is not looked at, unless
        `check` asks for it: then integers are copied to the host, which waits for them. Numbers out
        of range spoil the results of their own sequence, or of all where they are bounds of packed
        queries, and no other memory.
        """
        if self._torch and stream is None and not check:
            every: Sequence[Any] = arrays
            names: tuple[str, ...] = ()
            if out is not None:
                outs, names = [out], self._only_output
                if isinstance(out, list | tuple):
                    outs, names = self._given_outputs(out)
                every = [*arrays, *outs]
            try:
                ready = self._prepared.get((self._torch.key(every), donate, names))
            except AttributeError:
                # One of another library, or of NumPy's.
                ready = None
            if ready:
                return ready.run(every, self._torch.stream(ready.number))
        return self._call(arrays, out, donate, _handle(stream), check)

    def _call(
        self,
        arrays: Sequence[Any],
        out: Any,
        donate: tuple[str, ...],
        named: int | None,
        check: bool,
    ) -> Any:
        outs, out_names = self._given_outputs(out)
        library, number = self._where(arrays)
        stream = library.stream(number) if named is None else named
        outs = library.taken(out_names, outs, stream)
        arrays = self._taken(library, arrays, number, stream, check)
        with library.on_stream(number, named):
            return self._called(library, [*arrays, *outs], out_names, donate, number, stream)

    def _taken(
        self, library: Library, arrays: Sequence[Any], number: int, stream: int, check: bool
    ) -> list[Any]:
        """The arrays of a call as its library has them, those of NumPy on the device."""
        arrays = library.taken(self._names, arrays, stream)
        if not check and not values.has_host_arrays(arrays):
            return arrays
        return self._values.taken(
            arrays,
            library,
            lambda array: library.upload(array, number, stream),
            (lambda array: library.download(array, stream)) if check else None,
        )

    def _called(
        self,
        library: Library,
        arrays: Sequence[Any],
        out_names: tuple[str, ...],
        donate: tuple[str, ...],
        number: int,
        stream: int,
    ) -> Any:
        key = (library.key(arrays), donate, out_names)
        prepared = self._prepared.get(key)
        if prepared is None:
            prepared = self._prepare(library, arrays, out_names, donate, number, stream)
            if len(self._prepared) >= MOST_REMEMBERED:
                self._prepared.clear()
            self._prepared[key] = prepared
        return prepared.run(arrays, stream)

    def _prepare(
        self,
        library: Library,
        arrays: Sequence[Any],
        out_names: tuple[str, ...],
        donate: tuple[str, ...],
        number: int,
        stream: int,
    ) -> PreparedCall:
        names = [*self._names, *out_names]
        described = [
            library.describe(name, array) for name, array in zip(names, arrays, strict=True)
        ]
        stand_ins = {name: one.stand_in for name, one in zip(self._names, described, strict=False)}
        call = self.spec.of_call(stand_ins)
        outputs = {tensor.name: tensor for tensor in call.outputs}
        tensors = [*call.inputs, *(outputs[name] for name in out_names)]
        for tensor, one in zip(tensors, described, strict=True):
            check_described(tensor, one, self._driver, number, library.convert)
        updated = self.spec.updates.values()
        for name in donate:
            if name not in updated:
                raise ArgumentError(
                    f"donate: expected some of {', '.join(updated) or 'no input'}, which the "
                    f"kernel overwrites, got {name}"
                )
        layout = laid_out(self._plan, call, self._compiled, donate, out_names)
        code = self._code(number, stream)
        return PreparedCall(self._plan.name, library, code, layout, names)

    def _code(self, number: int, stream: int) -> LoadedCode:
        with self._loading:
            if number not in self._loaded:
                self._loaded[number] = load(self._driver, number, self._plan, self._files, stream)
            return self._loaded[number]

    def _where(self, arrays: Sequence[Any]) -> tuple[Library, int]:
        """The library of a call's device arrays, and the device of the first of them."""
        first = values.first_device_array(arrays)
        if is_tensor(first):
            self._torch = self._torch or TorchArrays()
            return self._torch, self._number(first)
        return self._shared, self._number(first)

    def _number(self, array: Any) -> int:
        if not hasattr(array, "__dlpack_device__"):
            raise ArgumentError(
                f"{self._names[0]}: expected an array of a library with __dlpack__, got "
                f"{type(array).__name__}"
            )
        kind, number = array.__dlpack_device__()
        return self._driver.number_of((int(kind), int(number)))

    def _given_outputs(self, out: Any) -> tuple[list[Any], tuple[str, ...]]:
        """The arrays that a caller gave for outputs, and of which."""
        if out is None:
            return [], ()
        several = out if isinstance(out, list | tuple) else (out,)
        if len(several) != len(self._output_names):
            raise ArgumentError(
                f"out: expected an array, or one or None for each of "
                f"{', '.join(self._output_names)}, got {len(several)}"
            )
        pairs = [(n, o) for n, o in zip(self._output_names, several, strict=True) if o is not None]
        for name, _ in pairs:
            if name in self.spec.updates:
                raise ArgumentError(
                    f"out: expected None for {name}, which takes over the memory of "
                    f"{self.spec.updates[name]}; donate that"
                )
        return [array for _, array in pairs], tuple(name for name, _ in pairs)


def _handle(stream: Any) -> int | None:
    """The driver's handle of a stream: a number, or an object that has one."""
    if stream is None or isinstance(stream, int):
        return stream
    if hasattr(stream, "cuda_stream"):
        return int(stream.cuda_stream)
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    raise ArgumentError(
        f"stream: expected the driver's handle as a number, or an object with cuda_stream or "
        f"__cuda_stream__, got {type(stream).__name__}"
    )
