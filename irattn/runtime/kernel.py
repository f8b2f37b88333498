"""A loaded artifact as a callable."""

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from irattn.compiling.artifact import Artifact
from irattn.core.errors import ArgumentError, DeviceError, shown
from irattn.runtime.arguments import Form, Signature, check_type
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.device_calls import DeviceCalls
from irattn.runtime.memory import Device
from irattn.runtime.providers import Decision
from irattn.runtime.session import Loaded, Session, Unopened
from irattn.specs import Spec

if TYPE_CHECKING:
    from irattn.runtime.direct import DirectSession

logger = logging.getLogger("irattn")

_OWN = (np.ndarray, DeviceArray)


@dataclass(frozen=True)
class Selection:
    """Which variant of a bundle's entry a machine runs, on which device, and why not the others.

    `accepted` is a target, None where no variant is accepted; `rejected` are targets with reasons,
    in the order in which they were considered. `devices` says the same of what could run the
    accepted one, in order of choice. For what is no bundle, the entry is the artifact. `launchers`
    are those that the kernel has, `iree` and `direct`, each with what it takes.
    """

    entry: str
    accepted: str | None
    rejected: tuple[tuple[str, str], ...]
    devices: tuple[Decision, ...] = ()
    launchers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        reasons = "; ".join(f"{target}: {reason}" for target, reason in self.rejected)
        return f"{self.entry}: {self.accepted or 'no variant'} is taken; {reasons}"


def numpy_only(driver: str) -> str:
    """The message of a device that keeps no arrays."""
    return f"device {driver}: takes NumPy arrays only"


