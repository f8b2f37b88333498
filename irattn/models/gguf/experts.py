"""The architectures of GGUF files of models with experts, beside those that dense ones have."""

from dataclasses import replace
from typing import Any

from irattn.models.gguf.architecture import (
    CLIP,
    EXPERTS,
    LOCAL_EXPERTS,
    NAMES,
    WIDTH,
    WINDOW,
    Architecture,
    Told,
)

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

OF_EXPERTS: dict[str, Architecture] = {
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
