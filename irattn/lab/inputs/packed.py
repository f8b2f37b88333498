"""Random blocks of quantised weights."""

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.weight_formats import weight_format

# Where the scales of a block lie, f16 all of them, and about how large what they scale is.
_SCALES = {
    "q8_0": {0: 74},
    "q4_0": {0: 5},
    "q4_1": {0: 9, 2: 1},
    "q5_0": {0: 9},
    "q5_1": {0: 18, 2: 1},
    "q4_k": {0: 250, 2: 100},
    "q5_k": {0: 500, 2: 100},
    "q6_k": {208: 1400},
}
# Powers of two that are scales, relative to the size of 4 bits that are floats, about 3.
_EXPONENT = 127 - 1.5
# How large numbers are whose scales are apart.
_SIZE = 48


def weight_scale(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Scales of which products with rows of some hundred numbers are of order one."""
    sizes: np.ndarray = rng.uniform(0.5, 1.5, shape) / (16 * _SIZE)
    return np.asarray(sizes * rng.choice([-1, 1], shape))


def packed_weight(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Rows of blocks of any bytes, with scales of which products are of order one.

    Where scales are apart, rows of numbers as large as 8 bits allow.
    """
    packed = weight_format(name)
    if packed.scaled:
        drawn = np.clip(_SIZE * rng.standard_normal(shape), -127, 127)
        stored: np.ndarray = drawn.round().astype(dtype(packed.dtype).numpy)
        return stored
    *rows, row_bytes = shape
    count = row_bytes // packed.block_bytes
    blocks = rng.integers(0, 256, (*rows, count, packed.block_bytes), dtype=np.uint8)
    size = (count * packed.elements) ** -0.5
    if name == "mxfp4":
        least = round(_EXPONENT + np.log2(size))
        blocks[..., 0] = rng.integers(least - 1, least + 2, (*rows, count))
        return blocks.reshape(shape)
    for place, numbers in _SCALES[name].items():
        scales = rng.uniform(0.5, 1.5, (*rows, count, 1)) * rng.choice([-1, 1], (*rows, count, 1))
        scales *= size / numbers
        blocks[..., place : place + 2] = scales.astype("<f2").view(np.uint8)
    return blocks.reshape(shape)
