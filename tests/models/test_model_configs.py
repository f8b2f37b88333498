"""Published models as a whole: what they get, which layers use it, and what they do not get."""

import re
from functools import cache

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, DecoderLayerSpec, PagedAttentionSpec
from irattn.core.errors import ConfigError, SpecError
from irattn.models import model_from_config
from support.joined import artifact_of
from support.model_configs import (
    BERT_BASE,
    BLOOM_560M,
    DEEPSEEK_V3,
    FALCON_7B,
    GEMMA_2_9B,
    GEMMA_3_4B,
    GLM_4_9B,
    GPT_2,
    GPT_OSS_20B,
    LLAMA_3_1_8B,
    MISTRAL_7B_V0_1,
    MISTRAL_7B_V0_3,
    NEO,
    PHI_3_MINI,
    QWEN_2_5_7B,
    QWEN_3_8B,
    specs_by_name,
)

MIXTRAL_8X7B = {
    "architectures": ["MixtralForCausalLM"],
    "hidden_act": "silu",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 32768,
    "model_type": "mixtral",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "num_local_experts": 8,
    "rms_norm_eps": 1e-05,
    "rope_theta": 1000000.0,
    "sliding_window": None,
    "torch_dtype": "bfloat16",
}
FALCON_40B = {
    **FALCON_7B,
    "hidden_size": 8192,
    "new_decoder_architecture": True,
    "num_attention_heads": 128,
    "num_hidden_layers": 60,
    "num_kv_heads": 8,
}
FALCON_RW_1B = {
    **FALCON_7B,
    "alibi": True,
    "bias": True,
    "hidden_size": 2048,
    "multi_query": False,
    "num_attention_heads": 32,
    "num_hidden_layers": 24,
    "parallel_attn": False,
}
OPT_125M = {
    "architectures": ["OPTForCausalLM"],
    "do_layer_norm_before": True,
    "hidden_size": 768,
    "max_position_embeddings": 2048,
    "model_type": "opt",
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
    "torch_dtype": "float16",
    "word_embed_proj_dim": 768,
}
QWEN_2_5_VL_3B = {
    "architectures": ["Qwen2_5_VLForConditionalGeneration"],
    "hidden_size": 2048,
    "max_position_embeddings": 128000,
    "max_window_layers": 70,
    "model_type": "qwen2_5_vl",
    "num_attention_heads": 16,
    "num_hidden_layers": 36,
    "num_key_value_heads": 2,
    "rope_scaling": {"mrope_section": [16, 24, 24], "type": "mrope"},
    "sliding_window": 32768,
    "torch_dtype": "bfloat16",
    "use_sliding_window": False,
    "vision_config": {"depth": 32, "hidden_size": 1280, "num_heads": 16, "patch_size": 14},
}
VIT_BASE = {
    "architectures": ["ViTForImageClassification"],
    "hidden_size": 768,
    "image_size": 224,
    "model_type": "vit",
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
    "patch_size": 16,
    "qkv_bias": True,
}
CLIP_BASE = {
    "architectures": ["CLIPModel"],
    "model_type": "clip",
    "projection_dim": 512,
    "text_config": {
        "architectures": None,
        "hidden_size": 512,
        "is_decoder": False,
        "is_encoder_decoder": False,
        "max_position_embeddings": 77,
        "model_type": "clip_text_model",
        "num_attention_heads": 8,
        "num_hidden_layers": 12,
        "torch_dtype": None,
    },
    "text_config_dict": None,
    "vision_config": {
        "architectures": None,
        "hidden_size": 768,
        "image_size": 224,
        "is_decoder": False,
        "model_type": "clip_vision_model",
        "num_attention_heads": 12,
        "num_hidden_layers": 12,
        "patch_size": 32,
        "torch_dtype": None,
    },
    "vision_config_dict": None,
}
WHISPER_TINY = {
    "architectures": ["WhisperForConditionalGeneration"],
    "d_model": 384,
    "decoder_attention_heads": 6,
    "decoder_ffn_dim": 1536,
    "decoder_layers": 4,
    "decoder_start_token_id": 50258,
    "encoder_attention_heads": 6,
    "encoder_ffn_dim": 1536,
    "encoder_layers": 4,
    "is_encoder_decoder": True,
    "max_length": 448,
    "max_source_positions": 1500,
    "max_target_positions": 448,
    "model_type": "whisper",
    "num_hidden_layers": 4,
    "torch_dtype": "float32",
}