class Kernel:
    """A compiled graph: `kernel(query=…, key=…, value=…) -> np.ndarray`.

    Arguments are NumPy arrays or device arrays, named, shaped and typed as `kernel.spec.inputs`
    says: by keyword, or in that order. uint16, int16 and V2, in which other libraries and .npy
    files keep the bits of bf16, are not taken for it: pass `array.view(ml_dtypes.bfloat16)`. The
    result is the output, or a tuple of all outputs where `kernel.spec.outputs` lists several.
    Several threads may call it at once.

    Where any argument is a DeviceArray, or `out` is given, the results are device arrays and
    nothing goes to the host; NumPy arrays among the arguments are copied to the device. On
    `local-task`, `hip` and `cuda` such a call returns before it is done, and who reads a result
    waits for it; the calls of a thread are done in their order, of which at most 64 are under way.
    What another library may change too is no longer in use when the call returns. Shapes and
    types are always checked. Integers that compiled code trusts are checked, too: of a device array
    once, or at each call where another library shares its memory; for that, those that another
    library made on a GPU are copied to the host. A block table with other numbers than ids past a
    context is replaced by a copy with 0 there, made once for the same lengths.

    On GPUs, arrays of PyTorch and of other libraries with DLPack are taken where they lie, by the
    launcher `direct`: on PyTorch's current stream, or on the `stream` of the caller's, with memory
    of PyTorch's allocator. Results are arrays of the same library (DirectArrays of libraries other
    than PyTorch). Such a call returns before it is done, as the library's own do. What these arrays
    hold is not looked at, unless `check` asks for it, which waits for them: numbers out of range
    spoil the results of their own sequence, and no other memory. Once `prepare` was called, a call
    does nothing that a capture of a graph forbids. Where the driver finds a GPU that runs the code,
    IREE opens no device before a call has NumPy's or device arrays.

    No argument is written to, but inputs that `donate` names: the updated caches then are their own
    memory, and using one of them again is an ArgumentError. Without it a cache on the device is
    copied first. `out` is a device array for the output, or one or None for each of several;
    outputs are copied into it on the device.

    `kernel.selection` says which variant of a bundle was taken, on which device, and why not the
    others; a fallback later on changes `artifact` and `driver` alone. ArgumentError for a wrong
    argument, DeviceError for a launch that fails where there is nothing to fall back to, as there
    is not with device arrays: of a call that has returned, at the first wait for its results.
    """

    def __init__(
        self,
        session: Loaded | Unopened,
        fall_back: Callable[[str], Loaded] | None = None,
        selection: Selection | None = None,
        bound: Mapping[str, DeviceArray] | None = None,
        direct: "Callable[[], DirectSession] | None" = None,
    ) -> None:
        self._open_direct = direct
        self._fall_back = fall_back
        self.selection = selection
        self._bound = dict(bound or {})
        self._lock = threading.Lock()
        self._take_up(session)

    def _take_up(self, session: Loaded | Unopened) -> None:
        self._session = session
        self._signature = Signature(session.spec, self._bound)
        # The arrays of a call where none is given, and where those belong that are.
        self._every = [self._bound.get(name) for name in self._signature.all_names]
        self._free = [i for i, array in enumerate(self._every) if array is None]
        self._on_device = DeviceCalls(session) if isinstance(session, Session) else None

    def __reduce__(self) -> NoReturn:
        # What copies and pickles objects asks this.
        raise TypeError(
            "a kernel is not copied or pickled, as it is loaded for one process; load its artifact "
            "there (kernel.artifact), or its spec (kernel.spec)"
        )

    @property
    def artifact(self) -> Artifact:
        """The artifact that is loaded; after a fallback, that for the CPU."""
        return self._session.artifact

    @property
    def spec(self) -> Spec:
        """The spec of the loaded artifact."""
        return self._session.spec

    @property
    def driver(self) -> str:
        """The kernel's driver: `hip`, `cuda`, `local-sync`, `local-task`, or `emulator`."""
        return self._session.driver

    @property
    def device(self) -> Device:
        """The device of the kernel's arrays, for `DeviceArray.from_numpy(array, kernel.device)`.

        DeviceError where the kernel takes NumPy arrays only.
        """
        return self._device_calls().device

    def prepare(self, device: Any = None) -> None:
        """Load the code on a device of the driver's, so that no call need do so.

        `device` is a number, or an object that has one as `index`, as PyTorch's; None is the first.
        DeviceError where the kernel has no launcher of its own, or the code does not load.
        """
        if self._open_direct is None:
            raise DeviceError(f"device {self.driver}: has no launcher that loads ahead")
        self._open_direct().prepare(getattr(device, "index", device))

    def __call__(
        self,
        /,
        *arrays: Any,
        out: Any = None,
        donate: Any = (),
        stream: Any = None,
        check: Any = False,
        **tensors: Any,
    ) -> Any:
        """Run once; see the class."""
        signature = self._signature
        given: Sequence[Any] = arrays
        if tensors or len(arrays) != signature.count:
            given = signature.in_order(arrays, tensors)
        every = self._with_bound(given) if self._bound else given
        if type(donate) is not tuple:
            donate = _names(donate)
        if self._open_direct and _are_foreign(every):
            return self._open_direct().call(every, out, donate, stream, bool(check))
        if stream is not None:
            raise ArgumentError("stream: expected none, as only arrays of other libraries have one")
        form = signature.form(every)
        if out is None and given and (ready := form.ready.get(donate)):
            return ready(every)
        outputs = self._run(form, every, out, donate)
        return outputs[0] if len(outputs) == 1 else outputs

    def outputs(self, /, *arrays: Any, **tensors: Any) -> tuple[Any, ...]:
        """Run once, as a call does: all outputs, in the order of `kernel.spec.outputs`."""
        outputs = self(*arrays, **tensors)
        return outputs if isinstance(outputs, tuple) else (outputs,)

    def bind(self, **tensors: Any) -> "Kernel":
        """A kernel whose calls need not name these inputs: weights go to the device once.

        Takes NumPy arrays, which are checked and copied, or device arrays. The new kernel takes the
        other inputs and falls back to nothing. ArgumentError for a wrong name or array.
        """
        on_device = self._device_calls()
        known = {tensor.name: tensor for tensor in self.spec.inputs}
        bound = dict(self._bound)
        for name, array in tensors.items():
            if name not in self._signature.names:
                free = ", ".join(self._signature.names)
                raise ArgumentError(f"{name}: expected one of {free} to bind")
            if isinstance(array, DeviceArray):
                check_type(known[name], array)
                on_device.check_device(known[name], array)
            else:
                array = self._signature.converted(known[name], array)
                array = DeviceArray.from_numpy(array, on_device.device)
            bound[name] = array
        return Kernel(self._session, None, self.selection, bound, self._open_direct)

    def _with_bound(self, given: Sequence[Any]) -> list[Any]:
        every = [*self._every]
        for i, array in zip(self._free, given, strict=True):
            every[i] = array
        return every

    def _run(
        self, form: Form, arrays: Sequence[Any], out: Any, donate: tuple[str, ...]
    ) -> tuple[Any, ...]:
        if form.trusted or form.casts:
            arrays = self._signature.values(form, arrays)
        if not form.on_device and out is None and not donate:
            return self._run_on_host(arrays)
        for name in donate:
            if name in self._bound:
                raise ArgumentError(
                    f"donate: expected inputs of the call, got {name}, which is bound"
                )
        return self._device_calls().run(form, arrays, out, donate)

    def _run_on_host(self, arrays: Sequence[Any]) -> tuple[np.ndarray, ...]:
        session, given = self._opened(), list(arrays)
        try:
            return session.run(given)
        except DeviceError as error:
            return self._after_failure(session, error).run(given)

    def _device_calls(self) -> DeviceCalls:
        """The calls with arrays that stay on the device; DeviceError where none do."""
        self._opened()
        if self._on_device is None:
            raise DeviceError(numpy_only(self.driver))
        return self._on_device

    def _opened(self) -> Loaded:
        """The session, opened if it was not."""
        session = self._session
        if not isinstance(session, Unopened):
            return session
        try:
            opened = session.open()
        except DeviceError as error:
            return self._after_failure(session, error)
        with self._lock:
            if self._session is session:
                self._take_up(opened)
        return opened

    def _after_failure(self, failed: Loaded | Unopened, error: DeviceError) -> Loaded:
        """The session to go on with; several threads may see the same failure."""
        with self._lock:
            if self._session is failed:
                if self._fall_back is None:
                    raise error
                self._take_up(self._fall_back(str(error)))
                self._fall_back = None
            session = self._session
        # What comes after a failure is open.
        assert not isinstance(session, Unopened)
        return session

    def __repr__(self) -> str:
        manifest = self.artifact.manifest
        return f"<Kernel {manifest.name} for {manifest.target} on {self.driver}>"


def _are_foreign(arrays: Sequence[Any]) -> bool:
    """Whether any array is of another library."""
    for array in arrays:
        if type(array) not in _OWN and hasattr(array, "__dlpack__") and not _is_own(array):
            return True
    return False


def _is_own(array: Any) -> bool:
    """Whether an array is NumPy's or a device array, of a class of somebody's."""
    return isinstance(array, np.ndarray | np.generic)


def _names(donate: Any) -> tuple[str, ...]:
    """The names of a collection."""
    names = isinstance(donate, Collection) and not isinstance(donate, str)
    if not names or not all(isinstance(name, str) for name in donate):
        raise ArgumentError(f"donate: expected a list of names of inputs, got {shown(donate)}")
    return tuple(donate)
