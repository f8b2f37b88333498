"""Folders of GPTQ, AWQ and compressed-tensors: what their words mean, as blocks and as numbers."""

import json

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
from safetensors.numpy import load_file, save_file

import irattn
from irattn.core.errors import ConfigError, ModelError
from irattn.generation.gguf_model import model_at
from irattn.models import specs_from_config
from irattn.reference.packed_weights import numbers_of
from support.model_folder import SIZES
from support.model_parts import read_of
from support.quantised_folders import SAID, assert_widened, write_quantised
from support.word_weights import SAID_OF_WORDS

SMALL = {**SIZES, "model_type": "llama", "intermediate_size": 64}
EXPERTS = {
    **{**SMALL, "model_type": "qwen3_moe", "moe_intermediate_size": 32, "num_experts": 4},
    **{"num_experts_per_tok": 2, "norm_topk_prob": True},
}
BLOCKS = [
    *("gptq", "gptq_v2", "gptq_bytes", "gptq_rows", "packed", "packed_rows", "packed_bytes"),
]
MISFITS = {
    **dict.fromkeys(("gptq_zeros", "awq", "packed_zeros"), "zero points"),
    **dict.fromkeys(("gptq_order", "packed_order"), "groups of columns in an order of their own"),
}
PART = "model.layers.1.mlp.down_proj"


@pytest.mark.parametrize("kind", BLOCKS)
def test_symmetric_words_are_blocks(tmp_path, kind):
    quantised, plain = write_quantised(tmp_path, SMALL, kind)
    _, wanted = read_of(model_at(plain))
    graphs, arrays = read_of(model_at(quantised))
    formats = dict(graphs.phases[0].layers[0].weight_format)
    packed = "q8_0" if kind.endswith("bytes") else "q4_0"
    assert formats == dict.fromkeys(("qkv", "output", "gate_up", "down"), packed)
    for number in (0, 1):
        for one in formats:
            name = f"{number} {one}_weight"
            assert arrays[name].dtype == np.uint8
            np.testing.assert_allclose(numbers_of(packed, arrays[name]), wanted[name], 1e-6)


@pytest.mark.parametrize("kind", SAID_OF_WORDS)
def test_all_words_are_widened(tmp_path, kind):
    assert_widened(*write_quantised(tmp_path, SMALL, kind))


@pytest.mark.parametrize("widened", [False, True])
@pytest.mark.parametrize(("kind", "suffix"), [("gptq", "qweight"), ("packed", "weight_packed")])
def test_words_beside_plain_numbers_of_a_weight_are_refused(tmp_path, kind, suffix, widened):
    quantised, _ = write_quantised(tmp_path, SMALL, kind)
    (file,) = quantised.glob("*.safetensors")
    tensors = load_file(file)
    save_file({**tensors, f"{PART}.weight": np.zeros((64, 64), np.float32)}, file)
    said = rf"{PART}\.weight: expected words \({PART}\.{suffix}\) or plain numbers, got both"
    with pytest.raises(ModelError, match=said):
        irattn.Generator(quantised, widen_weights=widened)


def test_a_form_is_read_by_either_key(tmp_path):
    quantised, plain = write_quantised(tmp_path, SMALL, "gptq_v2")
    config = json.loads((quantised / "config.json").read_text())
    said = config["quantization_config"]
    said["format"] = said.pop("checkpoint_format")
    (quantised / "config.json").write_text(json.dumps(config))
    _, arrays = read_of(model_at(quantised, widens=True))
    _, wanted = read_of(model_at(plain))
    for key, array in wanted.items():
        np.testing.assert_array_equal(arrays[key], array, err_msg=key)


@pytest.mark.parametrize("kind", ["gptq", "packed"])
def test_experts_are_blocks(tmp_path, kind):
    quantised, plain = write_quantised(tmp_path, EXPERTS, kind)
    _, wanted = read_of(model_at(plain))
    graphs, arrays = read_of(model_at(quantised))
    layer = graphs.phases[0].layers[0]
    assert dict(layer.experts.weight_format) == {"gate_up": "q4_0", "down": "q4_0"}
    for one in ("gate_up", "down"):
        name = f"1 {one}_weight"
        np.testing.assert_allclose(numbers_of("q4_0", arrays[name]), wanted[name], 1e-6)


@pytest.mark.parametrize("kind", MISFITS)
def test_what_no_block_has_is_to_be_widened(tmp_path, kind):
    quantised, _ = write_quantised(tmp_path, SMALL, kind)
    with pytest.raises(ConfigError, match=rf"^quantization_config: weights have {MISFITS[kind]}, "):
        irattn.Generator(quantised)
    # Attention and layers are compiled all the same, of plain weights.
    layers = specs_from_config(quantised / "config.json", q_len=8, kv_len=8, block_size=4)
    assert all(getattr(spec, "weight_format", None) is None for spec in layers.values())