LAYERS = ["prefill", "paged_decode", "layer_prefill", "layer_decode"]
ATTENTION = ["prefill", "paged_decode"]
CROSS = ["cross_prefill", "cross_decode"]

PUBLISHED = {
    "Llama 3.1": (LLAMA_3_1_8B, LAYERS),
    "Qwen 2.5": (QWEN_2_5_7B, LAYERS),
    "Qwen 3": (QWEN_3_8B, LAYERS),
    "Mistral": (MISTRAL_7B_V0_3, LAYERS),
    "Gemma 2": (GEMMA_2_9B, LAYERS),
    "Gemma 3": (GEMMA_3_4B, LAYERS),
    "Phi-3": (PHI_3_MINI, LAYERS),
    "GPT-OSS": (GPT_OSS_20B, LAYERS),
    "GLM-4": (GLM_4_9B, LAYERS),
    "Mixtral": (MIXTRAL_8X7B, LAYERS),
    "Falcon": (FALCON_7B, LAYERS),
    "GPT-2": (GPT_2, LAYERS),
    "BERT": (BERT_BASE, ["encode"]),
    "ViT": (VIT_BASE, ["encode"]),
    "CLIP": (CLIP_BASE, ["encode"]),
    "Whisper": (WHISPER_TINY, ["encode", *ATTENTION, *CROSS]),
    "BLOOM": (BLOOM_560M, LAYERS),
}


@cache
def published(name):
    return model_from_config(PUBLISHED[name][0], q_len=32, kv_len=64)


# Models whose layers are compiled: each has parts that none of the others has.
WHOLE = ("Llama 3.1", "Gemma 2", "GPT-OSS", "Falcon", "GPT-2", "BERT")


def compiled(name):
    """The specs of a model that are compiled.

    A layer takes the compiler longest, and prefill has no parts that decode does not have. Experts
    take it as long again: of layers with any, the half before them is compiled.
    """
    left_out = ["layer_prefill", *([] if name in WHOLE else ["layer_decode"])]
    specs = [part.spec for part in published(name).parts if part.phase not in left_out]
    return [spec.replace(experts=None) if hasattr(spec, "experts") else spec for spec in specs]


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_models_compile_or_say_what_is_missing(name):
    model, phases = published(name), PUBLISHED[name][1]
    assert list(dict.fromkeys(part.phase for part in model.parts)) == phases
    assert bool(model.notes) == (phases is not LAYERS)
    for part in model.parts:
        if isinstance(part.spec, DecoderLayerSpec):
            assert part.spec.mlp
    # Models share graphs, and layers share kernels.
    together = dict.fromkeys(spec for other in PUBLISHED for spec in compiled(other))
    for spec in compiled(name):
        assert artifact_of(spec, together, "gfx1100").spec == spec


NOT_THERE = "which decoder_layer does not have: attention only"
EXPERTS = "a mixture of experts, which decoder_layer does not have"
HALF = "layers are their attention half"


@pytest.mark.parametrize(
    ("config", "notes"),
    [
        (LLAMA_3_1_8B, []),
        (GLM_4_9B, []),
        (MIXTRAL_8X7B, []),
        (GPT_OSS_20B, []),
        (
            {**LLAMA_3_1_8B, "intermediate_size": None},
            [f"intermediate_size: missing, so that the MLP is not known: {HALF}"],
        ),
        (
            {**LLAMA_3_1_8B, "hidden_act": "quick_gelu"},
            [
                "hidden_act: quick_gelu: not one of gelu, gelu_fast, gelu_new, gelu_pytorch_tanh, "
                f"relu, relu2, silu, swish: {HALF}"
            ],
        ),
        (BERT_BASE, [f"model_type: bert: attention without a cache, {NOT_THERE}"]),
        (WHISPER_TINY, [f"model_type: whisper: cross attention, {NOT_THERE}"]),
        (
            {**GLM_4_9B, "apply_residual_connection_post_layernorm": True},
            [
                "apply_residual_connection_post_layernorm: True: residuals from behind the norm, "
                f"{NOT_THERE}"
            ],
        ),
        (
            {**LLAMA_3_1_8B, "model_type": None},
            ["model_type: missing, so that its layers are not known: attention only"],
        ),
    ],
)
def test_what_is_left_out_of_layers_is_said_by_key(config, notes):
    assert list(model_from_config(config).notes) == notes


