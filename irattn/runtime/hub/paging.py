"""Caches in pages as kernels take them: in blocks of their own size, with tables and slots."""

from importlib import import_module
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.runtime.hub.shaped import Shaped

torch: Any = import_module("torch")

Tensor: TypeAlias = Any


def check_pages(name: str, cache: Tensor, block_size: int) -> None:
    """ArgumentError for a cache that is not where it can be written, or not in whole blocks."""
    if cache.shape[1] % block_size:
        raise ArgumentError(
            f"{name}: expected pages of a multiple of {block_size} tokens, got {cache.shape[1]}"
        )
    if not cache.is_contiguous():
        raise ArgumentError(
            f"{name}: expected elements that lie row by row, as it is written in place"
        )


def in_blocks(cache: Tensor, block_size: int) -> Shaped:
    """A cache in blocks, where it lies."""
    num_pages, page_size, *row = cache.shape
    return Shaped(cache, (num_pages * page_size // block_size, block_size, *row))


def inputs_of_slots(
    q: Tensor, cache: Tensor, lens: Tensor, table: Tensor, block_size: int
) -> dict[str, Any]:
    """Inputs of the kernel that finds slots: numbers, and two shapes of memory that it leaves."""
    shapes = {
        "tokens": (q, q.shape[:2]),
        "pool": (cache, (cache.shape[0], cache.shape[1] // block_size)),
    }
    looks = {name: Shaped(one, shape, torch.int32) for name, (one, shape) in shapes.items()}
    return {"cached_lens": lens, "page_table": table, **looks}
