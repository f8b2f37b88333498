"""GGUF files of many architectures: the same graphs and numbers as the same models' folders give.

Folders are checked against transformers. Files are written as llama.cpp's converters do it.
"""

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from irattn.core.errors import ConfigError
from irattn.generation.gguf_model import model_at
from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.model_folder import SIZES
from support.model_parts import graphs_of_small, read_of, write_folder

TIED = {"tie_word_embeddings": True}
LAYER_NORM = {"rms_norm_eps": None, "layer_norm_eps": 1e-5}
EPSILON = {"rms_norm_eps": None, "layer_norm_epsilon": 1e-5}
OWN_KEYS = {"num_key_value_heads": None, "head_dim": None}
PART = {"partial_rotary_factor": 0.5}
FALCON = {**EPSILON, **OWN_KEYS, **TIED, "intermediate_size": None, "ffn_hidden_size": 48}
GPT_2 = {**EPSILON, **OWN_KEYS, **TIED, "intermediate_size": None, "n_inner": 128}
NEOX = {**LAYER_NORM, **OWN_KEYS, "rotary_pct": 0.5}
CONFIGS = {
    "command-r": {"model_type": "cohere", **LAYER_NORM, **TIED, "logit_scale": 0.3},
    "cohere2": {"model_type": "cohere2", **LAYER_NORM, **TIED, "logit_scale": 0.3},
    "falcon 7B": {"model_type": "falcon", **FALCON, "multi_query": True},
    "falcon 40B": {
        **{"model_type": "falcon", **FALCON, "new_decoder_architecture": True},
        **{"num_kv_heads": 2},
    },
    "falcon 11B": {
        **{"model_type": "falcon", **FALCON, "new_decoder_architecture": True},
        **{"num_kv_heads": 2, "num_ln_in_parallel_attn": 1},
    },
    "gpt2": {"model_type": "gpt2", **GPT_2},
    "gptneox": {"model_type": "gpt_neox", **NEOX, "use_parallel_residual": True},
    "gptneox in turn": {"model_type": "gpt_neox", **NEOX, "use_parallel_residual": False},
    "nemotron": {"model_type": "nemotron", "rms_norm_eps": None, "norm_eps": 1e-5, **PART},
    "olmo": {"model_type": "olmo", "rms_norm_eps": None},
    "phi2": {"model_type": "phi", **LAYER_NORM, **PART, "num_key_value_heads": 4},
    "stablelm": {
        "model_type": "stablelm",
        **LAYER_NORM,
        "head_dim": None,
        "partial_rotary_factor": 0.25,
    },
    "stablelm biases": {
        **{"model_type": "stablelm", **LAYER_NORM, "use_qkv_bias": True, "head_dim": None},
        **{"use_parallel_residual": True, "partial_rotary_factor": 1.0},
    },
    "starcoder": {"model_type": "gpt_bigcode", **GPT_2, "multi_query": True},
    "starcoder2": {"model_type": "starcoder2", "rms_norm_eps": None, "norm_epsilon": 1e-5},
}
CONFIGS["cohere2"]["sliding_window"] = 9
# What each of a class of models says in its files besides, where its own file leaves it out.
SAID = {
    "nemotron": {"nemotron.attention.layer_norm_epsilon": 1e-5},
    "olmo": {"olmo.attention.layer_norm_epsilon": 1e-5},
    "stablelm": {"stablelm.use_parallel_residual": True},
}


def config_of(name, **changes):
    sizes = {key: value for key, value in SIZES.items() if key != "hidden_act"}
    given = {**sizes, **CONFIGS[name], **changes}
    return {key: value for key, value in given.items() if value is not None}


def parts_of_file(path, name):
    """The metadata and the tensors of a model's file, whose folder is written."""
    config = config_of(name)
    tensors = tensors_of_gguf(config, write_folder(path / "model", config))
    return {**metadata_of(config), **SAID.get(name, {})}, tensors


def check_same(folder, file):
    (wanted_graphs, wanted), (graphs, arrays) = map(read_of, map(model_at, (folder, file)))
    assert graphs == wanted_graphs
    assert arrays.keys() == wanted.keys()
    for key, array in wanted.items():
        np.testing.assert_array_equal(arrays[key], array, err_msg=key)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_file_of_this_kind_is_the_model_of_its_folder(tmp_path, name):
    file = write_gguf(tmp_path / "model.gguf", *parts_of_file(tmp_path, name))
    check_same(tmp_path / "model", file)


def test_queries_keys_and_values_may_be_one_tensor(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "starcoder2")
    for before, kind in ((f"blk.{n}.attn_", kind) for n in (0, 1) for kind in ("weight", "bias")):
        parts = [tensors.pop(f"{before}{one}.{kind}") for one in "qkv"]
        tensors[f"{before}qkv.{kind}"] = np.concatenate(parts)
    check_same(tmp_path / "model", write_gguf(tmp_path / "model.gguf", metadata, tensors))


def test_layers_that_predict_later_tokens_are_left_out(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "stablelm")
    metadata |= {"stablelm.block_count": 3, "stablelm.nextn_predict_layers": 1}
    tensors |= {f"blk.2.{one}.weight": np.ones(32, np.float32) for one in ("attn_norm", "nextn.x")}
    check_same(tmp_path / "model", write_gguf(tmp_path / "model.gguf", metadata, tensors))


@pytest.mark.parametrize(
    ("name", "said", "message"),
    [
        ("command-r", {"command-r.logit_scale": None}, "command-r.logit_scale: missing"),
        ("cohere2", {"cohere2.attention.key_length": 16}, "key_length: expected 8, all that"),
        ("falcon 7B", {"falcon.tensor_data_layout": "other"}, "expected jploski, got 'other'"),
        ("gpt2", {"gpt2.attention.head_count_kv": 2}, "head_count_kv: expected 4, all that irattn"),
        ("gpt2", {"gpt2.attention.layer_norm_epsilon": None}, "layer_norm_epsilon: missing"),
        ("gptneox", {"gptneox.use_parallel_residual": None}, "use_parallel_residual: missing"),
        ("olmo", {"olmo.attention.clamp_kqv": 8.0}, "clamp_kqv: expected 0.0, got 8.0"),
        ("olmo", {"olmo.attention.layer_norm_epsilon": 1e-6}, "expected 1e-05, got 1e-06"),
        ("starcoder", {"starcoder.attention.head_count_kv": 4}, "expected 1, got 4"),
        ("starcoder2", {"starcoder2.attention.sliding_window": 9}, "--ignore-key starcoder2.att"),
        ("stablelm", {"stablelm.nextn_predict_layers": 2}, "expected fewer than the 2 layers"),
    ],
)
def test_what_a_kind_of_files_cannot_say_is_named(tmp_path, name, said, message):
    metadata, tensors = parts_of_file(tmp_path, name)
    there = {key: value for key, value in (metadata | said).items() if value is not None}
    file = write_gguf(tmp_path / "model.gguf", there, tensors)
    with pytest.raises(ConfigError, match=message):
        graphs_of_small(model_at(file))