def test_text_has_the_same_positions_along_all_axes():
    plain = {key: value for key, value in QWEN_2_5_VL_3B.items() if key != "rope_scaling"}
    model = model_from_config(QWEN_2_5_VL_3B)
    assert {part.phase for part in model.parts} >= {"layer_prefill", "layer_decode"}
    assert model.notes == model_from_config(plain).notes
    assert model.specs == model_from_config(plain).specs
    with pytest.raises(ConfigError, match="mrope_section"):
        model_from_config({**QWEN_2_5_VL_3B, "model_type": "qwen2"})


def test_a_model_without_known_layers_names_those_that_have_them():
    (note,) = model_from_config({**LLAMA_3_1_8B, "model_type": "minicpm"}).notes
    assert note.startswith("model_type: minicpm: not one whose layers are known (afmoe, apertus, ")


def by_layer(config, phase, **lengths):
    """The kind of each layer in a phase, by its number: `f` full, `s` sliding."""
    model = model_from_config(config, **lengths)
    kinds = {n: part.kind for part in model.parts if part.phase == phase for n in part.layers}
    return "".join(kinds[number][0] for number in range(len(kinds)))


SLIDING_QWEN = {**QWEN_2_5_7B, "use_sliding_window": True, "sliding_window": 128}
MODERNBERT = {
    "architectures": ["ModernBertForMaskedLM"],
    "global_attn_every_n_layers": 3,
    "hidden_size": 768,
    "local_attention": 128,
    "max_position_embeddings": 8192,
    "model_type": "modernbert",
    "num_attention_heads": 12,
    "num_hidden_layers": 22,
}


def without(config, *keys):
    return {key: value for key, value in config.items() if key not in keys}


@pytest.mark.parametrize(
    ("config", "phase", "kinds"),
    [
        (GPT_OSS_20B, "paged_decode", "sf" * 12),
        (without(GPT_OSS_20B, "layer_types"), "paged_decode", "sf" * 12),
        (GEMMA_2_9B, "paged_decode", "sf" * 21),
        (GEMMA_3_4B, "layer_decode", "sssssf" * 5 + "ssss"),
        ({**SLIDING_QWEN, "max_window_layers": 21}, "prefill", "f" * 21 + "s" * 7),
        (NEO, "prefill", "fs" * 6),
        (MODERNBERT, "encode", "fss" * 7 + "f"),
        ({**GPT_OSS_20B, "num_hidden_layers": 3}, "layer_prefill", "sfs"),
    ],
)
def test_which_layers_slide(config, phase, kinds):
    limit = config.get("max_position_embeddings") or config.get("n_positions") or 8192
    assert by_layer(config, phase, q_len=512, kv_len=min(limit, 8192)) == kinds


def test_layers_that_have_an_mlp_are_listed_by_number():
    for listed in ("1", [True]):
        with pytest.raises(ConfigError, match="mlp_only_layers: expected a list of layers by"):
            model_from_config({"model_type": "qwen3_moe", "mlp_only_layers": listed})


def test_layers_that_share_a_spec_are_all_there():
    for config, count in ((GEMMA_2_9B, 42), (MISTRAL_7B_V0_1, 32), (LLAMA_3_1_8B, 32)):
        model = model_from_config(config)
        assert list(model.layers) == list(model.specs)
        assert set(model.layers.values()) == {tuple(range(count))}
        assert {part.kind for part in model.parts} == {None}


def test_layers_without_a_number_are_not_numbered():
    model = model_from_config(without(SLIDING_QWEN, "num_hidden_layers"))
    assert set(model.layers.values()) == {None}
    assert {part.kind for part in model.parts} == {"full", "sliding"}
    assert model.notes == ("num_hidden_layers: missing, so that the layers cannot be numbered",)
    # A list of kinds counts them.
    counted = model_from_config(without(GPT_OSS_20B, "num_hidden_layers"))
    assert counted == model_from_config(GPT_OSS_20B)


