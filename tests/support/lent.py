"""Arrays of the host that stand for a GPU's memory: told to the emulator's library, as its own."""

import ctypes
import sys

import numpy as np

from irattn.compiling.store import default_root
from irattn.functional.repeated import RepeatedCalls
from irattn.lab.emulator.hip import library


class Lent:
    """A NumPy array as another library's, which shares it by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None):
        return self.array.__dlpack__()


class StandIn:
    """The emulator's library: lends it arrays of the host, and captures what a stream is given.

    What is lent is kept until `close`, and so is each tensor that PyTorch makes with `empty`.
    """

    def __init__(self):
        self.hip = ctypes.CDLL(str(library(default_root())))
        self._lent = []
        self._graphs = []

    def close(self):
        for address, _ in self._lent:
            self.hip.hipHostUnregister(ctypes.c_void_p(address))
        for graph in self._graphs:
            self.hip.hipGraphDestroy(graph)

    def lend(self, arrays, kind):
        """Copies of arrays as arrays of a library, `dlpack` or `torch`, that the emulator has."""
        return [getattr(self, kind)(array) for array in arrays]

    def dlpack(self, array):
        copy = np.array(array)
        self.register(copy.ctypes.data, copy.nbytes, copy)
        return Lent(copy)

    def torch(self, array):
        torch = sys.modules["torch"]
        is_bf16 = array.dtype.name == "bfloat16"
        tensor = torch.from_numpy(np.array(array).view(np.int16 if is_bf16 else array.dtype))
        return self.told(tensor.view(torch.bfloat16) if is_bf16 else tensor)

    def told(self, tensor):
        """A tensor that the emulator is told of."""
        self.register(tensor.data_ptr(), tensor.nbytes, tensor)
        return tensor

    def register(self, address, num_bytes, keeper):
        """Tell the emulator of memory, which is there as long as `keeper`."""
        self.hip.hipHostRegister(ctypes.c_void_p(address), ctypes.c_size_t(num_bytes), 0)
        self._lent.append((address, keeper))

    def stream(self):
        """The handle of a new stream."""
        stream = ctypes.c_void_p()
        self.hip.hipStreamCreateWithFlags(ctypes.byref(stream), 0)
        return stream.value

    def begin(self, stream):
        assert self.hip.hipStreamBeginCapture(ctypes.c_void_p(stream), 0) == 0

    def end(self, stream):
        """The error with which a capture ends, and its graph."""
        graph = ctypes.c_void_p()
        error = self.hip.hipStreamEndCapture(ctypes.c_void_p(stream), ctypes.byref(graph))
        self._graphs.append(graph)
        return error, graph

    def replay(self, graph, stream):
        assert self.hip.hipGraphLaunch(graph, ctypes.c_void_p(stream)) == 0


class ToldCalls(RepeatedCalls):
    """Calls that were made before, whose tensors an emulator is told of; none are known yet.

    `repeated` are those that are made again.
    """

    def __init__(self, known, stand_in):
        super().__init__(known._numbers)
        self._stand_in, self.repeated = stand_in, []

    def find(self, key):
        known = super().find(key)
        return known and (lambda given: self._again(known, given))

    def _again(self, known, given):
        self.repeated.append(known)
        return known._replace(kernel=lambda *x: known.kernel(*map(self._stand_in.told, x)))(given)


def contents(array):
    """The contents of an array of whatever library."""
    if isinstance(array, np.ndarray):
        return array
    if isinstance(array, Lent):
        return array.array
    if hasattr(array, "to_numpy"):
        return array.to_numpy()
    return array.view(sys.modules["torch"].int16).numpy() if array.itemsize == 2 else array.numpy()


def bits(array):
    """The bits of an array of whatever library."""
    return np.ascontiguousarray(contents(array)).view(np.uint8)
