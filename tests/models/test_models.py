"""Specs from the true values of published `config.json` files."""

import json

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, DecoderLayerSpec, PagedAttentionSpec
from irattn.core.errors import ConfigError
from irattn.specs.rope_scaling import (
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    YarnScaling,
)
from support.model_configs import (
    BERT_BASE,
    BLOOM_560M,
    DEEPSEEK_V3,
    FALCON_7B,
    GEMMA_2_9B,
    GEMMA_3_4B,
    GEMMA_7B,
    GLM_4_9B,
    GLM_4_9B_HF,
    GPT_2,
    GPT_OSS_20B,
    LLAMA_3_1_8B,
    LLAMA_3_2_1B,
    MINILM_L6,
    MISTRAL_7B_V0_1,
    MISTRAL_7B_V0_3,
    MPT_7B,
    NEO,
    PHASES,
    PHI_3_MINI,
    PHI_3_MINI_128K,
    QWEN_2_5_7B,
    QWEN_3_8B,
    specs_by_name,
)


def attention_of(spec):
    return getattr(spec, "attention", spec)


def layer_decode(config, **lengths):
    """A layer in decode, of a model whose layers are all alike."""
    (found,) = [s for n, s in specs_by_name(config, **lengths).items() if n.endswith("r_decode")]
    return found


@pytest.mark.parametrize(
    ("config", "q_heads", "kv_heads", "head_dim", "io_dtype", "prompt", "context", "features"),
    [
        (LLAMA_3_1_8B, 32, 8, 128, "bf16", 512, 2048, {}),
        (LLAMA_3_2_1B, 32, 8, 64, "bf16", 512, 2048, {}),
        (QWEN_2_5_7B, 28, 4, 128, "bf16", 512, 2048, {}),
        (QWEN_3_8B, 32, 8, 128, "bf16", 512, 2048, {}),
        (MISTRAL_7B_V0_1, 32, 8, 128, "bf16", 512, 2048, {}),
        (MISTRAL_7B_V0_3, 32, 8, 128, "bf16", 512, 2048, {}),
        (PHI_3_MINI_128K, 32, 32, 96, "bf16", 512, 2048, {}),
        (GEMMA_7B, 16, 16, 256, "bf16", 512, 2048, {}),
        (GEMMA_2_9B, 16, 8, 256, "f32", 512, 2048, {"logits_soft_cap": 50.0}),
        (GLM_4_9B, 32, 2, 128, "bf16", 512, 2048, {}),
        (GLM_4_9B_HF, 32, 2, 128, "bf16", 512, 2048, {}),
        (GPT_2, 12, 12, 64, "f32", 512, 1024, {}),
        (BLOOM_560M, 16, 16, 64, "f32", 512, 2048, {"alibi": True}),
        (MPT_7B, 32, 32, 128, "bf16", 512, 2048, {"alibi": True}),
    ],
)
def test_decoders(config, q_heads, kv_heads, head_dim, io_dtype, prompt, context, features):
    prefill, decode, *layers = irattn.specs_from_config(config).values()
    heads = {"num_q_heads": q_heads, "num_kv_heads": kv_heads, "head_dim": head_dim}
    assert prefill == AttentionSpec(
        q_len=prompt, kv_len=prompt, causal=True, io_dtype=io_dtype, **heads, **features
    )
    blocks = context // 16
    assert decode == PagedAttentionSpec(
        q_len=1, num_blocks=blocks, max_blocks=blocks, io_dtype=io_dtype, **heads, **features
    )
    for layer, q_len, keys in zip(layers, (prompt, 1), (prompt, context), strict=False):
        assert layer.attention == decode.replace(
            q_len=q_len, num_blocks=keys // 16, max_blocks=keys // 16
        )
        assert layer.max_positions == keys


LLAMA_3 = Llama3Scaling(
    factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position=8192
)
GLM = {
    "rope_style": "interleaved",
    "rotary_dim": 64,
    "theta": 5000000.0,
    "qkv_bias": True,
    "intermediate_size": 13696,
}
BIASES = {"output_bias": True, "mlp_bias": True}
GEMMA = {"norm_offset": 1.0, "activation": "gelu_tanh"}
SHORT = LongRopeScaling(factor=32.0, factors=(1.1,) * 48, original_max_position=4096)