def test_tokens_are_those_of_the_numbers(tmp_path):
    quantised, plain = write_quantised(tmp_path, SMALL, "gptq")
    sizes = {"batch": 1, "step_tokens": 8, "context": 32, "block_size": 4, "io_dtype": "f32"}
    wanted, mine = (irattn.Generator(one, **sizes) for one in (plain, quantised))
    wide = irattn.Generator(quantised, **sizes, widen_weights=True)
    wanted, mine, wide = (one.generate(["abc de"], 6)[0].tokens for one in (wanted, mine, wide))
    assert mine == wide == wanted


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bits": 3}, r"quantization_config\.bits: expected 4 or 8, got 3"),
        ({"bits": True}, r"quantization_config\.bits: expected 4 or 8, got True"),
        ({"group_size": 0}, r"quantization_config\.group_size: expected a number .* got 0"),
        ({"group_size": None}, r"quantization_config\.group_size: .* got None"),
        ({"checkpoint_format": "marlin"}, r"checkpoint_format: expected none or gptq or"),
        ({"format": "marlin"}, r"quantization_config\.format: expected none or gptq or"),
        ({"checkpoint_format": "gptq", "format": "gptq_v2"}, r"format: expected gptq, got"),
        ({"dynamic": {"-:lm_head": {}}}, r"quantization_config\.dynamic: expected"),
        ({"sym": "yes"}, r"quantization_config\.sym: expected"),
        ({"group_size": 24}, r"quantization_config: weights have groups of 24 columns, which no"),
    ],
)  # fmt: skip
def test_other_words_are_refused(tmp_path, change, message):
    quantised, _ = write_quantised(tmp_path, SMALL, "gptq")
    said = {**SMALL, "quantization_config": {**SAID["gptq"], **change}}
    (quantised / "config.json").write_text(json.dumps(said))
    with pytest.raises(ConfigError, match=message):
        irattn.Generator(quantised)


def _float_scales(tensors):
    tensors[f"{PART}.scales"] = np.float32(1.1) * tensors[f"{PART}.scales"]


def _infinite_scale(tensors):
    tensors[f"{PART}.scales"][0, 0] = np.inf


def _large_scale(tensors):
    tensors[f"{PART}.scales"] = np.full_like(tensors[f"{PART}.scales"], 1e9, np.float32)


def _other_zeros(tensors):
    tensors[f"{PART}.qzeros"][0, 0] += 1


def _other_order(tensors):
    tensors[f"{PART}.g_idx"] = tensors[f"{PART}.g_idx"][::-1].copy()


def _far_group(tensors):
    tensors[f"{PART}.g_idx"][0] = 99


def _short_scales(tensors):
    tensors[f"{PART}.scales"] = tensors[f"{PART}.scales"][:, 1:].copy()


def _no_zeros(tensors):
    del tensors[f"{PART}.qzeros"]


def _half_words(tensors):
    tensors[f"{PART}.qweight"] = tensors[f"{PART}.qweight"].astype(np.int64)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (_float_scales, r"down_proj\.scales: expected scales that f16 can hold, .*widen"),
        (_infinite_scale, r"down_proj\.scales: expected finite scales, got NaN or infinity"),
        (_large_scale, r"down_proj\.scales: expected scales that f16 can hold, .*widen"),
        (_other_zeros, r"down_proj\.qzeros: expected 8 everywhere, .*symmetric"),
        (_other_order, r"down_proj\.g_idx: expected groups in order, .*widen"),
        (_far_group, r"down_proj\.g_idx: expected groups from 0 to 1, got 0 to 99"),
        (_short_scales, r"down_proj\.scales: expected \[2, 32\] of F32 .* got \[2, 31\]"),
        (_no_zeros, r"down_proj\.qzeros: expected \[2, 4\] of I32, .* got none"),
        (_half_words, r"down_proj\.qweight: expected words in two axes of I32, .* of I64"),
    ],
)  # fmt: skip
def test_what_files_have_is_checked(tmp_path, harm, message):
    quantised, _ = write_quantised(tmp_path, SMALL, "gptq")
    tensors = load_file(quantised / "model.safetensors")
    harm(tensors)
    save_file(tensors, quantised / "model.safetensors")
    with pytest.raises(ModelError, match=message):
        read_of(model_at(quantised))


@pytest.mark.filterwarnings("error")
def test_widened_words_are_finite(tmp_path):
    quantised, _ = write_quantised(tmp_path, SMALL, "awq")
    tensors = load_file(quantised / "model.safetensors")
    _infinite_scale(tensors)
    save_file(tensors, quantised / "model.safetensors")
    with pytest.raises(ModelError, match=r"down_proj\.weight: expected finite numbers, got"):
        read_of(model_at(quantised, widens=True))


@pytest.mark.parametrize(
    ("kind", "name", "shape"),
    [("gptq_rows", "qweight", (0, 32)), ("packed_rows", "weight_packed", (32, 0))],
)
def test_a_weight_without_columns_is_refused(tmp_path, kind, name, shape):
    quantised, _ = write_quantised(tmp_path, SMALL, kind)
    tensors = load_file(quantised / "model.safetensors")
    tensors[f"{PART}.{name}"] = np.zeros(shape, np.int32)
    save_file(tensors, quantised / "model.safetensors")
    with pytest.raises(ModelError, match=rf"down_proj\.{name}: expected words in two axes of I32"):
        read_of(model_at(quantised))


def test_no_type_is_named_where_sizes_differ(tmp_path):
    quantised, _ = write_quantised(tmp_path, SMALL, "gptq")
    config = json.loads((quantised / "config.json").read_text())
    (quantised / "config.json").write_text(json.dumps({**config, "intermediate_size": 96}))
    message = r"gate_proj\.weight: expected \[96, 32\].* got .* of F32 in model\.safetensors$"
    with pytest.raises(ModelError, match=message):
        read_of(model_at(quantised, widens=True))
