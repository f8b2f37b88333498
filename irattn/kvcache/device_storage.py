"""The numbers of a paged cache in a device's memory."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irattn import targets
from irattn.compiling.build import build
from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError, shown
from irattn.core.tensors import TensorType
from irattn.kvcache.state import HostBlocks
from irattn.rendering import GraphRequest
from irattn.runtime import DeviceArray, Kernel, load_artifact
from irattn.runtime.memory import Device
from irattn.specs.cache_write import CacheWriteSpec


class DeviceStorage:
    """Caches in device arrays; new tokens are written by `cache_write`, compiled for the device.

    One artifact of each kind of layer serves any number of tokens.
    """

    def __init__(self, layers: Sequence[CacheWriteSpec], device: str, target: str) -> None:
        self._layers = layers
        self._driver, self._target = device, targets.get(target)
        self._kernels: dict[CacheWriteSpec, Kernel] = {}
        self._device: Device = (
            device if isinstance(device, Device) else self._kernel(layers[0]).device
        )
        self._caches = [tuple(map(self._zeros, spec.stored)) for spec in layers]

    def caches(self, layer: int) -> tuple[DeviceArray, ...]:
        return self._caches[layer]

    def replace(self, layer: int, *caches: DeviceArray) -> None:
        types = self._layers[layer].stored
        for tensor, old, new in zip(types, self.caches(layer), caches, strict=True):
            self._check_like(tensor.name, old, new)
        if len({*map(id, caches)}) < len(caches):
            raise ArgumentError("value_cache: expected an array of its own, got the key_cache")
        self._caches[layer] = caches

    def check_tokens(self, tensor: TensorType, array: Any) -> None:
        if not isinstance(array, DeviceArray):
            tensor.check(array)
            return
        # It has the type, and no memory.
        tensor.check(np.broadcast_to(np.empty((), array.dtype), array.shape))
        if not self._device.shares_memory(array.device):
            raise ArgumentError(
                f"{tensor.name}: expected an array on device {self._device}, got one on "
                f"{array.device}"
            )

    def write(self, layer: int, slots: np.ndarray, *tokens: np.ndarray | DeviceArray) -> None:
        if not len(slots):
            return
        spec, kernel = self._layers[layer], self._kernel(self._layers[layer])
        donated = [tensor.name for tensor in spec.stored]
        self._caches[layer] = tuple(
            kernel.outputs(*tokens, *self._caches[layer], slots, donate=donated)
        )

    def copy(self, layer: int, blocks: Sequence[tuple[int, int]]) -> None:
        for cache in self._caches[layer]:
            self._copy_blocks(cache, cache, blocks)

    def read_blocks(self, layer: int, blocks: Sequence[int]) -> HostBlocks:
        return tuple(self._read(cache, blocks) for cache in self._caches[layer])

    def write_blocks(self, layer: int, blocks: Sequence[int], contents: HostBlocks) -> None:
        if not blocks:
            return
        for cache, part in zip(self._caches[layer], contents, strict=True):
            given = DeviceArray.from_numpy(part, self._device)
            self._copy_blocks(given, cache, list(enumerate(blocks)))

    def _read(self, cache: DeviceArray, blocks: Sequence[int]) -> np.ndarray:
        shape = (len(blocks), *cache.shape[1:])
        if not blocks:
            return np.empty(shape, cache.dtype)
        taken = DeviceArray.empty(shape, cache.dtype, self._device)
        self._copy_blocks(cache, taken, [(block, i) for i, block in enumerate(blocks)])
        return taken.to_numpy()

    def _copy_blocks(
        self, source: DeviceArray, target: DeviceArray, blocks: Sequence[tuple[int, int]]
    ) -> None:
        """Copy blocks `(of source, of target)`: each is one piece of memory."""
        size = int(np.prod(source.shape[1:])) * source.dtype.itemsize
        parts = [(old * size, new * size, size) for old, new in blocks]
        target._copy_parts(source, parts)

    def _check_like(self, name: str, old: DeviceArray, new: object) -> None:
        if (
            not isinstance(new, DeviceArray)
            or (new.shape, new.dtype) != (old.shape, old.dtype)
            or not self._device.shares_memory(new.device)
        ):
            raise ArgumentError(
                f"{name}: expected a DeviceArray {old.dtype} {list(old.shape)} on device "
                f"{self._device}, got {shown(new)}"
            )
        new._live(name)

    def _kernel(self, layer: CacheWriteSpec) -> Kernel:
        # A step writes no more tokens than the cache has slots.
        slots = layer.num_blocks * layer.block_size
        spec = layer.replace(num_tokens=slots, dynamic=("num_tokens",))
        if spec not in self._kernels:
            self._kernels[spec] = load_artifact(
                build(GraphRequest(spec, self._target)), self._driver
            )
        return self._kernels[spec]

    def _zeros(self, tensor: TensorType) -> DeviceArray:
        return DeviceArray.zeros(tensor.largest_shape, dtype(tensor.dtype).numpy, self._device)
