"""The numbers of quantised weights, in float64, by the definitions of their formats."""

from collections.abc import Mapping

import numpy as np

from irattn.specs import Spec

Tensors = Mapping[str, np.ndarray]


def with_weights(spec: Spec, tensors: Tensors) -> Tensors:
    """The tensors of a call, weights in bytes as the numbers that they stand for."""
    packed = {tensor.name: tensor.weight_format for tensor in spec.inputs if tensor.weight_format}
    if not packed:
        return tensors
    wide = {
        name: numbers_of(packed[name], tensors[name], tensors.get(f"{name}_scale"))
        for name in packed
    }
    together = {name: rows for name, rows in _together(wide).items() if name not in tensors}
    return {**tensors, **wide, **together}


def _together(weights: Tensors) -> dict[str, np.ndarray]:
    """The weights whose rows are those of several, which files have apart."""
    made = {}
    for whole, parts in _APART.items():
        found = [weights[name] for name in parts if name in weights]
        if found:
            made[whole] = np.concatenate(found, axis=-2)
    return made


_HEADS = ("query_weight", "key_weight", "value_weight", "gate_weight")
_APART = {
    "weight": _HEADS,
    "qkv_weight": tuple(f"qkv_{name}" for name in _HEADS),
    "gate_up_weight": ("gate_weight", "up_weight"),
}


def numbers_of(weight_format: str, rows: np.ndarray, scale: np.ndarray | None = None) -> np.ndarray:
    """The numbers `[..., rows, columns]` of a weight as it is stored, with its scales, if apart.

    Block formats are those of ggml-common.h and the dequantize_row functions of ggml-quants.c.
    """
    if scale is not None:
        return np.asarray(rows.astype(np.float64) * _of_each(weight_format, rows.shape, scale))
    block_bytes, numbers = _FORMATS[weight_format]
    blocks = rows.reshape(-1, block_bytes)
    return numbers(blocks).reshape(*rows.shape[:-1], -1)


def _of_each(weight_format: str, shape: tuple[int, ...], scale: np.ndarray) -> np.ndarray:
    """The scale of each number: that of its row, or of its square of 128."""
    wide = scale.astype(np.float64)
    if weight_format != "fp8_block":
        return wide[..., None]
    for axis in (-2, -1):
        wide = np.repeat(wide, 128, axis)
    return wide[..., : shape[-2], : shape[-1]]


def _q8_0(blocks: np.ndarray) -> np.ndarray:
    """A scale in f16, and 32 signed bytes."""
    return _halves(blocks[:, :2]) * blocks[:, 2:].view(np.int8)


def _q4_0(blocks: np.ndarray) -> np.ndarray:
    """A scale in f16, and the low halves of 16 bytes before the high ones, each less 8."""
    low, high = blocks[:, 2:] % 16, blocks[:, 2:] // 16
    return _halves(blocks[:, :2]) * (np.concatenate([low, high], axis=1) - 8.0)


def _q4_1(blocks: np.ndarray) -> np.ndarray:
    """Halves of bytes as Q4_0 has them, and a second f16, which is added instead of the 8."""
    low, high = blocks[:, 4:] % 16, blocks[:, 4:] // 16
    numbers = np.concatenate([low, high], axis=1)
    return np.asarray(_halves(blocks[:, :2]) * numbers + _halves(blocks[:, 2:4]))


def _q5_0(blocks: np.ndarray) -> np.ndarray:
    """A scale in f16, a word with the fifth bit of each number, and halves as of Q4_0; less 16."""
    return _halves(blocks[:, :2]) * (_of_fifth_bits(blocks[:, 2:6], blocks[:, 6:]) - 16.0)


def _q5_1(blocks: np.ndarray) -> np.ndarray:
    """A scale and what is added, both f16, and numbers as of Q5_0, without the 16."""
    numbers = _of_fifth_bits(blocks[:, 4:8], blocks[:, 8:])
    return np.asarray(_halves(blocks[:, :2]) * numbers + _halves(blocks[:, 2:4]))


