"""Folders of small models with quantised weights, as makers write them, and what they mean."""

import json
import shutil

import ml_dtypes
import numpy as np

from irattn.generation.gguf_model import model_at
from support.model_parts import read_of, write_folder
from support.word_weights import SAID_OF_WORDS, in_words

FP8 = ml_dtypes.float8_e4m3fn
FOUR_BITS = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)
DYNAMIC = {"num_bits": 8, "type": "float", "dynamic": True, "strategy": "token"}


def _compressed(kind, strategy, activations=None):
    weights = {"num_bits": 8, "type": kind, "strategy": strategy, "symmetric": True}
    group = {"targets": ["Linear"], "weights": {**weights, "dynamic": False}}
    return {
        **{"quant_method": "compressed-tensors", "format": f"{kind}-quantized"},
        **{"quantization_status": "compressed", "ignore": ["lm_head", "re:.*mlp.gate$"]},
        "config_groups": {"group_0": {**group, "input_activations": activations}},
    }


# What config.json says, by a name of ours.
SAID = {
    "int8_channel": _compressed("int", "channel"),
    "fp8_channel": _compressed("float", "channel", DYNAMIC),
    "fp8_tensor": _compressed("float", "tensor"),
    "fp8_block": {
        **{"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic"},
        "weight_block_size": [128, 128],
    },
    "mxfp4": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn"]},
    **SAID_OF_WORDS,
}
_KEPT = ("norm", "mlp.gate.", "mlp.router", "shared_expert_gate", "embed", "lm_head")


def write_quantised(path, config, kind):
    """Folders of a model: the quantised one, and one of the numbers that it stands for."""
    plain, quantised = path / "plain", path / "quantised"
    stored, numbers = {}, {}
    for name, array in write_folder(plain, config).items():
        small = array * np.float32(0.2 if array.ndim > 1 else 1)
        tensors, wide = _made(name, small, kind)
        stored |= tensors
        numbers[name] = wide
    shutil.copytree(plain, quantised, dirs_exist_ok=True)
    (quantised / "config.json").write_text(
        json.dumps({**config, "quantization_config": SAID[kind]})
    )
    from safetensors.numpy import save_file

    save_file(numbers, plain / "model.safetensors")
    save_file(stored, quantised / "model.safetensors")
    return quantised, plain


def assert_widened(quantised, plain):
    """Assert that all weights of the quantised folder are read as the numbers of the plain one."""
    _, wanted = read_of(model_at(plain))
    graphs, arrays = read_of(model_at(quantised, widens=True))
    assert arrays.keys() == wanted.keys()
    assert graphs.phases[0].layers[0].weight_format is None
    for key, array in wanted.items():
        np.testing.assert_array_equal(arrays[key], array, err_msg=key)


def _made(name, array, kind):
    """What the files have of a weight, and its numbers."""
    if kind == "mxfp4":
        is_taken = name.endswith(("experts.gate_up_proj", "experts.down_proj"))
        return _mxfp4(name, array) if is_taken else ({name: array}, array)
    if array.ndim != 2 or any(part in name for part in _KEPT):
        return {name: array}, array
    before = name.removesuffix(".weight")
    if kind in SAID_OF_WORDS:
        return in_words(before, array, kind)
    if kind == "fp8_block":
        scale = np.array(
            [
                [np.abs(array[i : i + 128, j : j + 128]).max() for j in _starts(array.shape[1])]
                for i in _starts(array.shape[0])
            ],
            np.float32,
        ) / np.float32(448)
        rows, columns = array.shape
        each = np.repeat(np.repeat(scale, 128, 0), 128, 1)[:rows, :columns]
        numbers = (array / each).astype(FP8)
        tensors = {name: numbers, f"{before}.weight_scale_inv": scale}
        return tensors, numbers.astype(np.float32) * each
    is_int = kind.startswith("int8")
    axis = None if kind.endswith("tensor") else 1
    scale = np.abs(array).max(axis, keepdims=axis is not None) / np.float32(127 if is_int else 448)
    numbers = np.rint(array / scale).astype(np.int8) if is_int else (array / scale).astype(FP8)
    scale = np.asarray(scale, np.float32)
    tensors = {name: numbers, f"{before}.weight_scale": scale.reshape(-1, *([1] if axis else []))}
    return tensors, numbers.astype(np.float32) * scale


def _starts(size):
    return range(0, size, 128)


def _mxfp4(name, array):
    """`[experts, in, out]` in blocks of 32 along what goes in; an even number has the low half."""
    turned = np.ascontiguousarray(array.swapaxes(1, 2))
    blocks = turned.reshape(*turned.shape[:2], -1, 32)
    exponent = np.floor(np.log2(np.abs(blocks).max(-1))) - 2
    power = np.exp2(exponent)[..., None].astype(np.float32)
    codes = np.abs(blocks[..., None] / power[..., None] - FOUR_BITS).argmin(-1).astype(np.uint8)
    tensors = {
        f"{name}_blocks": codes[..., ::2] | codes[..., 1::2] << 4,
        f"{name}_scales": (exponent + 127).astype(np.uint8),
    }
    numbers = (FOUR_BITS[codes] * power).reshape(turned.shape)
    return tensors, np.ascontiguousarray(numbers.swapaxes(1, 2))
