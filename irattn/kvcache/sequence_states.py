"""States of sequences on a device: what some layers of hybrid models keep instead of keys."""

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np

from irattn.core.dtypes import dtype
from irattn.runtime import DeviceArray
from irattn.runtime.memory import Device
from irattn.specs.state_layer import StateLayer

# States of one sequence on the host, by layer and name.
HostStates = dict[tuple[int, str], np.ndarray]


class SequenceStates:
    """The states of all layers that have any: a place for each sequence of a batch.

    `layers` are by their numbers. A sequence begins with zeros, or with states that are kept. As
    many as there are places are kept, by the tokens after which they are: `PagedCache.end_of` tells
    those apart. What is kept can be found (`in`) until others need its place, those that were
    used longest ago first. There must be a free place for what takes one.
    """

    def __init__(self, layers: Mapping[int, StateLayer], device: Device) -> None:
        self._device = device
        self._of_layers: dict[int, dict[str, DeviceArray]] = {}
        self._free: list[int] = []
        for number, layer in layers.items():
            self._free = list(range(layer.batch))
            self._of_layers[number] = {
                name: self._zeros(tensor.largest_shape, dtype(tensor.dtype).numpy)
                for name, tensor in layer.states.items()
            }
        arrays = self._arrays().items()
        # Where what is kept lies, the one that was used longest ago first.
        self._kept: OrderedDict[bytes, int] = OrderedDict()
        self._free_kept = list(self._free)
        self._kept_arrays = {one: self._zeros(array.shape, array.dtype) for one, array in arrays}
        kinds = {(array.shape[1:], array.dtype) for _, array in arrays}
        self._nothing = {kind: self._zeros((1, *kind[0]), kind[1]) for kind in kinds}

    @property
    def num_free(self) -> int:
        """The number of places that no sequence has."""
        return len(self._free)

    def __contains__(self, end: object) -> bool:
        return end in self._kept

    def begin(self, end: bytes | None = None) -> int:
        """A place for a sequence, with zeros or with what is kept of this end."""
        place = self._free.pop(0)
        for one, array in self._arrays().items():
            if end is None:
                _copy(self._nothing[array.shape[1:], array.dtype], 0, array, place)
            else:
                _copy(self._kept_arrays[one], self._kept[end], array, place)
        if end is not None:
            self._kept.move_to_end(end)
        return place

    def keep(self, end: bytes, place: int) -> None:
        """Keep the states of a place, which are those after the tokens that the end tells."""
        if end not in self._kept:
            if not self._free_kept:
                self._free_kept.append(self._kept.popitem(last=False)[1])
            self._kept[end] = self._free_kept.pop()
            for one, array in self._arrays().items():
                _copy(array, place, self._kept_arrays[one], self._kept[end])
        self._kept.move_to_end(end)

    def evict(self) -> int:
        """Forget all that is kept; says how many states of sequences these were."""
        count = len(self._kept)
        self._free_kept += self._kept.values()
        self._kept.clear()
        return count

    def fork(self, place: int) -> int:
        """A place for a sequence that goes on from where another is."""
        forked = self._free.pop(0)
        for array in self._arrays().values():
            _copy(array, place, array, forked)
        return forked

    def swap_out(self, place: int) -> HostStates:
        """Move the states of a place to the host, and give the place back."""
        swapped = {}
        for one, array in self._arrays().items():
            row = self._zeros((1, *array.shape[1:]), array.dtype)
            _copy(array, place, row, 0)
            swapped[one] = row.to_numpy()
        self.end(place)
        return swapped

    def swap_in(self, swapped: HostStates) -> int:
        """A place with states from the host."""
        place = self._free.pop(0)
        for one, array in self._arrays().items():
            _copy(DeviceArray.from_numpy(swapped[one], self._device), 0, array, place)
        return place

    def end(self, place: int) -> None:
        """Give a place back."""
        self._free.append(place)

    def of_layer(self, number: int) -> Mapping[str, DeviceArray]:
        """The states of a layer, by the names of its inputs."""
        return self._of_layers[number]

    def replace(self, number: int, states: Sequence[DeviceArray]) -> None:
        """Take the states of a layer as it gave them back."""
        self._of_layers[number] = dict(zip(self._of_layers[number], states, strict=True))

    def _arrays(self) -> dict[tuple[int, str], DeviceArray]:
        """The states of all layers as they are now, by layer and name."""
        layers = self._of_layers.items()
        return {(number, name): array for number, of in layers for name, array in of.items()}

    def _zeros(self, shape: tuple[int, ...], element: np.dtype) -> DeviceArray:
        return DeviceArray.zeros(shape, element, self._device)


def _copy(source: DeviceArray, row: int, target: DeviceArray, place: int) -> None:
    """Copy a sequence's states from its row to its place."""
    size = math.prod(target.shape[1:]) * target.dtype.itemsize
    target._copy_parts(source, [(row * size, place * size, size)])
