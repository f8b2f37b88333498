"""Folders of quantised weights: what files have is read, and means the numbers it stands for."""

import json

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
from safetensors.numpy import save_file

import irattn
from irattn.core.errors import ConfigError, ModelError
from irattn.generation.gguf_model import model_at
from irattn.models import specs_from_config
from irattn.reference.packed_weights import numbers_of
from support.model_folder import SIZES
from support.model_parts import read_of
from support.quantised_folders import DYNAMIC, FP8, SAID, assert_widened, write_quantised

YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 32, "truncate": False},
}
SMALL = {**SIZES, "model_type": "llama", "intermediate_size": 64}
# Rows of queries and keys that are whole squares, so that there is one weight of all three.
WIDE = {
    **SIZES,
    **{"model_type": "qwen3", "hidden_size": 160, "intermediate_size": 128, "head_dim": 64},
}
GPT_OSS = {
    **{key: value for key, value in SIZES.items() if key != "hidden_act"},
    **{"model_type": "gpt_oss", "num_local_experts": 4, "num_experts_per_tok": 2},
    **{"intermediate_size": 64, "sliding_window": 9, "rope_parameters": YARN},
}
CONVOLUTIONS = {
    **{**SMALL, "model_type": "lfm2", "num_hidden_layers": 3, "block_auto_adjust_ff_dim": False},
    **{"layer_types": ["conv", "conv", "full_attention"], "conv_L_cache": 3},
}
EXPERTS = {**SMALL, "num_experts": 4, "num_experts_per_tok": 2, "norm_topk_prob": True}
MODELS = {
    "int8": ("int8_channel", SMALL, ("qkv", "output", "gate_up", "down")),
    "fp8": ("fp8_channel", SMALL, ("qkv", "output", "gate_up", "down")),
    "fp8_of_tensors": ("fp8_tensor", SMALL, ("qkv", "output", "gate_up", "down")),
    "squares": ("fp8_block", WIDE, ("qkv", "output", "gate_up", "down")),
    "cut_squares": (
        "fp8_block",
        SMALL,
        ("qkv_query", "qkv_key", "qkv_value", "output", "gate", "up", "down"),
    ),
    "shared_int8": (
        "int8_channel",
        {
            **{**EXPERTS, "model_type": "qwen2_moe", "moe_intermediate_size": 32},
            "shared_expert_intermediate_size": 64,
        },
        ("gate_up", "down", "shared_gate_up", "shared_down"),
    ),
    "experts_of_squares": (
        "fp8_block",
        {
            **{**EXPERTS, "model_type": "qwen3_moe", "moe_intermediate_size": 128},
            "hidden_size": 128,
        },
        ("gate_up", "down"),
    ),
    "convolutions": ("fp8_block", CONVOLUTIONS, ("in", "out", "gate", "up", "down")),
    "mxfp4": ("mxfp4", GPT_OSS, ("gate_up", "down")),
}


@pytest.mark.parametrize("name", MODELS)
def test_weights_stay_as_they_are_stored(tmp_path, name):
    kind, config, weights = MODELS[name]
    quantised, plain = write_quantised(tmp_path, config, kind)
    _, wanted = read_of(model_at(plain))
    graphs, arrays = read_of(model_at(quantised))
    layer = graphs.phases[0].layers[0]
    formats = dict((layer.experts or layer).weight_format)
    assert tuple(formats) == weights
    for number in (0, 1):
        whole = {
            "qkv": [one for one in weights if one.startswith("qkv_")],
            "gate_up": [one for one in weights if one in ("gate", "up")],
        }
        read = {
            one: numbers_of(
                formats[one],
                arrays[f"{number} {one}_weight"],
                arrays.get(f"{number} {one}_weight_scale"),
            )
            for one in weights
        }
        made = {key: [read[one] for one in parts] for key, parts in whole.items() if parts}
        read |= {key: np.concatenate(parts) for key, parts in made.items()}
        for one in read.keys() - {part for parts in whole.values() for part in parts}:
            np.testing.assert_allclose(read[one], wanted[f"{number} {one}_weight"], 1e-6)


@pytest.mark.parametrize(
    "name", ["fp8_of_tensors", "cut_squares", "shared_int8", "convolutions", "mxfp4"]
)
def test_weights_are_widened(tmp_path, name):
    kind, config, _ = MODELS[name]
    assert_widened(*write_quantised(tmp_path, config, kind))


