"""All configuration classes of transformers, and what their models do; needs `transformers`."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")


import model_types
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.families import FAMILIES, LAYERED, WRAPPERS
from support.attention_calls import TOKENS, calls_of, small_file

pytestmark = pytest.mark.slow

# Types that cannot be asked: they compute attention themselves, are parts that are no models
# alone, take images or sound besides text, or need packages or sizes of their own.
NOT_ASKED = {
    *("bloom", "codegen", "falcon", "gpt_neo", "gpt_neox_japanese", "gptj", "mpt", "openai-gpt"),
    "xglm",
    *("emu3_text_model", "ernie4_5_vl_moe_text", "siglip_text_model"),
    "apertus1p5",
    *("blip-2", "chameleon", "deepseek_vl_hybrid", "emu3", "ernie4_5_vl_moe", "fast_vlm"),
    "gemma3n",
    "llama4",
    *("perception_lm", "qwen2_audio", "shieldgemma2", "voxtral", "whisper"),
}

# Their code scales the queries before.
PRE_SCALED = ("esm", "opt")

TYPES = sorted(({*FAMILIES, *WRAPPERS} & set(CONFIG_MAPPING)) - NOT_ASKED)

# What irattn asks for where a class has something of its own instead.
_YARN = {
    "rope_parameters": {
        "rope_type": "yarn",
        "rope_theta": 10000.0,
        "factor": 4.0,
        "original_max_position_embeddings": 64,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "llama_4_scaling_beta": 0.1,
    }
}
_ONE_GROUP = {"n_group": 1, "topk_group": 1}
_SHARED = {"num_kv_shared_layers": 2, "layer_types": ["sliding_attention", "full_attention"] * 3}
_PLAIN_ROPE = {"rope_type": "default", "rope_theta": 1e4}
NEEDED = {
    **{name: {"rope_parameters": _PLAIN_ROPE} for name in ("apertus", "apertus1p5_text")},
    "cwm": {"rope_parameters": _PLAIN_ROPE},
    "mellum": {
        "rope_parameters": {"full_attention": _PLAIN_ROPE, "sliding_attention": _PLAIN_ROPE}
    },
    "gemma3n_text": _SHARED,
    "dbrx": {"attn_config": {"kv_n_heads": 2, "rope_theta": 1e4, "clip_qkv": 8.0}},
    "deepseek_v2": {"num_experts_per_tok": 2},
    **dict.fromkeys(("axk1", "deepseek_v3", "deepseek_v32"), _ONE_GROUP),
    "bamba": {"attn_layer_indices": [1, 4]},
    "kimi_k25": {"text_config": {**small_file("deepseek_v3"), **_ONE_GROUP}},
    # As many columns of heads as the hidden state, twice.
    "mamba2": {"head_dim": 32, "n_groups": 2},
    "mimo_v2_flash": {"v_head_dim": 16},
    "ministral3": _YARN,
    "mistral4": {**_YARN, **_ONE_GROUP},
    "zamba2": {"layers_block_type": ["mamba", "hybrid"] * 3},
    "nemotron_h": {"hybrid_override_pattern": "M-*-M*"},
}

CHANGES = [
    {},
    {"head_dim": 32},
    {"num_key_value_heads": 2},
    {"num_key_value_heads": None},
    {"sliding_window": 5},
    {"sliding_window": None},
    {"sliding_window": 5, "layer_types": ["sliding_attention", "full_attention"] * 3},
    {"layer_types": ["full_attention"] * 6},
    {"sliding_window": 5, "use_sliding_window": True, "max_window_layers": 3},
    {"sliding_window": 5, "use_sliding_window": False},
    {"sliding_window": 5, "sliding_window_pattern": 3},
    {"local_attention": 8, "global_attn_every_n_layers": 2},
    {"attention_multiplier": 0.3},
    {"query_pre_attn_scalar": 50},
    {"attn_logit_softcapping": 3.0},
    {"use_bidirectional_attention": True},
    {"is_decoder": True},
    {"multi_query": False},
    {"scale_attn_weights": False},
    {"scale_attn_by_inverse_layer_idx": True},
]


def test_what_classes_fill_in_is_known():
    kept = json.loads(model_types.DEFAULTS.read_text(encoding="utf-8"))
    assert model_types.defaults() == kept, "run tools/model_types.py"


@pytest.mark.parametrize("name", sorted(set(LAYERED) & set(CONFIG_MAPPING)))
def test_thetas_are_those_of_classes(name):
    """Where a file says none; classes do not have them among their fields."""
    family, theta = FAMILIES[name], CONFIG_MAPPING[name].default_theta
    if "rope_theta" in family.reads and name not in WRAPPERS:
        shared = theta["global"] if isinstance(theta, dict) else theta
        assert family.defaults.get("rope_theta", 10000.0) == shared


@pytest.mark.parametrize("name", sorted(CONFIG_MAPPING))
def test_every_class_has_the_outcome_of_the_table(name):
    kept = json.loads(model_types.OUTCOMES.read_text(encoding="utf-8"))
    assert model_types.outcome(name) == kept.get(name), "run tools/model_types.py"


def specs_of(file):
    """The spec of each layer; None where irattn refuses the file."""
    family = FAMILIES.get(file["model_type"])
    sees_images = family and family.extra_tokens is not None
    try:
        model = model_from_config(file, q_len=None if sees_images else TOKENS)
    except ConfigError:
        return None
    phases = [part for part in model.parts if part.phase in ("prefill", "encode")]
    layers = {number: part.spec for part in phases for number in part.layers}
    return [layers[number] for number in sorted(layers)]


def seen(spec):
    """For each query which keys it sees."""
    query = np.arange(spec.q_len)[:, None] + spec.kv_len - spec.q_len
    key = np.arange(spec.kv_len)
    left, right = spec.window or (None, None)
    sees = (key <= query) | (not spec.causal)
    sees &= (left is None) or (key >= query - left)
    return sees & ((right is None) or (key <= query + right))


def joined(calls):
    """One call for two of DiffLlama's code, each of which reads half of the columns of values.

    Queries and keys are as wide as these, zeros behind their own.
    """
    return [replace(one, head_dim=2 * one.head_dim, value_dim=2 * one.value_dim) for one in calls]


@pytest.mark.parametrize("name", TYPES)
def test_models_call_attention_as_the_specs_say(name):
    small = {**small_file(name), **NEEDED.get(name, {})}
    asked = 0
    for change in CHANGES:
        file = {**small, **change}
        specs = specs_of(file)
        if specs is None or (change and specs == specs_of(small)):
            continue
        try:
            calls = calls_of(file)
        except Exception:
            # transformers does not run what was changed so; all else it must.
            assert change
            continue
        asked += 1
        if name == "diffllama":
            calls = joined(calls[::2])
        assert len(calls) == len(specs), change
        for spec, call in zip(specs, calls, strict=True):
            sizes = (call.num_q_heads, call.num_kv_heads, call.head_dim, call.value_dim)
            own = (spec.num_q_heads, spec.num_kv_heads, spec.head_dim, spec.v_dim)
            assert sizes == own, change
            scale = 1.0 if name in PRE_SCALED else spec.scale
            assert call.scale == pytest.approx(scale), change
            assert call.soft_cap == spec.logits_soft_cap, change
            assert call.sinks == spec.sinks, change
            assert np.array_equal(call.sees, seen(spec)), change
    assert asked