def test_a_kind_for_too_few_layers_is_refused():
    with pytest.raises(ConfigError, match=re.escape("24 layers (num_hidden_layers), got 2")):
        model_from_config({**GPT_OSS_20B, "layer_types": ["sliding_attention", "full_attention"]})
    with pytest.raises(ConfigError, match=re.escape("for each of the 12 layers (n_layer), got 6")):
        model_from_config({**NEO, "attention_types": [[["global", "local"], 3]]})


def test_falcon_has_heads_of_its_own_ways():
    heads = [
        next(iter(irattn.specs_from_config(config).values()))
        for config in (FALCON_7B, without(FALCON_7B, "multi_query"), FALCON_40B, FALCON_RW_1B)
    ]
    found = [(spec.num_q_heads, spec.num_kv_heads, spec.head_dim, spec.alibi) for spec in heads]
    assert found == [
        (71, 1, 64, False),
        (71, 1, 64, False),
        (128, 8, 64, False),
        (32, 32, 64, True),
    ]


DEIT = {**VIT_BASE, "model_type": "deit"}
DINO = {**VIT_BASE, "model_type": "dinov2", "image_size": 518, "patch_size": 14}
REGISTERS = {**DINO, "model_type": "dinov2_with_registers"}
WIDE = {**VIT_BASE, "image_size": [224, 448], "patch_size": [16, 16]}


@pytest.mark.parametrize(
    ("config", "tokens"),
    [(VIT_BASE, 197), (DEIT, 198), (DINO, 1370), (REGISTERS, 1374), (WIDE, 393)],
)
def test_vision_transformers_have_the_tokens_of_an_image(config, tokens):
    (spec,) = irattn.specs_from_config(config).values()
    heads = {"num_q_heads": 12, "num_kv_heads": 12, "head_dim": 64, "io_dtype": "f32"}
    assert spec == AttentionSpec(q_len=tokens, kv_len=tokens, **heads)
    (asked,) = irattn.specs_from_config(config, q_len=10, kv_len=20).values()
    assert (asked.q_len, asked.kv_len) == (10, 20)


def test_images_of_odd_sizes_are_refused():
    with pytest.raises(ConfigError, match=re.escape("image_size: expected a whole number or two")):
        irattn.specs_from_config({**VIT_BASE, "image_size": [224]})
    with pytest.raises(ConfigError, match="patch_size: expected at most the image_size, got 300"):
        irattn.specs_from_config({**VIT_BASE, "patch_size": 300})


def test_clip_gives_both_of_its_encoders():
    half = {**CLIP_BASE, "torch_dtype": "float16"}
    text, vision = irattn.specs_from_config(half).values()
    assert text == AttentionSpec(
        num_q_heads=8, num_kv_heads=8, head_dim=64, q_len=77, kv_len=77, causal=True
    )
    assert vision == AttentionSpec(
        num_q_heads=12, num_kv_heads=12, head_dim=64, q_len=50, kv_len=50
    )
    assert list(specs_by_name(half)) == ["clip-text-model_encode", "clip-vision-model_encode"]
    # The code knows what the files leave out.
    bare = {"model_type": "clip", "torch_dtype": "float16", "text_config": {}}
    assert irattn.specs_from_config(bare) == irattn.specs_from_config(half)
    alone = {**CLIP_BASE["vision_config"], "torch_dtype": "float16"}
    assert list(irattn.specs_from_config(alone).values()) == [vision]
    siglip = {"model_type": "siglip", "text_config": {}, "vision_config": {}}
    text, vision = irattn.specs_from_config(siglip).values()
    assert (text.causal, text.q_len, vision.q_len) == (False, 64, 196)


def test_whisper_gives_encoder_decoder_and_cross_attention():
    found = specs_by_name(WHISPER_TINY, q_len=4)
    heads = {"num_q_heads": 6, "num_kv_heads": 6, "head_dim": 64, "io_dtype": "f32"}
    assert found == {
        "whisper-encoder_encode": AttentionSpec(q_len=1500, kv_len=1500, **heads),
        "whisper-decoder_prefill": AttentionSpec(q_len=4, kv_len=4, causal=True, **heads),
        "whisper-decoder_paged_decode": PagedAttentionSpec(
            q_len=1, num_blocks=28, max_blocks=28, **heads
        ),
        "whisper-decoder_cross_prefill": AttentionSpec(q_len=4, kv_len=1500, **heads),
        "whisper-decoder_cross_decode": AttentionSpec(q_len=1, kv_len=1500, **heads),
    }
    # Distilled models have a decoder that is less deep than the encoder.
    model = model_from_config({**WHISPER_TINY, "decoder_layers": 2})
    depths = {part.stack: len(part.layers) for part in model.parts}
    assert depths == {"whisper-encoder": 4, "whisper-decoder": 2}
    with pytest.raises(ConfigError, match="max_target_positions: 448 is the model's longest"):
        irattn.specs_from_config(WHISPER_TINY, kv_len=449)
    with pytest.raises(ConfigError, match=r"d_model: .* of the 7 attention heads, got 384"):
        irattn.specs_from_config({**WHISPER_TINY, "decoder_attention_heads": 7})


