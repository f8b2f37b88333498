"""Specs from the true values of published `config.json` files."""

import json

import pytest

import irattn
from irattn import AttentionSpec, PagedAttentionSpec
from irattn.errors import ConfigError

LLAMA_3_1_8B = {
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "max_position_embeddings": 131072,
    "model_type": "llama",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "rope_scaling": {
        "factor": 8.0,
        "high_freq_factor": 4.0,
        "low_freq_factor": 1.0,
        "original_max_position_embeddings": 8192,
        "rope_type": "llama3",
    },
    "rope_theta": 500000.0,
    "torch_dtype": "bfloat16",
}
LLAMA_3_2_1B = {
    "architectures": ["LlamaForCausalLM"],
    "head_dim": 64,
    "hidden_size": 2048,
    "max_position_embeddings": 131072,
    "model_type": "llama",
    "num_attention_heads": 32,
    "num_hidden_layers": 16,
    "num_key_value_heads": 8,
    "torch_dtype": "bfloat16",
}
QWEN_2_5_7B = {
    "architectures": ["Qwen2ForCausalLM"],
    "hidden_size": 3584,
    "max_position_embeddings": 131072,
    "max_window_layers": 28,
    "model_type": "qwen2",
    "num_attention_heads": 28,
    "num_hidden_layers": 28,
    "num_key_value_heads": 4,
    "sliding_window": 131072,
    "torch_dtype": "bfloat16",
    "use_sliding_window": False,
}
MISTRAL_7B_V0_3 = {
    "architectures": ["MistralForCausalLM"],
    "hidden_size": 4096,
    "max_position_embeddings": 32768,
    "model_type": "mistral",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "sliding_window": None,
    "torch_dtype": "bfloat16",
}
PHI_3_MINI = {
    "architectures": ["Phi3ForCausalLM"],
    "hidden_size": 3072,
    "max_position_embeddings": 4096,
    "model_type": "phi3",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 32,
    "sliding_window": 2047,
    "torch_dtype": "bfloat16",
}
GPT_2 = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "n_ctx": 1024,
    "n_embd": 768,
    "n_head": 12,
    "n_layer": 12,
    "n_positions": 1024,
}
BERT_BASE = {
    "architectures": ["BertForMaskedLM"],
    "hidden_size": 768,
    "max_position_embeddings": 512,
    "model_type": "bert",
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
    "position_embedding_type": "absolute",
}
MINILM_L6 = {
    "architectures": ["BertModel"],
    "hidden_size": 384,
    "max_position_embeddings": 512,
    "model_type": "bert",
    "num_attention_heads": 12,
    "num_hidden_layers": 6,
    "position_embedding_type": "absolute",
}
GEMMA_2_9B = {
    "architectures": ["Gemma2ForCausalLM"],
    "attn_logit_softcapping": 50.0,
    "final_logit_softcapping": 30.0,
    "head_dim": 256,
    "hidden_size": 3584,
    "max_position_embeddings": 8192,
    "model_type": "gemma2",
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "query_pre_attn_scalar": 256,
    "sliding_window": 4096,
    "torch_dtype": "float32",
}
GPT_OSS_20B = {
    "architectures": ["GptOssForCausalLM"],
    "head_dim": 64,
    "hidden_size": 2880,
    "layer_types": ["sliding_attention", "full_attention"] * 12,
    "max_position_embeddings": 131072,
    "model_type": "gpt_oss",
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "sliding_window": 128,
}
DEEPSEEK_V3 = {
    "architectures": ["DeepseekV3ForCausalLM"],
    "hidden_size": 7168,
    "kv_lora_rank": 512,
    "max_position_embeddings": 163840,
    "model_type": "deepseek_v3",
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "torch_dtype": "bfloat16",
    "v_head_dim": 128,
}


