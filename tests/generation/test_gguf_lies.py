"""Metadata of GGUF files that lie, key by key: read as a model, or refused in one line, at once."""

import resource
import signal
from contextlib import contextmanager

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from irattn.core.errors import ConfigError, IrattnError, ModelError
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf import ARCHITECTURES
from irattn.models.gguf.fields import _KNOWN, _SIZES
from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.gguf_use import use
from support.model_folder import SIZES as USUAL
from support.model_parts import write_folder

# Seconds and KiB that no value takes.
MOST_SECONDS, MOST_MEMORY = 20, 200_000
VALUES = (
    *(0, -1, 1, 10**6, 10**9, 2**63 - 1, float("nan"), float("inf"), 2.0, "text", True),
    *(np.array([1]), np.full(9, 10**9), np.full(9, np.nan), np.array([], np.int32), ["a"] * 9, []),
)
EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 20}
DELTA = {
    **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8},
    **{"linear_value_head_dim": 12, "linear_conv_kernel_dim": 4, "full_attention_interval": 2},
    "partial_rotary_factor": 0.5,
}
CONFIGS = {
    "deepseek2": {
        **{"model_type": "deepseek_v2", **EXPERTS, "n_routed_experts": 4, "n_shared_experts": 1},
        **{"kv_lora_rank": 16, "q_lora_rank": 12, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4},
        **{"v_head_dim": 6, "num_key_value_heads": 4, "first_k_dense_replace": 1},
    },
    "gemma4": {
        **{"model_type": "gemma4_text", "tie_word_embeddings": True, "sliding_window": 9},
        **{"layer_types": ["sliding_attention", "full_attention"], "global_head_dim": 16},
        **{"num_kv_shared_layers": 0, "hidden_size_per_layer_input": 12},
        **{"vocab_size_per_layer_input": 300, "use_double_wide_mlp": True},
        "rope_parameters": {
            "full_attention": {
                **{"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
            },
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        },
    },
    "granitehybrid": {
        **{"model_type": "granitemoehybrid", "layer_types": ["mamba", "attention"]},
        **{"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 16, "mamba_n_groups": 2},
        **{"mamba_d_conv": 4, "tie_word_embeddings": True, "attention_multiplier": 0.3},
        **{"embedding_multiplier": 12.0, "residual_multiplier": 0.22, "logits_scaling": 8.0},
        **{"position_embedding_type": "nope", "num_local_experts": 4, "num_experts_per_tok": 2},
        "shared_intermediate_size": 24,
    },
    "llama": {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2},
    "qwen35moe": {
        **{"model_type": "qwen3_5_moe_text", **DELTA, **EXPERTS, "num_experts": 4},
        "shared_expert_intermediate_size": 24,
    },
    "qwen3": {"model_type": "qwen3", "tie_word_embeddings": True},
}


@pytest.fixture
def written(tmp_path):
    """A way to write the file of a small model, with the arrays that are given in place of its."""

    def write(name, **others):
        sizes = {key: value for key, value in USUAL.items() if key != "hidden_act"}
        if name in ("deepseek2", "granitehybrid"):
            del sizes["head_dim"]
        config = {**sizes, **CONFIGS[name]}
        tensors = tensors_of_gguf(config, write_folder(tmp_path / "model", config))
        said = metadata_of(config) | {"tokenizer.chat_template": "{{ messages[0].content }}"}
        return write_gguf(tmp_path / "m.gguf", said, {**tensors, **others})

    return write


@pytest.fixture
def lie(monkeypatch):
    """A way to have files say another value of a key, of any type."""
    read, said = GgufFile._read_metadata, {}
    monkeypatch.setattr(GgufFile, "_read_metadata", lambda self, *a: {**read(self, *a), **said})

    def say(key, value):
        said.clear()
        said[key] = value

    return say


@contextmanager
def seconds(most):
    """Stop what is within after so many seconds, whatever it is that it catches."""

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(most)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(file):
    """`read` or `refused`, or what else came of a file."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        with seconds(MOST_SECONDS):
            use(file)
        found = "read"
    except IrattnError as error:
        found = "refused" if "\n" not in str(error) else str(error)
    except KeyboardInterrupt:
        found = "took too long"
    except Exception as error:
        found = repr(error)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return found if grown < MOST_MEMORY else f"{found}, with {grown} KiB more"


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGS)
def test_a_value_that_lies(written, lie, name):
    file = written(name)
    assert outcome(file) == "read"
    own = ARCHITECTURES[name]
    keys = (*_SIZES, *_KNOWN, *own.keys, *own.silent, *own.only, *own.equal)
    said = {*GgufFile(file).metadata, *(f"{name}.{key}" for key in keys), "general.alignment"}
    found = {}
    for key in sorted(said):
        for value in VALUES:
            lie(key, value)
            found[key, repr(value)] = outcome(file)
    assert {k: v for k, v in found.items() if v not in ("read", "refused")} == {}
    assert list(found.values()).count("refused") > len(found) // 2


@pytest.mark.parametrize(
    ("name", "key", "value", "message"),
    [
        ("llama", "llama.expert_count", 10**9, r"expected 4, as blk.0.ffn_.*_exps.weight has, got"),
        ("llama", "llama.expert_count", 3, r"expected 4, as blk.0.ffn_.*_exps.weight has, got 3"),
        ("gemma4", "gemma4.expert_count", 10**9, "expert_used_count: missing"),
        ("gemma4", "gemma4.feed_forward_length", np.array([], np.int32), "same for the first 2"),
        ("gemma4", "gemma4.attention.shared_kv_layers", 10**9, "fewer than the 2 layers"),
        ("qwen35moe", "qwen35moe.attention.head_count", 10**9, "heads: expected at most 65536"),
        ("qwen3", "tokenizer.ggml.model", np.array([1, 2]), "expected gpt2, llama or gemma4, got"),
    ],
)
def test_a_lie_is_refused_by_its_name(written, lie, name, key, value, message):
    file = written(name)
    lie(key, value)
    with seconds(MOST_SECONDS), pytest.raises(ConfigError, match=message):
        use(file)


def test_a_name_of_two_lines_is_quoted(written):
    file = written("qwen3", **{"blk.0.a\nb.weight": np.ones((2, 2), np.float32)})
    with pytest.raises(ModelError, match=r"expected a name of one line, got 'blk.0.a\\nb.weight'"):
        use(file)
