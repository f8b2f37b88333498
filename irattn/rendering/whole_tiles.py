"""Sizes of products on GPUs in whole tiles of matrix instructions.

Where IREE 3.13.0 fills a sum up to what an instruction takes, it loses the mask of an operand whose
sum is over rows: `create_mask` with sizes of 1 becomes all true as it is cast to fewer dimensions
(tests/compiling/compiler_bugs/unit_mask). What lies behind the last row is multiplied, then: by
what lies behind the other's, or by zero, and NaN by zero is NaN. A text that says the zeros itself
needs no mask.
"""

from irattn.targets import Target

_TILE = 16


def tile_of(target: Target) -> int:
    """The elements of a tile along each dimension; 1 where nothing is filled up."""
    return _TILE if target.is_gpu else 1


def in_tiles(size: int, target: Target) -> int:
    """A size in whole tiles."""
    return -(-size // tile_of(target)) * tile_of(target)