@pytest.mark.parametrize(
    ("config", "q_heads", "kv_heads", "head_dim", "io_dtype", "prompt", "context"),
    [
        (LLAMA_3_1_8B, 32, 8, 128, "bf16", 512, 2048),
        (LLAMA_3_2_1B, 32, 8, 64, "bf16", 512, 2048),
        (QWEN_2_5_7B, 28, 4, 128, "bf16", 512, 2048),
        (MISTRAL_7B_V0_3, 32, 8, 128, "bf16", 512, 2048),
        # The longest context in whole blocks that the window of 2047 tokens does not cut.
        (PHI_3_MINI, 32, 32, 96, "bf16", 512, 2032),
        (GPT_2, 12, 12, 64, "f32", 512, 1024),
    ],
)
def test_decoders(config, q_heads, kv_heads, head_dim, io_dtype, prompt, context):
    prefill, decode = irattn.specs_from_config(config).values()
    heads = {"num_q_heads": q_heads, "num_kv_heads": kv_heads, "head_dim": head_dim}
    assert prefill == AttentionSpec(
        q_len=prompt, kv_len=prompt, causal=True, io_dtype=io_dtype, **heads
    )
    blocks = context // 16
    assert decode == PagedAttentionSpec(
        q_len=1, num_blocks=blocks, max_blocks=blocks, io_dtype=io_dtype, **heads
    )


@pytest.mark.parametrize(("config", "head_dim"), [(BERT_BASE, 64), (MINILM_L6, 32)])
def test_encoders_look_both_ways(config, head_dim):
    (spec,) = irattn.specs_from_config(config).values()
    assert spec == AttentionSpec(
        num_q_heads=12, num_kv_heads=12, q_len=512, kv_len=512, head_dim=head_dim, io_dtype="f32"
    )


def test_names_tell_model_and_sizes():
    names = list(irattn.specs_from_config(LLAMA_3_1_8B))
    assert [name.rpartition("-")[0] for name in names] == ["llama_prefill", "llama_paged_decode"]
    assert names != list(irattn.specs_from_config(LLAMA_3_2_1B))


def test_sizes_can_be_given():
    prefill, decode = irattn.specs_from_config(
        LLAMA_3_1_8B, batch=3, q_len=100, kv_len=1000
    ).values()
    assert (prefill.batch, prefill.q_len, prefill.kv_len) == (3, 100, 1000)
    assert (decode.batch, decode.max_blocks, decode.num_blocks) == (3, 63, 189)
    (prefill, _) = irattn.specs_from_config(LLAMA_3_1_8B, kv_len=64).values()
    assert (prefill.q_len, prefill.kv_len) == (64, 64)


def test_nested_text_configs():
    nested = {
        "model_type": "gemma3",
        "architectures": ["Gemma3ForConditionalGeneration"],
        "dtype": "bfloat16",
        "text_config": {
            "model_type": "gemma3_text",
            "num_attention_heads": 8,
            "num_key_value_heads": 4,
            "head_dim": 256,
            "query_pre_attn_scalar": 64,
        },
        "vision_config": {"num_attention_heads": 16},
    }
    prefill, _ = irattn.specs_from_config(nested).values()
    assert (prefill.num_q_heads, prefill.head_dim, prefill.io_dtype) == (8, 256, "bf16")
    assert prefill.scale == 0.125


def test_scales():
    granite = {**LLAMA_3_1_8B, "attention_multiplier": 0.0078125}
    assert next(iter(irattn.specs_from_config(granite).values())).scale == 0.0078125
    unscaled = {**GPT_2, "scale_attn_weights": False}
    assert next(iter(irattn.specs_from_config(unscaled).values())).scale == 1.0


