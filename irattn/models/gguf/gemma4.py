"""The architecture of GGUF files of Gemma 4, whose layers with windows have other heads."""

from dataclasses import replace
from typing import Any

import numpy as np

from irattn.core.errors import ConfigError, ModelError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.families.tensor_names import BesideNames, LayerInputNames
from irattn.models.gguf.architecture import POST_NORMS, WINDOW, Architecture
from irattn.models.gguf.said import Said

_HEADS, _PATTERN = "attention.head_count_kv", "attention.sliding_window_pattern"
_FACTORS = "rope_freqs.weight"
# What files of Gemma 3n have, too.
INNER, SHARED = "feed_forward_length", "attention.shared_kv_layers"
TOKENS, WIDTH = "per_layer_token_embd.weight", "embedding_length_per_layer_input"
# A frequency that such a number divides does not rotate.
_STILL = 1e30


def _fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The fields that layers with windows have otherwise, and those that tensors tell."""
    given = said.value(_PATTERN)
    if not isinstance(given, list) or len(given) < layers:
        raise ConfigError(
            f"{said.named(_PATTERN)}: expected one for each of the {layers} layers, got "
            f"{shown(given)}"
        )
    windows, shared = [bool(one) for one in given[:layers]], said.whole(SHARED, least=0) or 0
    if shared >= layers:
        raise ConfigError(
            f"{said.named(SHARED)}: expected fewer than the {layers} layers, got {shared}"
        )
    tokens = file.tensors.get(TOKENS)
    # Layers whose values are their keys have no weight of their own for them.
    owners = [number for number in range(layers - shared) if not windows[number]]
    return {
        **_kv_heads(said, windows),
        **_inner(said, layers, shared),
        "head_dim": said.needed("attention.key_length_swa"),
        "global_head_dim": said.needed("attention.key_length"),
        "num_kv_shared_layers": shared,
        "hidden_size_per_layer_input": said.whole(WIDTH, least=0) or 0,
        "vocab_size_per_layer_input": tokens.shape[0] if tokens else None,
        "attention_k_eq_v": any(f"blk.{n}.attn_v.weight" not in file.tensors for n in owners),
        "enable_moe_block": "blk.0.ffn_gate_inp.weight" in file.tensors,
        "rope_parameters": _rotation(said, file),
    }


def _kv_heads(said: Said, windows: list[bool]) -> dict[str, Any]:
    """The KV heads of layers with windows, and those of others."""
    each = said.value(_HEADS)
    if not isinstance(each, list):
        return {"num_key_value_heads": said.needed(_HEADS), "num_global_key_value_heads": None}
    counts = [{n for n, one in zip(each, windows, strict=False) if one is kind} for kind in _KINDS]
    if len(each) < len(windows) or any(len(one) > 1 for one in counts):
        raise ConfigError(
            f"{said.named(_HEADS)}: expected a number for layers with windows and one for others, "
            f"got {shown(each)}"
        )
    (narrow, wide) = (next(iter(one), None) for one in counts)
    return {"num_key_value_heads": narrow or wide, "num_global_key_value_heads": wide}


_KINDS = (True, False)


def _inner(said: Said, layers: int, shared: int) -> dict[str, Any]:
    """The columns of MLPs, of which layers that share keys may have twice as many."""
    each = said.value(INNER)
    if not isinstance(each, list):
        return {"intermediate_size": said.needed(INNER), "use_double_wide_mlp": False}
    first = each[0] if each else 0
    if each[:layers] != [first] * (layers - shared) + [2 * first] * shared:
        raise ConfigError(
            f"{said.named(INNER)}: expected the same for the first {layers - shared} layers and "
            f"twice as much for the {shared} that share keys, got {shown(each)}"
        )
    return {"intermediate_size": first, "use_double_wide_mlp": True}


def _rotation(said: Said, file: GgufFile) -> dict[str, Any]:
    """How positions rotate in both kinds of layers."""
    tensor, size = file.tensors.get(_FACTORS), said.needed("attention.key_length")
    if tensor is None or tensor.type != "F32" or tensor.shape != (size // 2,):
        got = f"{list(tensor.shape)} of {tensor.type}" if tensor else "none"
        raise ModelError(f"{_FACTORS}: expected [{size // 2}] of F32 in {file.path}, got {got}")
    factors = tensor.rows_of_bytes.view("<f4")
    turning = int((factors == 1).sum())
    if not (factors[turning:] >= np.float32(_STILL)).all() or not (factors[:turning] == 1).all():
        raise ModelError(f"{_FACTORS}: expected 1 of what rotates, then 1e30, in {file.path}")
    own, whole = said.needed("attention.key_length_swa"), "rope.dimension_count_swa"
    if said.value(whole) not in (None, own):
        raise ConfigError(f"{said.named(whole)}: expected {own}, got {shown(said.value(whole))}")
    return {
        "full_attention": {
            "rope_type": "proportional",
            "partial_rotary_factor": turning / (size // 2),
            "rope_theta": said.positive("rope.freq_base") or 10000.0,
        },
        "sliding_attention": {
            "rope_type": "default",
            "rope_theta": said.positive("rope.freq_base_swa") or 10000.0,
        },
    }


_TENSORS = replace(
    POST_NORMS,
    output_scale="layer_output_scale.weight",
    layer_input=LayerInputNames(
        embedding="per_layer_token_embd",
        projection="per_layer_model_proj",
        projection_norm="per_layer_proj_norm",
        gate="inp_gate",
        output="proj",
        post_norm="post_norm",
    ),
    expert_gate_up=("ffn_gate_up_exps.weight",),
    expert_down="ffn_down_exps.weight",
    beside=BesideNames(
        own_norm="post_ffw_norm_1",
        norm="pre_ffw_norm_2",
        post_norm="post_ffw_norm_2",
        router_scale="ffn_gate_inp.scale",
        expert_scale="ffn_down_exps.scale",
    ),
)
GEMMA_4 = Architecture(
    model_type="gemma4_text",
    tensors=_TENSORS,
    keys=WINDOW
    | {
        "expert_count": "num_experts",
        "expert_used_count": "top_k_experts",
        "expert_feed_forward_length": "moe_intermediate_size",
        "final_logit_softcapping": "final_logit_softcapping",
    },
    needs=("attention.sliding_window", _PATTERN),
    equal={"attention.value_length_swa": "attention.key_length_swa"},
    silent=(
        *(SHARED, WIDTH, "attention.key_length_swa"),
        *("rope.dimension_count_swa", "rope.freq_base_swa"),
    ),
    made=_fields,
    exceeds_f16=True,
)
