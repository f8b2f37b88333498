"""States of sequences on a device: what layers with gated delta nets keep instead of keys."""

import math
from collections.abc import Mapping, Sequence

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.runtime import DeviceArray
from irattn.runtime.memory import Device
from irattn.specs.delta_layer import DeltaLayerSpec

# The inputs of a layer, in the order in which it gives them back.
NAMES = ("conv_state", "state")


class States:
    """The states of all layers that have any: a place for each sequence of a batch.

    `layers` are by their numbers. A sequence begins with zeros.
    """

    def __init__(self, layers: Mapping[int, DeltaLayerSpec], device: Device) -> None:
        self._device = device
        self._of_layers: dict[int, dict[str, DeviceArray]] = {}
        self._free: list[int] = []
        for number, layer in layers.items():
            self._free = list(range(layer.batch))
            self._of_layers[number] = {
                tensor.name: self._zeros(tensor, tensor.largest_shape)
                for tensor in layer.inputs
                if tensor.name in NAMES
            }
        shapes = {(a.shape[1:], a.dtype) for one in self._of_layers.values() for a in one.values()}
        self._nothing = {kind: DeviceArray.zeros((1, *kind[0]), kind[1], device) for kind in shapes}

    @property
    def num_free(self) -> int:
        """The number of places that no sequence has."""
        return len(self._free)

    def begin(self) -> int:
        """A place for a sequence, with zeros; there must be one."""
        place = self._free.pop(0)
        for arrays in self._of_layers.values():
            for array in arrays.values():
                size = math.prod(array.shape[1:]) * array.dtype.itemsize
                nothing = self._nothing[array.shape[1:], array.dtype]
                array._copy_parts(nothing, [(0, place * size, size)])
        return place

    def end(self, place: int) -> None:
        """Give a place back."""
        self._free.append(place)

    def of_layer(self, number: int) -> Mapping[str, DeviceArray]:
        """The states of a layer, by the names of its inputs."""
        return self._of_layers[number]

    def replace(self, number: int, states: Sequence[DeviceArray]) -> None:
        """Take the states of a layer as it gave them back."""
        self._of_layers[number] = dict(zip(NAMES, states, strict=True))

    def _zeros(self, tensor: TensorType, shape: tuple[int, ...]) -> DeviceArray:
        return DeviceArray.zeros(shape, dtype(tensor.dtype).numpy, self._device)
