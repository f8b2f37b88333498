"""Store the numbers of a paged cache: an interface, and its implementation in NumPy."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.kvcache.quantising import numbers_and_scales
from irattn.kvcache.state import HostBlocks
from irattn.runtime.arrays import aligned_empty
from irattn.specs.cache_write import CacheWriteSpec


class Storage(Protocol):
    """The caches of all layers; a cache is `[num_blocks, num_kv_heads, block_size, head_dim]`.

    A layer has one of keys and, unless it is a latent one, one of values; the scales of quantised
    ones follow, `[num_blocks, num_kv_heads, block_size]`.
    """

    def caches(self, layer: int) -> tuple[Any, ...]:
        """The caches of a layer, as kernels take them."""

    def replace(self, layer: int, *caches: Any) -> None:
        """Take the caches that a kernel gave for a layer."""

    def check_tokens(self, tensor: TensorType, array: Any) -> None:
        """ArgumentError for tokens that are no array of this type, or lie where `write` cannot."""

    def write(self, layer: int, slots: np.ndarray, *tokens: Any) -> None:
        """Put tokens `[tokens, num_kv_heads, head_dim]` into flat slots `[tokens]`."""

    def copy(self, layer: int, blocks: Sequence[tuple[int, int]]) -> None:
        """Copy blocks `(old, new)` within a layer."""

    def read_blocks(self, layer: int, blocks: Sequence[int]) -> HostBlocks:
        """A copy of some blocks on the host."""

    def write_blocks(self, layer: int, blocks: Sequence[int], contents: HostBlocks) -> None:
        """Put blocks of the host in the places of some blocks."""


class HostStorage:
    """Caches in NumPy arrays, which CPU devices read where they are; zeros at first."""

    def __init__(self, layers: Sequence[CacheWriteSpec]) -> None:
        self._types = [spec.stored for spec in layers]
        self._caches = [tuple(map(_zeros, types)) for types in self._types]

    def caches(self, layer: int) -> tuple[np.ndarray, ...]:
        return self._caches[layer]

    def replace(self, layer: int, *caches: np.ndarray) -> None:
        for tensor, array in zip(self._types[layer], caches, strict=True):
            tensor.check_type(array)
        for cache, array in zip(self._caches[layer], caches, strict=True):
            np.copyto(cache, array)

    def check_tokens(self, tensor: TensorType, array: Any) -> None:
        tensor.check(array)

    def write(self, layer: int, slots: np.ndarray, *tokens: np.ndarray) -> None:
        caches = self._caches[layer]
        blocks, offsets = np.divmod(slots, caches[0].shape[2])
        for cache, new in zip(caches, self._as_stored(layer, tokens), strict=True):
            cache[blocks, :, offsets] = new

    def _as_stored(self, layer: int, tokens: Sequence[np.ndarray]) -> list[np.ndarray]:
        """New tokens as the caches store them, and their scales where these are quantised."""
        types = self._types[layer]
        if len(types) == len(tokens):
            return list(tokens)
        pairs = [numbers_and_scales(*pair) for pair in zip(types, tokens, strict=False)]
        numbers, scales = zip(*pairs, strict=True)
        return [*numbers, *scales]

    def copy(self, layer: int, blocks: Sequence[tuple[int, int]]) -> None:
        old, new = map(list, zip(*blocks, strict=True))
        for cache in self._caches[layer]:
            cache[new] = cache[old]

    def read_blocks(self, layer: int, blocks: Sequence[int]) -> HostBlocks:
        return tuple(cache[list(blocks)] for cache in self._caches[layer])

    def write_blocks(self, layer: int, blocks: Sequence[int], contents: HostBlocks) -> None:
        for cache, part in zip(self._caches[layer], contents, strict=True):
            cache[list(blocks)] = part


def _zeros(tensor: TensorType) -> np.ndarray:
    array = aligned_empty(tensor.largest_shape, dtype(tensor.dtype).numpy)
    array[...] = 0
    return array