@pytest.mark.parametrize(
    ("config", "size", "eps", "expected"),
    [
        (
            LLAMA_3_1_8B,
            4096,
            1e-5,
            {"theta": 500000.0, "scaling": LLAMA_3, "intermediate_size": 14336},
        ),
        (
            {**LLAMA_3_2_1B, "mlp_bias": True},
            2048,
            1e-6,
            {"theta": 500000.0, "intermediate_size": 8192, "mlp_bias": True},
        ),
        (
            QWEN_2_5_7B,
            3584,
            1e-6,
            {"theta": 1000000.0, "qkv_bias": True, "intermediate_size": 18944},
        ),
        (QWEN_3_8B, 4096, 1e-6, {"theta": 1000000.0, "qk_norm": True, "intermediate_size": 12288}),
        (MISTRAL_7B_V0_1, 4096, 1e-5, {"intermediate_size": 14336}),
        (PHI_3_MINI_128K, 3072, 1e-5, {"scaling": SHORT, "intermediate_size": 8192}),
        (GEMMA_7B, 3072, 1e-6, {**GEMMA, "intermediate_size": 24576}),
        (GEMMA_2_9B, 3584, 1e-6, {**GEMMA, "post_norm": True, "intermediate_size": 14336}),
        (GLM_4_9B, 4096, 1.5625e-07, GLM),
        ({**GLM_4_9B, "add_bias_linear": True}, 4096, 1.5625e-07, {**GLM, **BIASES}),
        (GLM_4_9B_HF, 4096, 1.5625e-07, GLM),
        ({**GLM_4_9B_HF, "model_type": "glm4"}, 4096, 1.5625e-07, {**GLM, "post_norm": True}),
    ],
)
def test_layers(config, size, eps, expected):
    layer = layer_decode(config)
    plain = DecoderLayerSpec(
        attention=layer.attention, max_positions=layer.max_positions, hidden_size=size, norm_eps=eps
    )
    assert layer == plain.replace(**expected)


@pytest.mark.parametrize(
    ("config", "activation"),
    [
        ({**LLAMA_3_2_1B, "hidden_act": None}, "silu"),
        ({**LLAMA_3_2_1B, "hidden_act": "gelu"}, "gelu"),
        ({**LLAMA_3_2_1B, "hidden_act": "gelu_new"}, "gelu_tanh"),
        # What Gemma's code goes by where both are said, and what it takes where none is.
        ({**GEMMA_7B, "hidden_act": "relu", "hidden_activation": "gelu"}, "relu"),
        ({k: v for k, v in GEMMA_7B.items() if k != "hidden_act"}, "gelu_tanh"),
    ],
)
def test_activations_of_the_mlp(config, activation):
    assert layer_decode(config).activation == activation


def test_gemma_3_has_an_mlp_that_its_file_says_nearly_nothing_of():
    layer = specs_by_name(GEMMA_3_4B)["gemma3-text_full_layer_decode"]
    assert (layer.intermediate_size, layer.activation, layer.gated) == (10240, "gelu_tanh", True)


@pytest.mark.parametrize(
    "config",
    [
        {**BLOOM_560M, "apply_residual_connection_post_layernorm": True},
        {**MPT_7B, "attn_config": {"alibi": False}},
    ],
)
def test_layers_of_another_structure_give_attention_only(config):
    kinds = {type(spec) for spec in irattn.specs_from_config(config).values()}
    assert kinds == {AttentionSpec, PagedAttentionSpec}


def test_norms_of_glm_may_have_means():
    layer = layer_decode({**GLM_4_9B, "rmsnorm": False})
    assert (layer.norm_kind, layer.norm_bias) == ("layer", True)


def test_glm_has_one_meaning_in_both_spellings():
    old, new = irattn.specs_from_config(GLM_4_9B), irattn.specs_from_config(GLM_4_9B_HF)
    assert list(old.values()) == list(new.values())


def test_kinds_of_layers_are_told_apart_where_they_differ():
    assert list(specs_by_name(GEMMA_2_9B)) == [f"gemma2_{phase}" for phase in PHASES]
    found = specs_by_name(GEMMA_2_9B, q_len=512, kv_len=8192)
    assert list(found) == [f"gemma2_{kind}_{p}" for p in PHASES for kind in ("full", "sliding")]
    for phase in PHASES:
        full, sliding = found[f"gemma2_full_{phase}"], found[f"gemma2_sliding_{phase}"]
        assert attention_of(full).window is None
        assert sliding == full.replace(window=(4095, None))