def test_what_graphs_do_not_take_is_widened(tmp_path):
    config = {**SMALL, "intermediate_size": 48}
    quantised, plain = write_quantised(tmp_path, config, "int8_channel")
    _, wanted = read_of(model_at(plain))
    graphs, arrays = read_of(model_at(quantised))
    assert [*dict(graphs.phases[0].layers[0].weight_format)] == ["qkv", "output"]
    np.testing.assert_array_equal(arrays["1 down_weight"], wanted["1 down_weight"])


def test_experts_beside_latents_stay(tmp_path):
    config = {
        **{key: value for key, value in SMALL.items() if key != "head_dim"},
        **{"model_type": "deepseek_v3", "num_key_value_heads": 4, "kv_lora_rank": 16},
        **{"q_lora_rank": 12, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8},
        **{"hidden_size": 128, "moe_intermediate_size": 128, "n_routed_experts": 4},
        **{"num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1},
        **{"n_group": 1, "topk_group": 1, "norm_topk_prob": True, "routed_scaling_factor": 2.5},
    }
    quantised, plain = write_quantised(tmp_path, config, "fp8_block")
    _, wanted = read_of(model_at(plain))
    _, arrays = read_of(model_at(quantised))
    stored = {key for key, array in arrays.items() if array.dtype == FP8}
    of_experts = ("gate_up", "down", "shared_gate_up", "shared_down")
    assert stored == {f"1 {one}_weight" for one in of_experts}
    for key in wanted.keys() - stored:
        np.testing.assert_array_equal(arrays[key], wanted[key], err_msg=key)


def test_parts_that_are_ignored_are_plain(tmp_path):
    quantised, _ = write_quantised(tmp_path, SMALL, "int8_channel")
    said = {**SMALL, "quantization_config": {**SAID["int8_channel"]}}
    said["quantization_config"]["ignore"] = ["re:.*down_proj", "model.layers.1.self_attn.o_proj"]
    (quantised / "config.json").write_text(json.dumps(said))
    layers = read_of(model_at(quantised))[0].phases[0].layers
    assert [[*dict(one.weight_format)] for one in layers] == [["qkv", "output"], ["qkv"]]


def test_specs_of_a_config_have_the_formats():
    for kind, config in (("fp8_block", WIDE), ("mxfp4", GPT_OSS)):
        specs = specs_from_config({**config, "quantization_config": SAID[kind]})
        layers = [one for one in specs.values() if hasattr(one, "experts")]
        assert layers
        for one in layers:
            assert {*dict((one.experts or one).weight_format).values()} == {kind}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["squares", "mxfp4"])
def test_a_text_is_that_of_the_numbers(tmp_path, name):
    kind, config, _ = MODELS[name]
    config = {**config, "num_hidden_layers": 1}
    # Those of the test of a file's blocks, whose graphs serve here.
    sizes = {"batch": 3, "step_tokens": 8, "context": 32, "block_size": 4, "io_dtype": "f32"}
    prompts = ["abc de", "12345678901234567890"]
    texts = [
        [one.tokens for one in irattn.Generator(folder, **sizes).generate(prompts, 4)]
        for folder in write_quantised(tmp_path, config, kind)
    ]
    assert texts[0] == texts[1]


