"""Keys and values of many sequences and all layers, in blocks."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.core.numbers import whole
from irattn.kvcache.device_storage import DeviceStorage
from irattn.kvcache.group import LayerGroup
from irattn.kvcache.layers import layer_groups, layer_writes
from irattn.kvcache.sequence_tables import counts_of, listed
from irattn.kvcache.sequences import PagedSequences, check_different
from irattn.kvcache.storage import HostStorage, Storage
from irattn.kvcache.swapping import blocks_from_host, blocks_to_host
from irattn.specs.cache_elements import made_scale


class PagedCache(PagedSequences):
    """The key and value caches of a model's layers, and which blocks each sequence has in them.

    - num_layers, num_kv_heads, head_dim, block_size, io_dtype: as in the specs; each cache of a
      layer is `[num_blocks, num_kv_heads, block_size, head_dim]`
    - num_blocks, num_kv_heads, head_dim: one number, or one for each layer
    - cache_dtype: the type of quantised caches, `int8`, `fp8_e4m3` or another of CacheElements;
      None for io_dtype. Each token of a head has its own scale; scales lie beside the blocks,
      `[num_blocks, num_kv_heads, block_size]`, and go with them
    - latent_cache: whether layers have a key cache alone, whose first columns are the values
    - max_blocks: the width of block tables, which limits the length of sequences; None for no
      limit, and tables as wide as the longest of their sequences
    - windows: the `(left, right)` of each layer's spec, or None; None where no layer has one.
      Layers with a window free the blocks that no query to come sees; tables have -1 there
    - chunks: for each layer the tokens of a chunk, or None: its queries see the keys of their own
      chunk only (Llama 4). Blocks of earlier chunks are freed, too
    - device: where the caches are: None for NumPy arrays; the name of a device, as `irattn.load`
      takes it, or a kernel's device, for device arrays, with the `target` whose code runs there

    Layers with the same window or chunk and `num_blocks` share one table a sequence. Sequences are
    known by ids: `begin` and `fork` give them. New tokens come either by `append`, which writes
    them, layer by layer; or by `extend`, which gives them slots in all layers for kernels to write.
    Then the queries of all earlier tokens have attended: what they alone saw may be freed.

    Wrong settings are a SpecError, wrong arguments an ArgumentError, too few free blocks an
    OutOfBlocksError; after each of them everything is as before. Not for several threads at once.
    """

    def __init__(
        self,
        *,
        num_layers: int,
        num_kv_heads: int | Sequence[int],
        head_dim: int | Sequence[int],
        num_blocks: int | Sequence[int],
        block_size: int = 16,
        max_blocks: int | None = None,
        io_dtype: Any = "f16",
        cache_dtype: Any = None,
        latent_cache: bool = False,
        windows: Sequence[Any] | None = None,
        chunks: Sequence[int | None] | None = None,
        device: str | None = None,
        target: str = "cpu",
    ) -> None:
        num_layers = whole("num_layers", num_layers)
        self._writes = layer_writes(
            num_layers,
            num_blocks,
            num_kv_heads,
            head_dim,
            block_size=block_size,
            io_dtype=io_dtype,
            cache_dtype=cache_dtype,
            cache_scale=made_scale(cache_dtype, io_dtype),
            latent_cache=latent_cache,
        )
        groups = layer_groups(self._writes, windows, chunks)
        super().__init__(groups, None if max_blocks is None else whole("max_blocks", max_blocks))
        self._storage: Storage = (
            HostStorage(self._writes)
            if device is None
            else DeviceStorage(self._writes, device, target)
        )

    def append(self, sequence: int, layer: int, key: Any, value: Any = None) -> None:
        """Write the next tokens of a sequence into a layer: of a prompt, or one.

        key and value are `[tokens, num_kv_heads, head_dim]` or, of one token,
        `[num_kv_heads, head_dim]`, in the cache's `io_dtype`: NumPy arrays or, where the cache
        is on a device, device arrays of rank 3. The first layer that gets them takes
        blocks for all layers: no other is out of blocks then. A latent cache takes keys alone.
        """
        self._group_of_layer(layer)
        tokens = self._checked_tokens(layer, key, value)
        self._append([sequence], layer, tokens, [tokens[0].shape[0]])

    def append_batch(
        self,
        sequences: Sequence[int],
        layer: int,
        key: Any,
        value: Any = None,
        q_lens: int | Sequence[int] = 1,
    ) -> None:
        """Write the next tokens of several sequences into a layer: of all of them, or of none.

        key and value are `[tokens, num_kv_heads, head_dim]`: the tokens of the first sequence, then
        those of the second, and so on. `q_lens` says how many each has, one number for all or one
        for each. A latent cache takes keys alone.
        """
        self._group_of_layer(layer)
        tokens = self._checked_tokens(layer, key, value)
        sequences = listed("sequences", sequences)
        counts = counts_of("q_lens", q_lens, sequences)
        if sum(counts) != tokens[0].shape[0]:
            raise ArgumentError(
                f"q_lens: expected {tokens[0].shape[0]} tokens in all, as in key, got {sum(counts)}"
            )
        self._append(sequences, layer, tokens, counts)

    def caches(self, layer: int) -> tuple[Any, ...]:
        """The key and the value cache of a layer, as kernels take them; of latents one alone.

        The scales of quantised ones follow.
        """
        self._group_of_layer(layer)
        return self._storage.caches(layer)

    def replace(self, layer: int, key_cache: Any, value_cache: Any = None, *scales: Any) -> None:
        """Take the caches of a layer as a kernel updated them; of latents one alone.

        The scales of quantised ones follow.
        """
        self._group_of_layer(layer)
        write = self._writes[layer]
        if write.latent_cache and write.cache_dtype is not None:
            self._storage.replace(layer, key_cache, value_cache, *scales)
            return
        if len(scales) != len(write.stored) - len(write.caches):
            expected = [tensor.name for tensor in write.stored]
            raise ArgumentError(f"scales: expected {', '.join(expected)}, got {2 + len(scales)}")
        self._storage.replace(layer, *self._as_written(layer, key_cache, value_cache), *scales)

    def swap_out(self, sequence: int) -> None:
        """Move a sequence's blocks to the host, and free them."""
        state = self._committed(sequence)
        blocks_to_host(state, self._groups, self._storage)

    def swap_in(self, sequence: int) -> None:
        """Give a sequence its contents back, in blocks kept for reuse or in new ones."""
        state = self._state(sequence)
        if state.swapped is None:
            raise ArgumentError(f"sequence: expected one that is swapped out, got {sequence}")
        blocks_from_host(state, self._groups, self._storage)
        self._keep(state, range(len(self._groups)))

    def _append(
        self,
        sequences: Sequence[int],
        layer: int,
        tokens: Sequence[Any],
        counts: Sequence[int],
    ) -> None:
        states = [self._present(sequence) for sequence in sequences]
        check_different(sequences)
        starts = [state.lengths[layer] for state in states]
        ranges = [
            (state, start, start + count)
            for state, start, count in zip(states, starts, counts, strict=True)
        ]
        self._grow(ranges)
        index = self._group_of_layer(layer)
        slots = [state.tables[index].slots(start, stop) for state, start, stop in ranges]
        self._storage.write(layer, np.concatenate([*slots, np.empty(0, np.int32)]), *tokens)
        for state, _, stop in ranges:
            state.lengths[layer] = state.written[layer] = stop
            self._keep(state, [index])

    def _copy_blocks(self, group: LayerGroup, blocks: list[tuple[int, int]]) -> None:
        for layer in group.layers:
            self._storage.copy(layer, blocks)

    def _as_written(self, layer: int, of_keys: Any, of_values: Any) -> list[Any]:
        """One array or two, as the layer has caches; ArgumentError for one too many."""
        if not self._writes[layer].latent_cache:
            return [of_keys, of_values]
        if of_values is not None:
            raise ArgumentError("value: a latent cache has keys alone; leave it out")
        return [of_keys]

    def _checked_tokens(self, layer: int, key: Any, value: Any) -> list[Any]:
        """The new tokens of a layer as `[tokens, num_kv_heads, head_dim]`."""
        arrays = [
            array[None] if isinstance(array, np.ndarray) and array.ndim == 2 else array
            for array in self._as_written(layer, key, value)
        ]
        shape: tuple[int, ...] = getattr(arrays[0], "shape", ())
        tokens = shape[0] if len(shape) == 3 else 1
        for tensor, array in zip(self._writes[layer].inputs, arrays, strict=False):
            of_call = dataclasses.replace(tensor, shape=(tokens, *tensor.shape[1:]))
            self._storage.check_tokens(of_call, array)
        return arrays
