"""The groups of a cache's layers, from what a user says of the layers."""

from collections.abc import Sequence
from typing import Any

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.kvcache.group import LayerGroup
from irattn.kvcache.pool import BlockPool
from irattn.specs.base import plain
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.features import stored_window


def layer_groups(
    num_layers: int, windows: object, num_blocks: object, **cache: Any
) -> list[LayerGroup]:
    """Layers with equal windows and blocks together; `cache` are the fields of a CacheWriteSpec.

    SpecError for anything impossible.
    """
    lefts = [_window_left(one) for one in _of_layers("windows", windows, num_layers)]
    counts = _of_layers("num_blocks", num_blocks, num_layers)
    blocks = [whole("num_blocks", one) for one in counts]
    members: dict[tuple[int | None, int], list[int]] = {}
    for layer, kind in enumerate(zip(lefts, blocks, strict=True)):
        members.setdefault(kind, []).append(layer)
    groups = []
    for (left, count), layers in members.items():
        write = CacheWriteSpec(num_tokens=1, num_blocks=count, **cache)
        groups.append(LayerGroup(tuple(layers), left, write, BlockPool(count)))
    return groups


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
