"""Which model types and which keys of a config.json irattn takes, and what it says else."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from irattn.cli.main import main
from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.families import FAMILIES, GENERIC, WRAPPERS
from irattn.models.families.keys import HARMLESS, sounds_like_attention
from irattn.models.missing import MISSING
from irattn.models.names import SYNONYMS
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
    MPT_7B,
    NEO,
    PHI_3_MINI_128K,
    QWEN_3_8B,
)

# What transformers 5.23's classes come to; tools/model_types.py writes it.
OUTCOMES = json.loads((Path(__file__).parent / "model_types.json").read_text(encoding="utf-8"))

PUBLISHED = (
    *(BERT_BASE, BLOOM_560M, FALCON_7B, GEMMA_2_9B, GEMMA_3_4B, GLM_4_9B, GPT_2, GPT_OSS_20B),
    *(LLAMA_3_1_8B, MISTRAL_7B_V0_1, MPT_7B, NEO, PHI_3_MINI_128K, QWEN_3_8B),
)


def refusal(config, **options):
    with pytest.raises(ConfigError) as caught:
        model_from_config(config, **options)
    return str(caught.value)


def ignorable(message):
    return re.findall(r"--ignore-key (\S+)", message)


def bare(name):
    """The least that a file of a type says."""
    return {"model_type": name, **({"text_config": {}} if name in WRAPPERS else {})}


READ = [name for name, outcome in OUTCOMES.items() if outcome == "read"]
REFUSED = {name: outcome for name, outcome in OUTCOMES.items() if isinstance(outcome, list)}


def test_the_table_has_every_type_once_and_all_outcomes():
    assert len(OUTCOMES) > 800
    assert {outcome for outcome in OUTCOMES.values() if isinstance(outcome, str)} == {
        "read",
        "no attention",
        "no default",
    }
    assert set(OUTCOMES) >= set(WRAPPERS) - {"internvl_chat", "multi_modality"}


def test_types_that_are_read_need_no_more_than_their_name():
    """Classes know the rest, as transformers does."""
    for name in READ:
        family = FAMILIES.get(WRAPPERS[name].inner if name in WRAPPERS else name)
        if family and family.needs:
            names = " or ".join(family.needs[0])
            assert refusal(bare(name)).startswith(f"{names}: missing")
        else:
            assert model_from_config(bare(name), q_len=8).parts


def test_types_that_are_refused_name_each_key():
    for name, keys in REFUSED.items():
        if name in FAMILIES or name in WRAPPERS:
            continue
        found = ignorable(refusal({**dict.fromkeys(keys, 3), "model_type": name}))
        assert "model_type" in found
        assert set(found) == set(keys) - GENERIC.reads | {"model_type"}, name
    for name in (name for name, outcome in OUTCOMES.items() if outcome == "no attention"):
        lacks = f"irattn does not have its layers yet: {MISSING.get(name)}"
        said = lacks if name in MISSING else "a type that irattn "
        assert refusal({"model_type": name}).startswith(f"model_type: {name}: {said}")


@pytest.mark.parametrize(
    "key",
    [
        *("attention_sparsity_topk", "num_memory_heads", "block_types", "attn_layer_period"),
        *("my_window", "rope_style", "logit_scaling", "kv_cache_dtype", "ssm_state_size"),
        *("mamba_d_conv", "conv_kernel", "chunk_len", "sparse_blocks", "layer_index"),
        *("hybrid_override_pattern", "global_head_dim", "num_kv_shared_layers", "XAttention"),
        *("num_global_key_value_heads", "v_head_dim", "use_linear_layers", "prefix_tokens"),
    ],
)
@pytest.mark.parametrize("config", PUBLISHED, ids=lambda config: config["model_type"])
def test_an_unknown_key_about_attention_is_refused_by_name(config, key):
    message = refusal({**config, key: 3})
    assert ignorable(message) == [key]
    ignored = model_from_config({**config, key: 3}, ignore_keys=[key])
    model = model_from_config(config)
    assert ignored.specs == model.specs
    assert ignored.notes == (f"{key}: ignored, as if it were not there", *model.notes)


@pytest.mark.parametrize("config", PUBLISHED, ids=lambda config: config["model_type"])
def test_what_says_that_a_feature_is_not_there_passes(config):
    off = {
        **dict.fromkeys(("num_kv_shared_layers", "kv_lora_rank", "attention_chunk_size"), 0),
        **dict.fromkeys(("global_head_dim", "ssm_cfg", "query_scale", "sparse_pattern")),
        **{"use_linear_attention": False, "hybrid_layer_ids": [], "attn_extras": {}},
        **{"is_encoder_decoder": False, "layers_block_type": ["attention"] * 3},
        "attn_type_list": [1, 1],
        # What is not about attention, and what nobody has heard of.
        **{"_name_or_path": "x", "id2label": {"0": "a"}, "my_private_thing": 7},
        **{"image_token_index": 5, "attention_dropout": 0.1, "initializer_range": 0.02},
    }
    assert model_from_config({**off, **config}) == model_from_config(config)


def test_what_is_false_is_refused_where_off_means_another_attention():
    assert ignorable(refusal({**LLAMA_3_1_8B, "causal_attention": False})) == ["causal_attention"]
    assert ignorable(refusal({**LLAMA_3_1_8B, "attention_scale": False})) == ["attention_scale"]


def test_a_type_that_nobody_has_heard_of_is_told_as_such():
    novel = {**LLAMA_3_1_8B, "model_type": "novel", "attention_sparsity_topk": 64}
    message = refusal(novel)
    assert message.startswith("attention_sparsity_topk: irattn does not know what attention")
    assert "model_type: novel: a type that irattn does not know" in message
    assert "--ignore-key attention_sparsity_topk --ignore-key model_type (ignore_keys)" in message
    plain = {**LLAMA_3_1_8B, "model_type": "novel"}
    assert ignorable(refusal(plain)) == ["model_type"]
    model = model_from_config(plain, ignore_keys=["model_type"])
    assert list(model.specs.values()) == list(model_from_config(LLAMA_3_1_8B).specs.values())[:2]
    assert "model_type: ignored, as if it were not there" in model.notes


def test_keys_of_one_family_are_not_read_of_another():
    assert ignorable(refusal({**GPT_2, "head_dim": 32})) == ["head_dim"]
    assert ignorable(refusal({**LLAMA_3_1_8B, "d_model": 2048})) == ["d_model"]
    assert ignorable(refusal({**LLAMA_3_1_8B, "sliding_window": 64})) == ["sliding_window"]
    assert ignorable(refusal({**LLAMA_3_1_8B, "query_pre_attn_scalar": 64})) == [
        "query_pre_attn_scalar"
    ]
    # Half of a head is rotated by GLM's and Phi's code alone.
    assert ignorable(refusal({**LLAMA_3_1_8B, "partial_rotary_factor": 0.5})) == [
        "partial_rotary_factor"
    ]


@pytest.mark.parametrize(
    ("config", "keys"),
    [
        (GPT_OSS_20B, {"initial_context_length": 4096, "output_router_logits": False}),
        (PHI_3_MINI_128K, {"full_attn_mod": 1, "interpolate_factor": 1, "attention_bias": False}),
        (BLOOM_560M, {"masked_softmax_fusion": True, "offset_alibi": 100}),
        (BERT_BASE, {"pooler_num_attention_heads": 12, "pooler_size_per_head": 128}),
        (GEMMA_2_9B, {"cache_implementation": "hybrid"}),
        (GLM_4_9B, {"apply_query_key_layer_scaling": True, "attention_softmax_in_fp32": True}),
        (MISTRAL_7B_V0_1, {"router_aux_loss_coef": 0.02, "output_router_logits": True}),
    ],
)
def test_keys_that_published_files_have_beside(config, keys):
    assert model_from_config({**config, **keys}) == model_from_config(config)


def test_both_levels_of_a_file_are_looked_at():
    text = {**LLAMA_3_1_8B, "attention_sparsity_topk": 64}
    llava = {"model_type": "llava", "text_config": text, "image_seq_length": 576}
    assert ignorable(refusal(llava)) == ["attention_sparsity_topk"]
    around = {**llava, "text_config": LLAMA_3_1_8B, "num_key_value_heads": 2}
    assert ignorable(refusal(around)) == ["num_key_value_heads"]
    novel = {**around, "model_type": "novel"}
    assert ignorable(refusal(novel)) == ["num_key_value_heads", "model_type"]
    model = model_from_config(llava, ignore_keys=["attention_sparsity_topk"])
    assert model.specs == model_from_config(LLAMA_3_1_8B).specs


def test_a_prefix_that_is_seen_both_ways_is_not_compiled():
    gemma = {"model_type": "gemma", "num_hidden_layers": 2}
    assert model_from_config(gemma).parts
    message = refusal({"model_type": "paligemma", "text_config": gemma})
    assert message.startswith("model_type: paligemma: a type that irattn does not know")


def test_settings_of_the_rotation_are_looked_at():
    rope = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384}
    ministral = {
        **{"model_type": "ministral3", "num_attention_heads": 32, "num_hidden_layers": 2},
        "rope_parameters": {**rope, "llama_4_scaling_beta": 0.1},
    }
    assert model_from_config(ministral).parts
    message = refusal({**ministral, "model_type": "mistral"})
    assert message.startswith("llama_4_scaling_beta: 0.1 asks for a softmax scale per position")
    mistral = {**ministral, "model_type": "mistral"}
    assert model_from_config(mistral, ignore_keys=["llama_4_scaling_beta"]).parts
    assert model_from_config({**mistral, "rope_parameters": rope}).parts
    kinds = {"full_attention": {"rope_theta": 1e4, "spiral": 2}}
    assert ignorable(refusal({**LLAMA_3_1_8B, "rope_parameters": kinds})) == ["spiral"]


def test_biases_of_shared_experts_are_refused():
    # DeepSeek 3's code has none, whatever the file says.
    deepseek = {"model_type": "deepseek_v3", "num_hidden_layers": 2, "mlp_bias": True}
    assert model_from_config(deepseek).parts
    assert ignorable(refusal({**deepseek, "model_type": "deepseek_v2"})) == ["mlp_bias"]


def test_what_a_file_leaves_out_its_class_fills_in():
    (prefill, *_) = model_from_config({"model_type": "mistral", "num_hidden_layers": 2}).parts
    assert (prefill.spec.num_q_heads, prefill.spec.num_kv_heads) == (32, 8)
    granite = {**LLAMA_3_1_8B, "model_type": "granite"}
    assert model_from_config(granite).parts[0].spec.scale == 1.0
    # A key that means the same is not filled in beside it.
    assert model_from_config({**NEO, "n_embd": 1536}).parts[0].spec.head_dim == 128


def test_an_epsilon_by_another_name_than_the_class_has():
    exaone = {"model_type": "exaone", "num_layers": 1, "layer_norm_epsilon": 0.25}
    assert model_from_config(exaone, q_len=8).parts[-1].spec.norm_eps == 0.25


def test_sinks_of_a_family():
    swa = {"model_type": "granite_swa", "layer_types": ["sliding_attention"] * 4}
    assert model_from_config(swa).parts[0].spec.sinks


def test_a_decoder_with_modern_berts_windows_sees_half_of_them():
    decoder = {"model_type": "modernbert-decoder", "num_hidden_layers": 6}
    spec = model_from_config(decoder, q_len=256).parts[1].spec
    assert (spec.causal, spec.window) == (True, (63, None))


def test_keys_to_ignore_are_keys_of_the_file():
    message = "ignore_keys: expected keys of the config, got attention_sparsity"
    assert refusal(LLAMA_3_1_8B, ignore_keys=["attention_sparsity"]) == message
    assert "expected keys, got the text 'head_dim'" in refusal(GPT_2, ignore_keys="head_dim")


def test_every_harmless_name_sounds_like_attention():
    assert [key for key in HARMLESS if not sounds_like_attention(key)] == []


def test_a_family_has_one_place_for_a_key():
    names = {key for keys in SYNONYMS for key in keys}
    for name, family in FAMILIES.items():
        assert not family.reads & (family.harmless | set(family.only)), name
        assert not family.harmless & (HARMLESS | set(family.only)), name
        assert family.reads & names, name


def test_the_command_says_what_it_ignores(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**DEEPSEEK_V3, "model_type": "llama", "num_hidden_layers": 1}))
    arguments = ["compile", "--target", "cpu", "--config", str(config), "--out", str(tmp_path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "kv_lora_rank: 512 asks for latent attention" in result.stderr
    result = CliRunner().invoke(
        main, ["compile", "--target", "cpu", "--ignore-key", "kv_lora_rank"]
    )
    assert "--ignore-key: go with --config; else use --set" in result.stderr


def test_a_letter_of_a_type_is_none():
    with pytest.raises(ConfigError, match="model_type: h: a type that irattn does not know"):
        model_from_config({"model_type": "h", "hidden_size": 64, "num_attention_heads": 4})
