"""The architectures of GGUF files of models with experts, beside those that dense ones have."""

from dataclasses import replace
from typing import Any

from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.architecture import (
    CLIP,
    EXPERTS,
    LOCAL_EXPERTS,
    NAMES,
    POST_NORMS,
    WIDTH,
    WINDOW,
    Architecture,
    Told,
)
from irattn.models.gguf.heads import usual_fields
from irattn.models.gguf.said import Said

_GATING = "expert_gating_func"
# Scores are sigmoids.
_SIGMOIDS = {_GATING: 2}
# DeepSeek's kind: the first layers have an MLP, and some experts are shared.
DEEPSEEK_KEYS = {
    **EXPERTS,
    **WIDTH,
    "expert_group_count": "n_group",
    "expert_group_used_count": "topk_group",
    "expert_shared_count": "n_shared_experts",
    "expert_weights_norm": "norm_topk_prob",
    "expert_weights_scale": "routed_scaling_factor",
    "leading_dense_block_count": "first_k_dense_replace",
}
DEEPSEEK_DEFAULTS: dict[str, Any] = {
    **{"first_k_dense_replace": 0, "n_group": 1, "topk_group": 1, "norm_topk_prob": False},
    "routed_scaling_factor": 1.0,
}
_DEEPSEEK: dict[str, Any] = {
    "keys": DEEPSEEK_KEYS,
    "needs": (*EXPERTS, *WIDTH, "expert_shared_count"),
    "only": _SIGMOIDS,
    "defaults": DEEPSEEK_DEFAULTS,
    # What the shapes of tensors say, and positions along axes, which are the same for text.
    "silent": ("expert_shared_feed_forward_length", "rope.dimension_sections"),
}
_NO_WINDOW = {**DEEPSEEK_DEFAULTS, "sliding_window": None}
_INNER = "feed_forward_length"

_AFMOE_KEYS = {
    **{key: name for key, name in DEEPSEEK_KEYS.items() if "group" not in key},
    "expert_shared_count": "num_shared_experts",
    "expert_weights_scale": "route_scale",
    "leading_dense_block_count": "num_dense_layers",
}
# Of so many layers, the last one sees all keys.
_EVERY = 4


def mlp_kinds(file: GgufFile, layers: int) -> list[str]:
    """Which layers have experts, and which an MLP, by their tensors."""
    routers = (f"blk.{number}.ffn_gate_inp.weight" for number in range(layers))
    return ["sparse" if name in file.tensors else "dense" for name in routers]


def _afmoe(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads and kinds of layers, which no file lists."""
    kinds = ("full_attention", "sliding_attention")
    types = [kinds[(number + 1) % _EVERY != 0] for number in range(layers)]
    return {"layer_types": types, **usual_fields(said, file, layers)}


OF_EXPERTS: dict[str, Architecture] = {
    "afmoe": Architecture(
        model_type="afmoe",
        tensors=replace(POST_NORMS, qkv=("attn_q", "attn_k", "attn_v", "attn_gate")),
        keys=_AFMOE_KEYS | WINDOW,
        needs=(*EXPERTS, *WIDTH, "attention.sliding_window"),
        only=_SIGMOIDS,
        defaults={"num_dense_layers": 0, "num_shared_experts": 0, "route_scale": 1.0},
        silent=("expert_shared_feed_forward_length",),
        # Embeddings are scaled by the width, which no file says.
        fixed={"mup_enabled": True},
        made=_afmoe,
    ),
    "dots1": Architecture(
        model_type="dots1",
        tensors=NAMES,
        **{**_DEEPSEEK, "needs": (*_DEEPSEEK["needs"], _GATING), "defaults": _NO_WINDOW},
    ),
    "ernie4_5-moe": Architecture(
        model_type="ernie4_5_moe",
        tensors=NAMES,
        keys=EXPERTS
        | WIDTH
        | {
            "expert_shared_count": "n_shared_experts",
            "interleave_moe_layer_step": "moe_layer_interval",
            "leading_dense_block_count": "moe_layer_start_index",
        },
        needs=(*EXPERTS, *WIDTH, "interleave_moe_layer_step"),
        defaults={"moe_layer_start_index": 0, "n_shared_experts": 0},
        fixed={"moe_layer_end_index": -1},
        # Converters divide by another number than that of experts.
        silent=("expert_shared_feed_forward_length",),
        renamed={"attention_bias": "use_bias"},
    ),
    "exaone-moe": Architecture(
        model_type="exaone_moe",
        tensors=NAMES,
        **{
            **_DEEPSEEK,
            "keys": DEEPSEEK_KEYS | WINDOW,
            "needs": (*_DEEPSEEK["needs"], _GATING),
            "defaults": {**_NO_WINDOW, "sliding_window_pattern": 4},
        },
    ),
    "glm4moe": Architecture(
        model_type="glm4_moe",
        tensors=replace(NAMES, mlp_norm="post_attention_norm"),
        told={"use_qk_norm": Told(tensor=".attn_q_norm.weight", here=True, without=False)},
        **_DEEPSEEK,
    ),
    "hunyuan-moe": Architecture(
        model_type="hunyuan_v1_moe",
        tensors=NAMES,
        keys=EXPERTS,
        needs=tuple(EXPERTS),
        only={"expert_shared_count": 1},
        equal=dict.fromkeys((*WIDTH, "expert_shared_feed_forward_length"), _INNER),
    ),
    "minimax-m2": Architecture(
        model_type="minimax_m2",
        tensors=NAMES,
        keys=LOCAL_EXPERTS,
        needs=(*LOCAL_EXPERTS, _GATING),
        only=_SIGMOIDS,
        equal=dict.fromkeys(WIDTH, _INNER),
    ),
    "olmoe": Architecture(
        model_type="olmoe",
        tensors=NAMES,
        keys=EXPERTS | CLIP,
        needs=tuple(EXPERTS),
        fixed={"norm_topk_prob": False},
    ),
    "qwen3vlmoe": Architecture(
        model_type="qwen3_vl_moe_text",
        tensors=NAMES,
        keys=EXPERTS | WIDTH,
        needs=(*EXPERTS, *WIDTH),
        fixed={"norm_topk_prob": True},
        silent=("rope.dimension_sections", "n_deepstack_layers"),
    ),
}