def test_gpt_oss():
    found = specs_by_name(GPT_OSS_20B)
    assert list(found) == [f"gpt-oss_{kind}_{p}" for p in PHASES for kind in ("full", "sliding")]
    decode = found["gpt-oss_sliding_paged_decode"]
    assert decode == PagedAttentionSpec(
        num_q_heads=64,
        num_kv_heads=8,
        head_dim=64,
        q_len=1,
        num_blocks=128,
        max_blocks=128,
        window=(127, None),
        sinks=True,
        io_dtype="bf16",
    )
    layer = found["gpt-oss_full_layer_prefill"]
    assert (
        layer.attention.window,
        layer.attention.sinks,
        layer.qkv_bias,
        layer.output_bias,
    ) == (
        None,
        True,
        True,
        True,
    )
    assert (layer.theta, layer.norm_eps, layer.hidden_size) == (150000.0, 1e-5, 2880)
    assert layer.scaling == YarnScaling(factor=32.0, original_max_position=4096, truncate=False)


def test_gemma_3_rotates_by_kind():
    found = specs_by_name(GEMMA_3_4B)
    # Up to 512 tokens no window hides any, but layers differ by their rotation anyway.
    assert found["gemma3-text_prefill"].head_dim == 256
    full = found["gemma3-text_full_layer_prefill"]
    sliding = found["gemma3-text_sliding_layer_prefill"]
    assert (full.theta, full.scaling) == (1000000.0, LinearScaling(factor=8.0))
    assert sliding == full.replace(theta=10000.0, scaling=None)
    assert (full.qk_norm, full.post_norm, full.norm_offset) == (True, True, 1.0)
    assert found["gemma3-text_sliding_paged_decode"].window == (1023, None)
    nested = {
        "full_attention": {"factor": 8.0, "rope_theta": 1000000.0, "rope_type": "linear"},
        "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
    }
    text_config = {**GEMMA_3_4B["text_config"], "rope_parameters": nested}
    del text_config["rope_scaling"]
    assert specs_by_name({**GEMMA_3_4B, "text_config": text_config}) == found
    # What a part leaves out is as if there were none.
    nested["sliding_attention"] = {"rope_type": "default"}
    assert specs_by_name({**GEMMA_3_4B, "text_config": text_config}) == found


@pytest.mark.parametrize("config", [LLAMA_3_1_8B, GPT_OSS_20B, PHI_3_MINI_128K])
def test_newer_files_say_rotation_in_one_key(config):
    newer = {k: v for k, v in config.items() if k not in ("rope_theta", "rope_scaling")}
    newer["rope_parameters"] = {**config["rope_scaling"], "rope_theta": config["rope_theta"]}
    assert irattn.specs_from_config(newer) == irattn.specs_from_config(config)


def test_windows_are_cut_to_what_they_hide():
    found = specs_by_name(PHI_3_MINI)
    assert list(found) == [f"phi3_{phase}" for phase in PHASES]
    assert found["phi3_prefill"].window is None
    # The last of 2048 tokens does not see the first.
    assert found["phi3_paged_decode"].window == (2046, None)
    assert specs_by_name(MISTRAL_7B_V0_1, kv_len=4096)["mistral_paged_decode"].window is None
    found = specs_by_name(MISTRAL_7B_V0_1, q_len=512, kv_len=8192)
    assert {attention_of(spec).window for spec in found.values()} == {(4095, None)}


def test_qwen_slides_in_its_last_layers():
    sliding = {**QWEN_2_5_7B, "use_sliding_window": True, "sliding_window": 128}
    assert list(specs_by_name({**sliding, "max_window_layers": 28})) == [
        f"qwen2_{phase}" for phase in PHASES
    ]
    found = specs_by_name({**sliding, "max_window_layers": 21})
    assert found["qwen2_full_prefill"].window is None
    assert found["qwen2_sliding_prefill"].window == (127, None)
    assert layer_decode({**sliding, "max_window_layers": 0}).attention.window == (127, None)