def _of_fifth_bits(word: np.ndarray, halves: np.ndarray) -> np.ndarray:
    """Whole numbers of the low halves of bytes, then the high ones, and of bits from the lowest."""
    fifth = np.unpackbits(word, axis=1, bitorder="little")
    return np.concatenate([halves % 16, halves // 16], axis=1) + 16 * fifth


def _q4_k(blocks: np.ndarray) -> np.ndarray:
    """8 parts of 32 halves of bytes: 32 bytes have two parts, the low halves first."""
    return _scaled_parts(blocks, _parts_of_halves(blocks[:, 16:]))


def _q5_k(blocks: np.ndarray) -> np.ndarray:
    """Parts as of Q4_K, with a fifth bit: of the part p, bit p of 32 bytes."""
    fifth = blocks[:, None, 16:48] >> np.arange(8)[:, None] & 1
    return _scaled_parts(blocks, _parts_of_halves(blocks[:, 48:]) + 16.0 * fifth)


def _scaled_parts(blocks: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """scale * number - minimum of each part, both of 6 bits, times f16 of the block."""
    scale, minimum = _halves(blocks[:, :2]), _halves(blocks[:, 2:4])
    factors = blocks[:, 4:16].astype(int)
    low, high = factors[:, :8] % 64, factors[:, :8] // 64 * 16
    scales = np.concatenate([low[:, :4], factors[:, 8:] % 16 + high[:, :4]], axis=1)
    minima = np.concatenate([low[:, 4:], factors[:, 8:] // 16 + high[:, 4:]], axis=1)
    return np.asarray((scale * scales)[..., None] * numbers - (minimum * minima)[..., None])


def _parts_of_halves(packed: np.ndarray) -> np.ndarray:
    """Parts of 32 numbers: of each 32 bytes the low halves, then the high ones."""
    pairs = packed.reshape(len(packed), -1, 32)
    return np.stack([pairs % 16, pairs // 16], axis=2).reshape(len(packed), -1, 32)


def _q6_k(blocks: np.ndarray) -> np.ndarray:
    """16 parts of 16 numbers with a scale of 8 bits each.

    Of each half of a block, 64 bytes have the low four bits of 64 numbers and then of 64 more, and
    32 bytes the high two bits: of 32 numbers each the lowest first.
    """
    low = blocks[:, :128].reshape(-1, 2, 64)
    low = np.concatenate([low % 16, low // 16], axis=2)
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> np.arange(0, 8, 2)[:, None] & 3
    numbers = (low + 16 * high.reshape(-1, 2, 128) - 32.0).reshape(-1, 16, 16)
    scales = _halves(blocks[:, 208:]) * blocks[:, 192:208].view(np.int8)
    return np.asarray(scales[..., None] * numbers)


def _mxfp4(blocks: np.ndarray) -> np.ndarray:
    """A power of two, and 32 floats of a sign, two bits of exponent and one of mantissa (OCP)."""
    numbers = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    bits = np.concatenate([blocks[:, 1:] % 16, blocks[:, 1:] // 16], axis=1)
    signed = np.where(bits < 8, 1, -1) * numbers[bits % 8]
    return np.asarray(2.0 ** (blocks[:, :1].astype(float) - 127) * signed)


def _halves(pairs: np.ndarray) -> np.ndarray:
    """f16 of pairs of bytes."""
    return np.ascontiguousarray(pairs).view("<f2").astype(np.float64)


_FORMATS = {
    "q8_0": (34, _q8_0),
    "q4_0": (18, _q4_0),
    "q4_1": (20, _q4_1),
    "q5_0": (22, _q5_0),
    "q5_1": (24, _q5_1),
    "q4_k": (144, _q4_k),
    "q5_k": (176, _q5_k),
    "q6_k": (210, _q6_k),
    "mxfp4": (17, _mxfp4),
}