def test_any_model_can_look_both_ways():
    model = model_from_config(LLAMA_3_1_8B, bidirectional=True)
    (spec,) = model.specs.values()
    assert (type(spec), spec.causal, spec.q_len) == (AttentionSpec, False, 512)
    assert model.notes == (f"model_type: llama: attention without a cache, {NOT_THERE}",)
    other = {**VIT_BASE, "model_type": None}
    with pytest.raises(ConfigError, match=re.escape("say bidirectional (--bidirectional)")):
        irattn.specs_from_config(other)
    (spec,) = irattn.specs_from_config(other, bidirectional=True).values()
    assert not spec.causal


@pytest.mark.parametrize("key", ["relative_attention", "use_relative_position_bias"])
def test_both_ways_does_not_excuse_positions_in_the_logits(key):
    with pytest.raises(ConfigError, match=f"{key}: True asks for relative positions"):
        irattn.specs_from_config({**VIT_BASE, key: True}, bidirectional=True)


def test_one_pool_of_blocks_serves_all_phases():
    model = model_from_config(LLAMA_3_1_8B, kv_len=1000, num_blocks=500, block_size=32)
    attentions = [getattr(part.spec, "attention", part.spec) for part in model.parts]
    paged = [spec for spec in attentions if isinstance(spec, PagedAttentionSpec)]
    assert len(paged) == 3
    for spec in paged:
        assert (spec.num_blocks, spec.block_size, spec.max_blocks) == (500, 32, 32)
    # The table follows the size of a block, and the window that of the table.
    spec = model_from_config(GPT_OSS_20B, block_size=64).replace(batch=2).parts[2].spec
    assert (spec.max_blocks, spec.max_context) == (32, 2048)
    numpy = model_from_config(LLAMA_3_1_8B, num_blocks=np.int64(500), block_size=np.int32(32))
    assert numpy == model_from_config(LLAMA_3_1_8B, num_blocks=500, block_size=32)
    # A prompt is part of its context.
    decode = specs_by_name(LLAMA_3_1_8B, q_len=4096)["llama_paged_decode"]
    assert decode.max_context == 4096
    # A block may be larger than all that the model has positions for.
    found = specs_by_name(GPT_2, block_size=4096)
    assert (found["gpt2_prefill"].q_len, found["gpt2_paged_decode"].max_blocks) == (512, 1)


def test_a_pool_below_one_context_is_refused():
    assert model_from_config(LLAMA_3_1_8B, batch=4, num_blocks=128)
    message = "num_blocks: expected at least 128, got 127: blocks of 16 for one context of 2048"
    with pytest.raises(ConfigError, match=message):
        model_from_config(LLAMA_3_1_8B, num_blocks=127)
    with pytest.raises(SpecError, match="num_blocks: not a field of any spec of this model"):
        model_from_config(BERT_BASE, num_blocks=128)


def test_queries_before_the_first_key_are_refused():
    message = "q_len: expected at most kv_len = 256, got 512; .* first 256 queries"
    with pytest.raises(ConfigError, match=message):
        irattn.specs_from_config(LLAMA_3_1_8B, q_len=512, kv_len=256)
    with pytest.raises(ConfigError, match="q_len: expected at most kv_len = 20, got 30"):
        irattn.specs_from_config(CLIP_BASE, q_len=30, kv_len=20)
    # Where every query sees every key, none comes too early.
    assert irattn.specs_from_config(BERT_BASE, q_len=512, kv_len=256)


def blocks_of(spec):
    return getattr(getattr(spec, "attention", spec), "num_blocks", None)


