"""The groups of a cache's layers, from what a user says of the layers."""

from collections.abc import Sequence
from typing import Any

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.kvcache.group import LayerGroup
from irattn.kvcache.pool import BlockPool
from irattn.specs.base import plain
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.logits import stored_window


def layer_writes(
    num_layers: int, num_blocks: object, num_kv_heads: object, head_dim: object, **cache: Any
) -> list[CacheWriteSpec]:
    """The write of each layer; `cache` are the fields that all layers have alike.

    SpecError for anything impossible.
    """
    sizes = {"num_blocks": num_blocks, "num_kv_heads": num_kv_heads, "head_dim": head_dim}
    of_layers = [_of_layers(name, given, num_layers) for name, given in sizes.items()]
    return [
        CacheWriteSpec(num_tokens=1, **dict(zip(sizes, own, strict=True)), **cache)
        for own in zip(*of_layers, strict=True)
    ]


def layer_groups(
    writes: Sequence[CacheWriteSpec], windows: object, chunks: object
) -> list[LayerGroup]:
    """Layers that see as far and have as many blocks together, whatever the size of their blocks.

    SpecError for anything impossible.
    """
    block_size, count = writes[0].block_size, len(writes)
    lefts = [_window_left(one) for one in _of_layers("windows", windows, count)]
    sizes = [_chunk(one, block_size) for one in _of_layers("chunks", chunks, count)]
    members: dict[tuple[int | None, int | None, int], list[int]] = {}
    for layer, (left, chunk, write) in enumerate(zip(lefts, sizes, writes, strict=True)):
        if left is not None and chunk is not None:
            raise SpecError(f"chunks: layer {layer} has a window, too; give one of the two")
        members.setdefault((left, chunk, write.num_blocks), []).append(layer)
    return [
        LayerGroup(tuple(layers), left, chunk, block_size, BlockPool(blocks))
        for (left, chunk, blocks), layers in members.items()
    ]


def _of_layers(name: str, given: object, num_layers: int) -> Sequence[Any]:
    """The values of all layers, given as one for all or as a list."""
    values = plain(given)
    if not isinstance(values, tuple):
        return [values] * num_layers
    if len(values) != num_layers:
        raise SpecError(f"{name}: expected one for each of {num_layers} layers, got {len(values)}")
    return values


def _window_left(window: Any) -> int | None:
    """How far back a layer's queries see; what they see ahead frees nothing."""
    stored = stored_window(window, causal=True)
    return stored[0] if stored else None


def _chunk(chunk: Any, block_size: int) -> int | None:
    """The tokens of a layer's chunks, which begin with a block."""
    if chunk is None:
        return None
    size = whole("chunks", chunk)
    if size % block_size:
        raise SpecError(f"chunks: expected a multiple of block_size = {block_size}, got {size}")
    return size
