"""Hunyuan 1, whose norms of heads come after the rotation; Hunyuan 3 (Hy3), and its experts."""

from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle, dense_first
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _with_numbers(fields: Fields) -> Fields:
    """The fields of a file, whose lists of one number for all layers are that number."""
    own = dict(fields)
    for key in ("moe_topk", "num_experts"):
        value = own.get(key)
        if isinstance(value, list) and value:
            if any(one != value[0] for one in value):
                raise ConfigError(
                    f"{key}: expected the same number for all layers, got {shown(value)}"
                )
            own[key] = value[0]
    return own


def _with_shared_experts(fields: Fields) -> Fields:
    """The fields of a file with shared experts; the code takes a size of 0 for that of an MLP."""
    if fields.get("num_shared_experts") == 0:
        raise ConfigError("num_shared_experts: expected at least 1, got 0")
    return fields


_NORMS: dict[str, Any] = {
    "query_norm": "self_attn.query_layernorm",
    "key_norm": "self_attn.key_layernorm",
}
HUNYUAN_1 = ModelFamily(
    reads=LAYER | {"alpha", "attention_bias"},
    only=WHOLE_HEADS | {"use_cla": (False,), "use_qk_norm": (True,), "use_rotary_pos_emb": (True,)},
    # What published files say besides: heads a second time, and what is off.
    harmless=frozenset({"attention_head_dim", "cla_share_factor", "mask_init_id"}),
    layer=LayerStyle(**BIAS, qk_norm=True, norms_after_rope=True),
    tensors=TensorNames(**_NORMS),
)
# One expert is shared, and all are as wide as an MLP would be.
HUNYUAN_1_MOE = replace(
    HUNYUAN_1,
    reads=HUNYUAN_1.reads | {"moe_topk", "num_experts"},
    as_read=_with_numbers,
    only={**HUNYUAN_1.only, "moe_layer_num_skipped": (0,), "num_shared_expert": (1,)},
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        norms_after_rope=True,
        experts=ExpertStyle(width="intermediate_size", has_shared=True),
    ),
    tensors=TensorNames(
        **_NORMS,
        router="mlp.gate.wg",
        shared_gate_up=("mlp.shared_mlp.gate_proj", "mlp.shared_mlp.up_proj"),
        shared_down="mlp.shared_mlp.down_proj",
    ),
)
HY_3 = ModelFamily(
    reads=LAYER
    | EXPERT_KEYS
    | {"attention_bias", "mlp_layer_types", "num_shared_experts", "router_scaling_factor"},
    # Biases would be those of what is shared, too. The code has an MLP in the first layer alone,
    # unless the file lists the layers.
    only=WHOLE_HEADS | {"first_k_dense_replace": (1,), "mlp_bias": (False,)},
    # Of types in which the code computes.
    harmless=frozenset({"enable_attention_fp32_softmax"}),
    defaults={"first_k_dense_replace": 1, "rope_theta": 11158840.0},
    as_read=_with_shared_experts,
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        experts=ExpertStyle(scores="sigmoid", has_choice_bias=True, dense=dense_first),
    ),
    tensors=TensorNames(
        router="mlp.router.gate",
        choice_bias="mlp.expert_bias",
        shared_gate_up=("mlp.shared_mlp.gate_proj", "mlp.shared_mlp.up_proj"),
        shared_down="mlp.shared_mlp.down_proj",
    ),
)