def test_changes_reach_the_specs_that_have_the_field():
    model = model_from_config(GPT_OSS_20B)
    changed = model.replace(num_blocks=4096, io_dtype="f16")
    assert {part.spec.io_dtype for part in changed.parts} == {"f16"}
    pools = {part.phase: blocks_of(part.spec) for part in changed.parts}
    assert pools == {
        "prefill": None,
        "paged_decode": 4096,
        "layer_prefill": 4096,
        "layer_decode": 4096,
    }
    assert model.replace() == model
    with pytest.raises(
        SpecError, match="size: not a field of any spec of this model; their fields"
    ):
        model.replace(size=3)
    with pytest.raises(SpecError, match=r"^rotary_dim: .* \(of layer_prefill\)$"):
        model.replace(rotary_dim=3)
    # A layer is given these fields with attention, but returns no sums.
    changed = model.replace(return_lse=True, dynamic=["batch"])
    for part in changed.parts:
        is_attention = not part.phase.startswith("layer")
        attention = getattr(part.spec, "attention", part.spec)
        assert attention.return_lse == is_attention
        assert attention.dynamic == ("batch",)
    # Kinds that become the same are one.
    alike = model.replace(window=None)
    assert {part.kind for part in alike.parts} == {None}
    assert set(alike.layers.values()) == {tuple(range(24))}


def test_names_say_what_they_are_before_the_digest():
    model = model_from_config(GPT_OSS_20B, batch=2, q_len=64, kv_len=256)
    labels = [name.rpartition("-") for name in model.specs]
    assert [label for label, _, _ in labels][:4] == [
        "gpt-oss_full_prefill_b2_h64x8_d64_q64_kv256_bf16",
        "gpt-oss_sliding_prefill_b2_h64x8_d64_q64_kv256_bf16",
        "gpt-oss_full_paged_decode_b2_h64x8_d64_q1_kv256_bf16",
        "gpt-oss_sliding_paged_decode_b2_h64x8_d64_q1_kv256_bf16",
    ]
    assert [digest for *_, digest in labels] == [spec.digest for spec in model.specs.values()]
    # What was changed shows.
    (name, *_) = model.replace(io_dtype="f16").specs
    assert name.startswith("gpt-oss_full_prefill_b2_h64x8_d64_q64_kv256_f16-")


def test_names_are_short_and_safe_for_any_file_system():
    odd = {
        **LLAMA_3_1_8B,
        "model_type": "xlm-roberta",
        "num_attention_heads": 10**18,
        "hidden_size": 8 * 10**18,
    }
    odd = {key: odd[key] for key in odd if "key_value" not in key and "rope" not in key}
    for name in irattn.specs_from_config(odd, batch=10**18):
        assert re.fullmatch(r"xlm-roberta_[A-Za-z0-9_-]*-[0-9a-f]{12}", name)
        assert len(name) <= 120


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {**GPT_2, "n_embd": 770},
            "n_embd: expected a multiple of the 12 attention heads, got 770",
        ),
        (
            {**LLAMA_3_1_8B, "num_key_value_heads": 5},
            "num_key_value_heads: expected a divisor of the 32 attention heads (num_attention_hea",
        ),
        (
            {**FALCON_40B, "num_kv_heads": 7},
            "num_kv_heads: expected a divisor of the 128 attention heads (num_attention_heads)",
        ),
        (
            {**GLM_4_9B, "multi_query_group_num": 3},
            "multi_query_group_num: expected a divisor of the 32 attention heads",
        ),
        ({**GLM_4_9B, "kv_channels": 512}, "kv_channels: heads of 512 columns; irattn has at most"),
        ({**GPT_2, "n_head": 2}, "n_embd: heads of 384 columns; irattn has at most 256"),
        (
            {**LLAMA_3_1_8B, "rope_scaling": {"type": "mrope"}},
            "type: expected one of default, linear, dynamic, llama3, yarn, longrope, su, got",
        ),
        ({**GPT_2, "n_layer": 10**15}, "n_layer: expected at most 10000, got 1000000000000000"),
        (
            # The kinds of all layers are listed.
            {"model_type": "mamba2", "num_hidden_layers": 10**15},
            "num_hidden_layers: expected at most 10000, got 1000000000000000",
        ),
        (
            # The tensors of all experts are listed.
            {**MIXTRAL_8X7B, "num_local_experts": 10**9},
            "num_local_experts: expected at most 7812 in each of 32 layers, got 1000000000",
        ),
        (
            {**NEO, "attention_types": [[["global"], 10**15]]},
            "attention_types: expected a list of [kinds, how often], got [[['global'], 1000000000",
        ),
        (
            {**NEO, "attention_types": [[["global"]]]},
            "attention_types: expected a list of [kinds, how often], got [[['global']]]",
        ),
        (
            {**NEO, "attention_types": [[["global", []], 6]]},
            "attention_types: expected global and local, got []",
        ),
    ],
)
def test_errors_name_the_key_that_the_file_has(config, message):
    with pytest.raises(ConfigError) as caught:
        irattn.specs_from_config(config)
    assert str(caught.value).startswith(message)