def test_multi_query_spellings():
    falcon = {**GPT_2, "multi_query": True}
    glm = {**GPT_2, "multi_query_attention": True, "multi_query_group_num": 2, "kv_channels": 128}
    falcon_40b = {**falcon, "new_decoder_architecture": True, "num_kv_heads": 4}
    found = [
        next(iter(irattn.specs_from_config(config).values()))
        for config in (falcon, glm, falcon_40b)
    ]
    assert [(spec.num_kv_heads, spec.head_dim) for spec in found] == [(1, 64), (2, 128), (4, 64)]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (GEMMA_2_9B, "attn_logit_softcapping: 50.0 asks for a soft cap on the logits, which"),
        (GPT_OSS_20B, "model_type: gpt_oss uses attention sinks, which irattn does not have yet"),
        (DEEPSEEK_V3, "kv_lora_rank: 512 asks for latent attention, which irattn does not have"),
        (
            {**LLAMA_3_1_8B, "sliding_window": 128},
            "sliding_window: 128 asks for a window, which irattn does not have yet",
        ),
        ({**LLAMA_3_1_8B, "alibi": True}, "alibi: True asks for ALiBi slopes"),
        (
            {**LLAMA_3_1_8B, "layer_types": ["linear_attention"]},
            "layer_types: linear_attention is a kind of layer that irattn does not have",
        ),
        (
            {**BERT_BASE, "position_embedding_type": "relative_key"},
            "position_embedding_type: relative_key is not known to leave the logits alone",
        ),
        ({**GPT_2, "model_type": "bloom"}, "model_type: bloom uses ALiBi slopes"),
        ({**GPT_2, "attn_config": {"alibi": True}}, "attn_config: {'alibi': True} asks for"),
        (
            {**BERT_BASE, "relative_attention_num_buckets": 32},
            "relative_attention_num_buckets: 32 asks for relative positions in the logits",
        ),
        ({**LLAMA_3_1_8B, "model_type": []}, "model_type: expected text, got []"),
        ({**LLAMA_3_1_8B, "architectures": 5}, "architectures: expected a list of texts, got 5"),
        ({**LLAMA_3_1_8B, "layer_types": [None]}, "layer_types: expected a list of texts"),
        (
            {**LLAMA_3_1_8B, "query_pre_attn_scalar": -1},
            "query_pre_attn_scalar: expected a number above 0, got -1",
        ),
        ({**LLAMA_3_1_8B, "is_encoder_decoder": True}, "is_encoder_decoder: True asks for"),
        ({}, "num_attention_heads: missing (also known as n_head or n_heads)"),
        ({"num_attention_heads": 8}, "head_dim: missing, and so is hidden_size"),
        (
            {**LLAMA_3_1_8B, "hidden_size": 4097},
            "hidden_size: expected a multiple of the 32 attention heads, got 4097; or give",
        ),
        (
            {**LLAMA_3_1_8B, "num_attention_heads": [8, 16]},
            "num_attention_heads: expected a whole number of at least 1, got [8, 16]",
        ),
        (
            {**LLAMA_3_1_8B, "torch_dtype": "float8"},
            "torch_dtype: expected one of float32, float16, bfloat16, got float8",
        ),
        (
            {"model_type": "vit", "num_attention_heads": 12, "hidden_size": 768},
            "model_type: cannot tell whether vit is causal",
        ),
    ],
)
def test_what_is_missing_is_refused_by_name(config, message):
    with pytest.raises(ConfigError) as caught:
        irattn.specs_from_config(config)
    assert str(caught.value).startswith(message)


def test_lengths_beyond_the_model_are_refused():
    with pytest.raises(ConfigError, match="max_position_embeddings: 1024 is the model's longest"):
        irattn.specs_from_config(GPT_2, kv_len=1025)
    with pytest.raises(ConfigError, match="sliding_window: 2047 hides tokens from longer contexts"):
        irattn.specs_from_config(PHI_3_MINI, kv_len=4096)


def test_impossible_lengths_are_refused():
    with pytest.raises(ConfigError, match="q_len: expected a whole number of at least 1, got 0"):
        irattn.specs_from_config(GPT_2, q_len=0)


def test_files(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(MISTRAL_7B_V0_3))
    assert irattn.specs_from_config(path) == irattn.specs_from_config(MISTRAL_7B_V0_3)
    path.write_text("{")
    with pytest.raises(ConfigError, match="is not JSON"):
        irattn.specs_from_config(path)
    path.write_text("[]")
    with pytest.raises(ConfigError, match="expected a JSON object, got list"):
        irattn.specs_from_config(path)
    with pytest.raises(ConfigError, match="is not readable: No such file"):
        irattn.specs_from_config(tmp_path / "missing.json")