Q_PROJ = "model.layers.0.self_attn.q_proj.weight"
NORM, ONES = "model.layers.1.input_layernorm.weight", np.ones((32, 1), np.float32)
GATE_UP = "model.layers.1.mlp.experts.gate_up_proj"


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("int8_channel", {f"{Q_PROJ}_scale": None}, f"{Q_PROJ}_scale: expected a tensor .*32.* go"),
        (
            "int8_channel",
            {f"{Q_PROJ}_scale": np.ones((31, 1), np.float32)},
            rf"{Q_PROJ}_scale: expected \[32\] of F32, F16, BF16, .* got \[31, 1\]",
        ),
        ("int8_channel", {f"{Q_PROJ}_scale": np.ones((32, 1), np.int32)}, "_scale: .* of I32 in"),
        ("int8_channel", {Q_PROJ: np.ones((32, 32), FP8)}, f"{Q_PROJ}: expected .* of I8, as .* o"),
        (
            "int8_channel",
            {f"{Q_PROJ}_scale": np.full((32, 1), np.inf, np.float32)},
            f"{Q_PROJ}_scale: expected finite numbers, got NaN 0 times and infinity 32 times",
        ),
        ("int8_channel", {NORM: np.ones(32, np.int8), f"{NORM}_scale": ONES}, f"{NORM}: .* of I8"),
        ("int8_channel", {"lm_head.weight": np.ones((300, 32), np.int8)}, "lm_head.*of I8"),
        ("fp8_channel", {Q_PROJ: np.full((32, 32), np.nan, FP8)}, f"{Q_PROJ}: expected finite num"),
        (
            "fp8_block",
            {f"{Q_PROJ}_scale_inv": np.ones((1, 2), np.float32)},
            rf"{Q_PROJ}_scale: expected \[1, 1\] of .*got \[1, 2\]",
        ),
        ("mxfp4", {f"{GATE_UP}_scales": None}, f"{GATE_UP}_scales: expected .* of U8, .* got none"),
        (
            "mxfp4",
            {f"{GATE_UP}_scales": np.zeros((4, 128, 2), np.uint8)},
            rf"{GATE_UP}_scales: expected \[4, 128, 1\] of U8, .* got \[4, 128, 2\]",
        ),
        (
            "mxfp4",
            {f"{GATE_UP}_scales": np.full((4, 128, 1), 255, np.uint8)},
            f"{GATE_UP}_scales: expected scales, got NaN",
        ),
        (
            "mxfp4",
            {f"{GATE_UP}_blocks": np.zeros((4, 128, 1, 15), np.uint8)},
            rf"{GATE_UP}: expected \[4, 128, 17\] of .*got \[4, 128, 1, 15\] of U8",
        ),
    ],
)  # fmt: skip
def test_hostile_files_end_in_one_line(tmp_path, kind, changes, words):
    config = GPT_OSS if kind == "mxfp4" else SMALL
    quantised, _ = write_quantised(tmp_path, config, kind)
    file = quantised / "model.safetensors"
    tensors = {**_loaded(file), **changes}
    save_file({name: one for name, one in tensors.items() if one is not None}, file)
    with pytest.raises(ModelError, match=words) as caught:
        read_of(model_at(quantised))
    assert "\n" not in str(caught.value)


def _loaded(file):
    """All tensors, those of types that NumPy has not among them, as safetensors does not."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    kinds = {"F32": np.float32, "I8": np.int8, "U8": np.uint8, "F8_E4M3": FP8}
    return {
        name: np.frombuffer(data[8 + size :][slice(*one["data_offsets"])], kinds[one["dtype"]])
        .reshape(one["shape"])
        .copy()
        for name, one in json.loads(data[8 : 8 + size]).items()
    }


def _group(**changes):
    group = SAID["int8_channel"]["config_groups"]["group_0"]
    weights = {**group["weights"], **changes.pop("weights", {})}
    return {"config_groups": {"group_0": {**group, "weights": weights, **changes}}}


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("fp8_block", {"quant_method": "hqq"}, "quant_method: expected one of awq, compressed-"),
        ("fp8_block", {"quant_method": "eetq"}, "fp8, gptq, mxfp4, got 'eetq'; give the folder of"),
        ("fp8_block", {"quant_method": "bitsandbytes"}, "got 'bitsandbytes'"),
        ("fp8_block", {"quant_method": None}, "got None"),
        ("fp8_block", {"weight_block_size": [64, 64]}, r"weight_block_size: expected \[128, 128\]"),
        ("fp8_block", {"activation_scheme": "static"}, "activation_scheme: expected none or dynam"),
        ("fp8_block", {"fmt": "e5m2"}, "fmt: expected none or e4m3 or float8_e4m3fn, got"),
        ("fp8_block", {"modules_to_not_convert": 3}, "modules_to_not_convert: expected a list of"),
        ("int8_channel", {"format": "marlin-24"}, "format: expected none or int-quantized or"),
        ("int8_channel", {"ignore": ["re:("]}, r"ignore: '\(' is no pattern"),
        ("int8_channel", {"kv_cache_scheme": {"num_bits": 8}}, "kv_cache_scheme: expected none, g"),
        ("int8_channel", {"config_groups": {}}, "config_groups: expected one group, got"),
        ("int8_channel", _group(weights={"num_bits": 4}), "group_0'.weights.num_bits: expected 8,"),
        ("int8_channel", _group(weights={"symmetric": False}), "weights.symmetric: expected none"),
        ("int8_channel", _group(weights={"strategy": "group"}), "strategy: expected channel or te"),
        (
            "int8_channel",
            _group(input_activations={**DYNAMIC, "dynamic": False}),
            "input_activations.dynamic: expected True, got False",
        ),
    ],
)  # fmt: skip
def test_what_is_not_known_is_named(kind, changes, words):
    said = {**SAID[kind], **changes}
    with pytest.raises(ConfigError, match=f"quantization_config.*{words}") as caught:
        specs_from_config({**SMALL, "quantization_config": said})
    assert "\n" not in str(caught.value)
