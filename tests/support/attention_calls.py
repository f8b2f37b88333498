"""What a small model of transformers calls attention with, layer by layer."""

import dataclasses
import inspect
from typing import Any

import numpy as np
import torch
from transformers import AttentionInterface, AutoModel, AutoModelForCausalLM
from transformers.masking_utils import AttentionMaskInterface, eager_mask
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

NAME = "irattn_recorder"
TOKENS = 16

_HEADS, _LAYERS = 4, 6
_HEAD_KEYS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
_SMALL: dict[str, Any] = {
    **dict.fromkeys(_HEAD_KEYS, _HEADS),
    **dict.fromkeys(("hidden_size", "n_embd", "d_model", "dim"), 64),
    **dict.fromkeys(("num_hidden_layers", "n_layer", "n_layers", "num_layers"), _LAYERS),
    **dict.fromkeys(("intermediate_size", "ffn_dim", "n_inner", "dense_intermediate_size"), 64),
    **dict.fromkeys(("shared_intermediate_size", "hidden_dim"), 64),
    **dict.fromkeys(("moe_intermediate_size", "shared_expert_intermediate_size"), 32),
    **dict.fromkeys(("num_experts", "num_local_experts", "n_routed_experts"), 8),
    **{"head_dim": 24, "moe_num_experts": 8, "num_key_value_heads": 2, "vocab_size": 300},
    **{"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "image_size": 32},
    **{"patch_size": 8, "max_position_embeddings": 512, "n_positions": 64},
    **{"sliding_window": 6, "local_attention": 12},
}


_MROPE: dict[str, Any] = {
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 3, 3]}
}
_BOTH_KINDS = {"layer_types": ["sliding_attention", "full_attention"] * 3}
_GEMMA_4: dict[str, Any] = {
    **{"head_dim": 24, "sliding_window": 6},
    "rope_parameters": {
        "full_attention": {
            **{"rope_type": "proportional", "rope_theta": 1e6},
            "partial_rotary_factor": 0.25,
        },
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}
# What classes do not fill in so that their models can be made.
_NEEDED: dict[str, dict[str, Any]] = {
    "afmoe": _BOTH_KINDS,
    "cohere2_moe": _BOTH_KINDS,
    "cohere_compass_text": {
        **_BOTH_KINDS,
        "rope_parameters": {
            "full_attention": None,
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        },
    },
    "dots1": {
        **{"n_routed_experts": 8, "n_shared_experts": 1, "n_group": 1, "topk_group": 1},
        "num_experts_per_tok": 2,
    },
    "esm": {"vocab_size": 33, "pad_token_id": 1, "mask_token_id": 32},
    "gemma4_text": {**_GEMMA_4, "hidden_size_per_layer_input": 0},
    "gemma4_unified_text": _GEMMA_4,
    "glm4v_moe_text": {
        "head_dim": 16,
        "rope_parameters": {**_MROPE["rope_parameters"], "partial_rotary_factor": 1.0},
    },
    "glm4v_text": _MROPE,
    "gpt_oss": {"rope_scaling": {"rope_type": "linear", "factor": 2.0}},
    "granite_docling_vision": {"out_hidden_size": 64},
    "granite_swa": _BOTH_KINDS,
    "granitemoe_swa": _BOTH_KINDS,
    "granitemoehybrid": {
        **{"layer_types": ["full_attention"] * 6, "num_local_experts": 0, "mamba_n_heads": 1},
    },
    "helium": {"head_dim": 16},
    "hunyuan_v1_dense": {"head_dim": 16},
    "hunyuan_v1_moe": {"head_dim": 16},
    "mellum": _BOTH_KINDS,
    "ministral": {"head_dim": 16},
    "muse_glimmer_text": _BOTH_KINDS,
    "muse_spark_text": _BOTH_KINDS,
    "nemotron": {"head_dim": 16, "num_key_value_heads": 2},
    "qwen2_5_vl_text": _MROPE,
    "qwen3_next": {"num_experts_per_tok": 2},
    "qwen2_vl_text": _MROPE,
}


@dataclasses.dataclass(frozen=True)
class Call:
    """The attention of one layer; `sees` has 1 where a query sees a key."""

    num_q_heads: int
    num_kv_heads: int
    head_dim: int
    value_dim: int
    scale: float
    soft_cap: float | None
    sinks: bool
    sees: np.ndarray[Any, Any]


_calls: list[Call] = []


def small_file(model_type: str) -> dict[str, Any]:
    """A config.json of a small model, which says only the sizes that its class has."""
    config = CONFIG_MAPPING[model_type]
    own = {field.name: field.default for field in dataclasses.fields(config)}
    file = {key: value for key, value in _SMALL.items() if type(own.get(key)) is int}
    heads = [own[key] for key in _HEAD_KEYS if key in own]
    if own.get("num_key_value_heads") in heads:
        file["num_key_value_heads"] = _HEADS
    parts = getattr(config, "sub_configs", {})
    for name in parts:
        default = getattr(CONFIG_MAPPING[model_type](), name, None)
        inner = getattr(default, "model_type", None)
        if inner in CONFIG_MAPPING:
            file[name] = small_file(inner)
    return {**file, **_NEEDED.get(model_type, {}), "model_type": model_type}


def calls_of(file: dict[str, Any]) -> list[Call]:
    """The calls of the model that a config.json describes, on a prompt or on an image."""
    AttentionInterface.register(NAME, _record)
    AttentionMaskInterface.register(NAME, eager_mask)
    config = CONFIG_MAPPING[file["model_type"]](**file)
    kind = AutoModel if type(config) in AutoModel._model_mapping else AutoModelForCausalLM
    model = kind.from_config(config, attn_implementation=NAME, dtype=torch.float32).eval()
    _calls.clear()
    with torch.no_grad():
        model(**_inputs(inspect.signature(model.forward).parameters))
    return list(_calls)


def _inputs(names: Any) -> dict[str, Any]:
    cache = {"use_cache": False} if "use_cache" in names else {}
    if "input_ids" in names:
        return {"input_ids": torch.arange(5, 5 + TOKENS)[None], **cache}
    return {"pixel_values": torch.zeros(1, 3, 32, 32)}


def _record(module, query, key, value, attention_mask, scaling=None, **features: Any) -> Any:
    _, heads, queries, head_dim = query.shape
    keys, causal = key.shape[2], features.get("is_causal")
    if attention_mask is not None:
        sees = (attention_mask.expand(-1, -1, queries, keys)[0, 0] > -1e4).int()
    elif module.is_causal if causal is None else causal:
        sees = torch.ones(queries, keys, dtype=torch.int).tril(keys - queries)
    else:
        sees = torch.ones(queries, keys, dtype=torch.int)
    _calls.append(
        Call(
            num_q_heads=heads,
            num_kv_heads=key.shape[1],
            head_dim=head_dim,
            value_dim=value.shape[3],
            scale=head_dim**-0.5 if scaling is None else scaling,
            soft_cap=features.get("softcap"),
            sinks=features.get("s_aux") is not None,
            sees=sees.numpy(),
        )
    )
    mean = value.mean(2, keepdim=True).repeat_interleave(heads // key.shape[1], 1)
    return mean.expand(-1, -1, queries, -1).transpose(1, 2).contiguous(), None