def test_lengths_name_the_key_that_the_file_has():
    for config, key in ((GPT_2, "n_positions"), (GLM_4_9B, "seq_length")):
        with pytest.raises(ConfigError, match=f"^{key}: "):
            irattn.specs_from_config(config, kv_len=200_000)


def test_a_batch_of_nothing_is_refused():
    with pytest.raises(ConfigError, match="batch: expected a whole number of at least 1, got None"):
        model_from_config(GPT_2, batch=None)


def test_f32_says_where_it_comes_from():
    assert model_from_config(GPT_2).f32_because == "dtype: missing, taken as float32"
    assert model_from_config(GEMMA_2_9B).f32_because == "torch_dtype: float32"
    assert model_from_config(GEMMA_2_9B).replace(io_dtype="bf16").f32_because is None
    assert model_from_config(LLAMA_3_1_8B).f32_because is None


def test_the_published_file_of_sarvam_105b_is_read():
    """The head_dim of the file is the width of latents, and its `deepseek_yarn` is YaRN."""
    yarn = {"factor": 40, "mscale": 1.0, "original_max_position_embeddings": 4096}
    ours = {**DEEPSEEK_V3, "model_type": "sarvam_mla"}
    plain = {**ours, "rope_scaling": {**yarn, "type": "yarn"}}
    published = {
        **{**ours, "head_dim": 576, "q_head_dim": 192},
        "rope_scaling": {**yarn, "type": "deepseek_yarn"},
    }
    assert model_from_config(published).specs == model_from_config(plain).specs


def test_deepseek_attends_to_latents():
    """The scale is that of 128 + 64 columns, times the square of 0.1 ln(40) + 1."""
    yarn = {
        **{"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0},
        **{"beta_fast": 32, "beta_slow": 1, "original_max_position_embeddings": 4096},
    }
    specs = specs_by_name({**DEEPSEEK_V3, "num_hidden_layers": 61, "rope_scaling": yarn})
    scale = pytest.approx(192**-0.5 * (0.1 * np.log(40) + 1) ** 2)
    prefill, decode = specs["deepseek-v3_prefill"], specs["deepseek-v3_paged_decode"]
    assert (prefill.num_q_heads, prefill.num_kv_heads) == (128, 128)
    assert (prefill.head_dim, prefill.v_dim, prefill.scale) == (192, 128, scale)
    assert (decode.num_q_heads, decode.num_kv_heads, decode.latent_cache) == (128, 1, True)
    assert (decode.head_dim, decode.v_dim, decode.scale) == (576, 512, scale)
    layer = specs["deepseek-v3_full_layer_decode"]
    assert (layer.latent.q_lora_rank, layer.latent.norm_eps) == (1536, 1e-6)
    assert (layer.rope_style, layer.scaling.attention_factor) == ("interleaved", 1.0)
    assert (layer.experts.num_groups, layer.experts.chosen_groups) == (8, 4)
    assert (layer.experts.num_experts, layer.experts.shared_size) == (256, 2048)
    first = specs["deepseek-v3_full_dense_layer_decode"]
    assert (first.intermediate_size, first.experts) == (18432, None)
    biased = model_from_config({**DEEPSEEK_V3, "attention_bias": True})
    assert [part.phase for part in biased.parts] == ["prefill", "paged_decode"]
    assert "attention_bias: True: biases around latents" in biased.notes[0]
    dense = {**DEEPSEEK_V3, "num_hidden_layers": 2, "first_k_dense_replace": 2}
    assert specs_by_name(dense)["deepseek-v3_layer_prefill"].mlp.intermediate_size == 18432
