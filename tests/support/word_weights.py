"""Weights of whole numbers in words, as GPTQ, AWQ and compressed-tensors write them."""

import numpy as np

GROUP = 32


def _compressed(**weights):
    weights = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": GROUP, **weights}
    group = {"targets": ["Linear"], "weights": {"symmetric": True, **weights}}
    return {
        **{"quant_method": "compressed-tensors", "format": "pack-quantized"},
        **{"quantization_status": "compressed", "ignore": ["lm_head", "re:.*mlp.gate$"]},
        "config_groups": {"group_0": {**group, "input_activations": None}},
    }


_GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": False, "sym": True}
SAID_OF_WORDS = {
    "gptq": _GPTQ,
    "gptq_v2": {**_GPTQ, "checkpoint_format": "gptq_v2"},
    "gptq_bytes": {**_GPTQ, "bits": 8},
    "gptq_rows": {**_GPTQ, "group_size": -1},
    "gptq_zeros": {**_GPTQ, "sym": False},
    "gptq_order": {**_GPTQ, "desc_act": True},
    "awq": {
        **{"quant_method": "awq", "bits": 4, "group_size": GROUP, "zero_point": True},
        **{"version": "gemm", "modules_to_not_convert": ["mlp.gate"]},
    },
    "packed": _compressed(),
    "packed_rows": _compressed(strategy="channel", group_size=None),
    "packed_bytes": _compressed(num_bits=8),
    "packed_zeros": _compressed(symmetric=False),
    "packed_order": _compressed(actorder="group"),
}


def in_words(before, array, kind):
    """The tensors of a weight, and the numbers that they stand for."""
    rng = np.random.default_rng(len(before))
    rows, columns = array.shape
    bits = 8 if kind.endswith("bytes") else 4
    group = columns if kind.endswith("rows") else GROUP
    groups = np.arange(columns) // group
    if kind.endswith("order"):
        groups = rng.permutation(groups)
    count = groups.max() + 1
    scale = np.stack([np.abs(array[:, groups == g]).max(1) for g in range(count)], 1)
    scale = (scale / 2 ** (bits - 1)).astype(np.float16)
    zero = np.full((rows, count), 1 << (bits - 1))
    if kind.endswith("zeros") or kind == "awq":
        zero = rng.integers(6, 11, zero.shape)
    codes = np.rint(array / scale[:, groups]) + zero[:, groups]
    codes = np.clip(codes, 0, (1 << bits) - 1).astype(np.int64)
    numbers = (codes - zero[:, groups]).astype(np.float32) * scale[:, groups].astype(np.float32)
    written = {"gptq": _gptq, "awq": _awq, "packed": _packed}[kind.split("_")[0]]
    made = written(codes, zero, scale, groups.astype(np.int32), kind, bits)
    return {f"{before}.{name}": tensor for name, tensor in made.items()}, numbers


def _words(numbers, bits, axis, order=None):
    """Numbers along an axis in words, the first in the lowest bits, or in that order."""
    count = 32 // bits
    moved = np.moveaxis(numbers, axis, -1)
    moved = moved.reshape(*moved.shape[:-1], -1, count).astype(np.uint32)
    words = np.zeros(moved.shape[:-1], np.uint32)
    for place, which in enumerate(order or range(count)):
        words |= moved[..., which] << np.uint32(bits * place)
    return np.ascontiguousarray(np.moveaxis(words, -1, axis)).view(np.int32)


def _gptq(codes, zero, scale, groups, kind, bits):
    less = 0 if kind == "gptq_v2" else 1
    return {
        "qweight": _words(codes.T, bits, 0),
        "qzeros": _words(zero.T - less, bits, 1),
        "scales": np.ascontiguousarray(scale.T),
        "g_idx": groups,
    }


def _awq(codes, zero, scale, groups, kind, bits):
    order = (0, 2, 4, 6, 1, 3, 5, 7)
    return {
        "qweight": _words(codes.T, bits, 1, order),
        "qzeros": _words(zero.T, bits, 1, order),
        "scales": np.ascontiguousarray(scale.T),
    }


def _packed(codes, zero, scale, groups, kind, bits):
    made = {
        "weight_packed": _words(codes, bits, 1),
        "weight_scale": scale,
        "weight_shape": np.array(codes.shape, np.int64),
    }
    if kind.endswith("zeros"):
        made["weight_zero_point"] = _words(zero, bits, 0)
    return made | ({"weight_g_idx": groups} if kind.endswith("order") else {})