def test_windows_of_encoders_look_both_ways():
    modernbert = {
        "architectures": ["ModernBertForMaskedLM"],
        "global_attn_every_n_layers": 3,
        "hidden_size": 768,
        "local_attention": 128,
        "max_position_embeddings": 8192,
        "model_type": "modernbert",
        "num_attention_heads": 12,
    }
    found = specs_by_name(modernbert)
    assert {name: spec.window for name, spec in found.items()} == {
        "modernbert_full_encode": None,
        "modernbert_sliding_encode": (64, 64),
    }


def test_gpt_neo_has_local_layers_and_no_scale():
    neo = {**GPT_2, "model_type": "gpt_neo", "attention_types": [[["global", "local"], 6]]}
    found = specs_by_name({**neo, "window_size": 256})
    assert found["gpt-neo_full_prefill"].scale == 1.0
    assert found["gpt-neo_sliding_prefill"].window == (255, None)


def test_alibi_spellings():
    falcon = {**FALCON_7B, "alibi": True}
    jina = {**BERT_BASE, "position_embedding_type": "alibi"}
    baichuan_13b = {**LLAMA_3_2_1B, "model_type": "baichuan", "hidden_size": 5120}
    for config in (falcon, jina, baichuan_13b):
        assert next(iter(irattn.specs_from_config(config).values())).alibi
    no_slopes = {**MPT_7B, "attn_config": {"alibi": False}}
    assert not next(iter(irattn.specs_from_config(no_slopes).values())).alibi


def test_rope_scalings_follow_the_context():
    assert layer_decode(PHI_3_MINI_128K, kv_len=4096).scaling == SHORT
    long = LongRopeScaling(factor=32.0, factors=(2.0,) * 48, original_max_position=4096)
    assert layer_decode(PHI_3_MINI_128K, kv_len=4097).scaling == long
    su = {**PHI_3_MINI_128K["rope_scaling"], "type": "su"}
    assert layer_decode({**PHI_3_MINI_128K, "rope_scaling": su}).scaling == SHORT
    dynamic = {**LLAMA_3_2_1B, "rope_scaling": {"type": "dynamic", "factor": 2.0}}
    assert layer_decode(dynamic).scaling is None
    extended = {**dynamic["rope_scaling"], "original_max_position_embeddings": 1024}
    with pytest.raises(ConfigError, match="dynamic scales contexts beyond 1024 tokens by their"):
        irattn.specs_from_config({**dynamic, "rope_scaling": extended})
    deepseek = {"type": "yarn", "factor": 40.0, "mscale": 1.0, "mscale_all_dim": 1.0}
    assert layer_decode({**LLAMA_3_2_1B, "rope_scaling": deepseek}).scaling.attention_factor == 1.0
    off = {**deepseek, "mscale_all_dim": 0}
    assert layer_decode({**LLAMA_3_2_1B, "rope_scaling": off}).scaling.attention_factor is None


def test_partial_rotation():
    phi_4_mini = {**PHI_3_MINI, "partial_rotary_factor": 0.75}
    assert layer_decode(phi_4_mini).rotary_dim == 72


@pytest.mark.parametrize(("config", "head_dim"), [(BERT_BASE, 64), (MINILM_L6, 32)])
def test_encoders_look_both_ways(config, head_dim):
    (spec,) = irattn.specs_from_config(config).values()
    assert spec == AttentionSpec(
        num_q_heads=12, num_kv_heads=12, q_len=512, kv_len=512, head_dim=head_dim, io_dtype="f32"
    )


def test_names_tell_model_and_sizes():
    names = list(irattn.specs_from_config(LLAMA_3_1_8B))
    sizes = ["q512_kv512", "q1_kv2048", "q512_kv512", "q1_kv2048"]
    assert [name.rpartition("-")[0] for name in names] == [
        f"llama_{phase}_b1_h32x8_d128_{size}_bf16"
        for phase, size in zip(PHASES, sizes, strict=True)
    ]
    assert names != list(irattn.specs_from_config(LLAMA_3_2_1B))


