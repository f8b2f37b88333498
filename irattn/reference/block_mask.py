"""A mask function to lists of the blocks of scores that it shows."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.expressions import evaluate
from irattn.specs.block_mask import BlockMaskSpec


def block_mask(spec: BlockMaskSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of BlockMaskSpec, score by score."""
    sizes = tuple(spec.function_sizes.values())
    places = np.meshgrid(*map(np.arange, sizes), indexing="ij", sparse=True)
    names = dict(zip(spec.function_sizes, places, strict=True))
    shown = np.broadcast_to(evaluate(spec.mask_mod, tensors, names), sizes)
    # Of a last block, the scores that there are.
    some, all_of = shown, shown
    for axis, size in zip((2, 3), spec.mask_blocks, strict=True):
        starts = range(0, sizes[axis], size)
        some = np.logical_or.reduceat(some, starts, axis=axis)
        all_of = np.logical_and.reduceat(all_of, starts, axis=axis)
    order = np.where(all_of, 1, np.where(some, 0, 2))
    counts = [(order == kind).sum(axis=-1) for kind in (0, 1)]
    return np.stack(counts, axis=-1), np.argsort(order, axis=-1, kind="stable")
