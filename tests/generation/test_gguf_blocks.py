"""Blocks of GGUF files beside latents, gates and moved heads: they stay, or are read as numbers."""

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

import irattn
from irattn.generation.gguf_model import model_at
from irattn.reference.packed_weights import numbers_of
from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.gguf_various import parts_of_various
from support.model_folder import config_of
from support.model_parts import graphs_of_small, read_of, write_folder

SIZES = {
    "deepseek2": {
        **{"kv_lora_rank": 32, "q_lora_rank": 64, "qk_nope_head_dim": 32, "v_head_dim": 16},
        **{"moe_intermediate_size": 32, "intermediate_size": 64, "hidden_size": 64},
    },
    "gemma3n": {"intermediate_size": 64, "laurel_rank": 32, "hidden_size_per_layer_input": 32},
    "gemma4": {"intermediate_size": 64, "hidden_size_per_layer_input": 32},
    "gemma4 experts": {
        **{"intermediate_size": 64, "moe_intermediate_size": 32, "use_double_wide_mlp": False},
        "hidden_size_per_layer_input": 0,
    },
    "kimi-linear": {
        **{"kv_lora_rank": 32, "qk_nope_head_dim": 32, "v_head_dim": 16, "linear_head_dim": 32},
        **{"moe_intermediate_size": 32, "intermediate_size": 64, "hidden_size": 64},
    },
    "qwen35moe": {
        **{"linear_value_head_dim": 48, "linear_key_head_dim": 32, "hidden_size": 64},
        **{"moe_intermediate_size": 32, "shared_expert_intermediate_size": 32},
    },
}
# What converters and llama.cpp's quantisation leave numbers.
PLAIN = ("norm", "gate_inp", "conv1d", "ssm_alpha", "bias", "scale", "router", "_coef", "position")
MLP = {"gate_up", "down"}
SHARED = {f"shared_{name}" for name in MLP}
KEPT = {
    "deepseek2": {"query_down", "query", "latent", "output", *MLP, *SHARED},
    "gemma3n": {"qkv", "output", *MLP},
    "gemma4": {"qkv", "output", *MLP},
    "gemma4 experts": {"qkv", "output", *MLP, *(f"experts_{name}" for name in MLP)},
    "kimi-linear": {"query", "latent", "output", *MLP, *SHARED, "qkv", "gate", "rates"},
    "qwen35moe": {"qkv", "gate", "output", *MLP, *SHARED},
}


def quantised(tensors, kind_of):
    """The types of matrices, by a function of their names."""
    return {
        name: kind_of(name)
        for name, array in tensors.items()
        if name.endswith(".weight") and array.ndim > 1 and not any(part in name for part in PLAIN)
    }


def check(path, metadata, tensors, types):
    """The parameters of a file with these blocks, each checked beside its numbers; those kept."""
    small = {
        key: array * np.float32(0.2) if key in types else array for key, array in tensors.items()
    }
    file = write_gguf(path / "m.gguf", metadata, small, types)
    wanted = read_of(model_at(file, widens=True))[1]
    arrays = {key: _numbers(key, array) for key, array in read_of(model_at(file))[1].items()}
    for key, numbers in wanted.items():
        if key not in arrays and key.endswith("qkv_weight"):
            parts = [key.replace("qkv", f"qkv_{one}") for one in ("query", "key", "value", "gate")]
            arrays[key] = np.concatenate([arrays[one] for one in parts if one in arrays])
        np.testing.assert_array_equal(arrays[key], numbers, err_msg=key)
    packed = [key for key, array in read_of(model_at(file))[1].items() if array.dtype == np.uint8]
    return {key.rpartition(" ")[2].removesuffix("_weight") for key in packed}


def _numbers(key, array):
    """The numbers of an array that may be blocks of Q8_0 or, as bytes of a row tell, of Q4_0."""
    if array.dtype != np.uint8:
        return array
    return numbers_of("q4_0" if array.shape[-1] % 34 else "q8_0", array)


@pytest.mark.parametrize("name", SIZES)
def test_blocks_stay(tmp_path, name):
    metadata, tensors = parts_of_various(tmp_path, name, **SIZES[name])
    assert check(tmp_path, metadata, tensors, quantised(tensors, lambda _: "Q4_0")) >= KEPT[name]


@pytest.mark.parametrize("name", SIZES)
def test_types_are_mixed(tmp_path, name):
    """As in files of Q4_K_M, whose values and columns of MLPs are of more bits than others."""
    metadata, tensors = parts_of_various(tmp_path, name, **SIZES[name])
    more = ("attn_v.", "ffn_down", "attn_kv_a_mqa", "attn_v_b", "token_embd")
    types = quantised(tensors, lambda key: "Q8_0" if any(one in key for one in more) else "Q4_0")
    kept = check(tmp_path, metadata, tensors, types)
    # Layers with attention have a weight of each type.
    values = {"qkv_value"} if "qkv" in KEPT[name] and name != "kimi-linear" else set()
    assert kept >= (KEPT[name] - {"qkv"}) | values


# What llama.cpp makes of Q4_K_M where rows are 896 wide, as in Qwen 2.5 0.5B.
SMALLEST = {
    **{"hidden_size": 896, "num_attention_heads": 14, "num_key_value_heads": 2, "head_dim": 64},
    **{"intermediate_size": 512, "tie_word_embeddings": True},
}
MIXTURE = {
    **{"token_embd": "Q8_0", "attn_q": "Q5_0", "attn_k": "Q5_0", "attn_v": "Q8_0"},
    **{"attn_output": "Q5_0", "ffn_gate": "Q5_0", "ffn_up": "Q5_1", "ffn_down": "Q4_1"},
}


@pytest.mark.slow
def test_text_over_blocks_of_rows_that_are_no_multiple_of_256_is_that_over_their_numbers(tmp_path):
    config = config_of("qwen3", **SMALLEST)
    tensors = tensors_of_gguf(config, write_folder(tmp_path / "model", config))
    types = {name: MIXTURE[name.split(".")[-2]] for name, one in tensors.items() if one.ndim > 1}
    file = write_gguf(tmp_path / "m.gguf", metadata_of(config), tensors, types)
    layer = graphs_of_small(model_at(file)).phases[0].layers[0]
    own = {"qkv_query": "q5_0", "qkv_key": "q5_0", "qkv_value": "q8_0", "output": "q5_0"}
    assert dict(layer.weight_format) == {**own, "gate": "q5_0", "up": "q5_1", "down": "q4_1"}
    sizes = {"batch": 2, "step_tokens": 8, "context": 64, "io_dtype": "f32"}
    kept, widened = (
        [one.tokens for one in irattn.Generator(file, **how, **sizes).generate(["Hello", "x"], 6)]
        for how in ({}, {"widen_weights": True})
    )
    assert kept == widened
    assert len({token for tokens in kept for token in tokens}) > 2