def test_sizes_can_be_given():
    prefill, decode, layer_prefill, _ = irattn.specs_from_config(
        LLAMA_3_1_8B, batch=3, q_len=100, kv_len=1000
    ).values()
    assert (prefill.batch, prefill.q_len, prefill.kv_len) == (3, 100, 1000)
    assert (decode.batch, decode.max_blocks, decode.num_blocks) == (3, 63, 189)
    assert (layer_prefill.attention.q_len, layer_prefill.attention.num_blocks) == (100, 189)
    prefill, *_ = irattn.specs_from_config(LLAMA_3_1_8B, kv_len=64).values()
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
            "sliding_window": None,
        },
        "vision_config": {"num_attention_heads": 16},
    }
    prefill, *_ = irattn.specs_from_config(nested).values()
    assert (prefill.num_q_heads, prefill.head_dim, prefill.io_dtype) == (8, 256, "bf16")
    assert prefill.scale == 0.125


def test_scales():
    granite = {**LLAMA_3_1_8B, "model_type": "granite", "attention_multiplier": 0.0078125}
    assert next(iter(irattn.specs_from_config(granite).values())).scale == 0.0078125
    unscaled = {**GPT_2, "scale_attn_weights": False}
    assert next(iter(irattn.specs_from_config(unscaled).values())).scale == 1.0


def test_multi_query_spellings():
    starcoder = {**GPT_2, "model_type": "gpt_bigcode", "multi_query": True}
    falcon_40b = {**FALCON_7B, "num_attention_heads": 142, "hidden_size": 9088}
    falcon_40b |= {"new_decoder_architecture": True, "num_kv_heads": 2}
    found = [
        next(iter(irattn.specs_from_config(config).values()))
        for config in (starcoder, FALCON_7B, GLM_4_9B, falcon_40b)
    ]
    heads = [(spec.num_kv_heads, spec.head_dim) for spec in found]
    assert heads == [(1, 64), (1, 64), (2, 128), (2, 64)]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {**DEEPSEEK_V3, "model_type": "llama"},
            "kv_lora_rank: 512 asks for latent attention, which irattn does not have",
        ),
        (
            {**DEEPSEEK_V3, "partial_rotary_factor": 0.5},
            "partial_rotary_factor: expected as many rotated columns as qk_rope_head_dim = 64, "
            "got 32",
        ),
        (
            {**LLAMA_3_1_8B, "attention_chunk_size": 8192},
            "attention_chunk_size: 8192 asks for chunked attention",
        ),
        (
            {**QWEN_3_8B, "layer_types": ["chunked_attention"] * 36},
            "attention_chunk_size: missing, but layer_types has chunked_attention",
        ),
        (
            {**QWEN_3_8B, "use_sliding_window": None, "layer_types": ["sliding_attention"]},
            "sliding_window: missing, but layer_types has sliding_attention",
        ),
        (
            {**GLM_4_9B, "position_encoding_2d": True},
            "position_encoding_2d: True asks for a prefix",
        ),
        ({**MPT_7B, "attn_config": {"prefix_lm": True}}, "prefix_lm: True asks for a prefix that"),
        (
            {**LLAMA_3_1_8B, "rope_scaling": {"rope_type": "mrope"}},
            "rope_type: expected one of default, linear, dynamic, llama3, yarn, longrope, su, got",
        ),
        (
            {**LLAMA_3_1_8B, "rope_scaling": {"rope_type": "linear"}},
            "factor: missing from the settings of the rotary embedding",
        ),
        (
            {**MISTRAL_7B_V0_3, "rope_parameters": {"sliding_attention": {}}},
            "rope_parameters: full_attention is missing; got sliding_attention",
        ),
        (
            {**LLAMA_3_1_8B, "rope_parameters": {"rope_type": "default"}},
            "rope_parameters, rope_scaling: expected one of the two, or the same",
        ),
        (
            {
                **GEMMA_3_4B["text_config"],
                "rope_scaling": None,
                "rope_parameters": {"rope_type": "linear", "factor": 4.0},
            },
            "rope_parameters: expected a part for each kind of layers, as full_attention, got",
        ),
        (
            {**PHI_3_MINI_128K, "rope_scaling": {"type": "su", "short_factor": 1.0}},
            "short_factor: expected a list of numbers, got 1.0",
        ),
        (
            {**NEO, "attention_types": ["global"]},
            "attention_types: expected a list of [kinds, how often], got ['global']",
        ),
        (
            {**QWEN_3_8B, "layer_types": ["linear_attention"]},
            "layer_types: linear_attention is a kind of layer that irattn does not have",
        ),
        (
            {**BERT_BASE, "position_embedding_type": "relative_key"},
            "position_embedding_type: relative_key is not known to leave the logits alone",
        ),
        ({**GPT_2, "attn_config": {"alibi": True}}, "attn_config: {'alibi': True} asks for"),
        (
            {**BERT_BASE, "relative_attention_num_buckets": 32},
            "relative_attention_num_buckets: 32 asks for relative positions in the logits",
        ),
        ({**LLAMA_3_1_8B, "model_type": []}, "model_type: expected text, got []"),
        (
            {"num_attention_heads": 4, "head_dim": 8, "architectures": 5},
            "architectures: expected a list of texts, got 5",
        ),
        ({**QWEN_3_8B, "layer_types": [None]}, "layer_types: expected a list of texts"),
        ({**QWEN_3_8B, "attention_bias": "no"}, "attention_bias: expected true or false, got 'no'"),
        (
            {**LLAMA_3_1_8B, "tie_word_embeddings": []},
            "tie_word_embeddings: expected true or false",
        ),
        (
            {**GEMMA_2_9B, "query_pre_attn_scalar": -1},
            "query_pre_attn_scalar: expected a number above 0, got -1",
        ),
        ({**LLAMA_3_1_8B, "is_encoder_decoder": True}, "is_encoder_decoder: True asks for"),
        ({}, "num_attention_heads: missing (also known as n_head or n_heads)"),
        ({"num_attention_heads": 8}, "head_dim or hidden_size: missing (also known as n_embd); "),
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
            {"model_type": "swin", "num_attention_heads": 12, "hidden_size": 768},
            "model_type: swin: a type that irattn does not know, so that it cannot tell",
        ),
    ],
)
def test_what_is_missing_is_refused_by_name(config, message):
    with pytest.raises(ConfigError) as caught:
        irattn.specs_from_config(config)
    assert str(caught.value).startswith(message)


def test_lengths_beyond_the_model_are_refused():
    with pytest.raises(ConfigError, match="n_positions: 1024 is the model's longest"):
        irattn.specs_from_config(GPT_2, kv_len=1025)


def test_lengths_and_dtypes_of_numpy():
    expected = irattn.specs_from_config({**LLAMA_3_1_8B, "torch_dtype": "float16"}, q_len=64)
    config = {**LLAMA_3_1_8B, "torch_dtype": np.float16}
    assert irattn.specs_from_config(config, q_len=np.int32(64)) == expected


def test_impossible_lengths_are_refused():
    with pytest.raises(ConfigError, match="q_len: expected a whole number of at least 1, got 0"):
        irattn.specs_from_config(GPT_2, q_len=0)


def test_files(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(MISTRAL_7B_V0_3))
    expected = irattn.specs_from_config(MISTRAL_7B_V0_3)
    assert irattn.specs_from_config(path) == expected
    assert irattn.specs_from_config(tmp_path) == expected
    path.write_text("{")
    with pytest.raises(
        ConfigError, match="expected a config file, its folder or its fields, got None"
    ):
        irattn.specs_from_config(None)
    with pytest.raises(ConfigError, match="is not JSON"):
        irattn.specs_from_config(path)
    path.write_text("[" * 100_000)
    with pytest.raises(ConfigError, match="is not JSON"):
        irattn.specs_from_config(path)
    path.write_text("[]")
    with pytest.raises(ConfigError, match="expected a JSON object, got list"):
        irattn.specs_from_config(path)
    with pytest.raises(ConfigError, match="is not readable: No such file"):
        irattn.specs_from_config(tmp_path / "missing.json")


def test_a_folder_without_its_file(tmp_path):
    def refused():
        with pytest.raises(ConfigError) as caught:
            irattn.specs_from_config(tmp_path)
        return str(caught.value).removeprefix(f"config: {tmp_path} has no config.json")

    assert refused() == "; expected a model's config.json, its folder or a GGUF file"
    (tmp_path / "small.gguf").touch()
    assert refused() == f", but small.gguf; give that file, {tmp_path / 'small.gguf'}"
    snapshot = tmp_path / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").touch()
    assert refused() == f": it is a folder of the hub's cache; give {snapshot}"
