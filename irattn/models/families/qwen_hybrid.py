"""Qwen 3.5 and Qwen3-Next, of text, dense and with experts: three of four layers are delta nets."""

from dataclasses import replace

from irattn.models.families.common import BIAS, PARTIAL, SILU
from irattn.models.families.expert_style import (
    EXPERT_KEYS,
    SPARSE_KEYS,
    ExpertStyle,
    dense_between,
)
from irattn.models.families.family import AXES, LayerStyle, ModelFamily
from irattn.models.families.state_tensor_names import DeltaNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields

_LAYER = LayerStyle(**BIAS, qk_norm=True, norm_offset=1.0, output_gate=True)


_EXPERTS = ExpertStyle(
    is_normalized=True,
    shared_size="shared_expert_intermediate_size",
    has_shared_gate=True,
)


def _next_layer(fields: Fields) -> LayerStyle:
    """Qwen3-Next's layer, of which files say 0 experts where all are dense."""
    if not fields.get("num_experts"):
        return _LAYER
    experts = replace(_EXPERTS, is_normalized="norm_topk_prob", dense=dense_between)
    return replace(_LAYER, experts=experts)


QWEN_3_5 = ModelFamily(
    reads=(PARTIAL - {"hidden_act"})
    | AXES
    | {
        *("attention_bias", "full_attention_interval", "layer_types", "linear_conv_kernel_dim"),
        *("linear_key_head_dim", "linear_num_key_heads", "linear_num_value_heads"),
        "linear_value_head_dim",
    },
    harmless=frozenset({"mtp_num_hidden_layers"}),
    only=SILU | {"attn_output_gate": (True,), "mamba_ssm_dtype": ("float32",)},
    defaults={"full_attention_interval": 4, "partial_rotary_factor": 0.25},
    layer=_LAYER,
    tensors=TensorNames(has_gates=True, delta=DeltaNames()),
)
QWEN_3_5_MOE = replace(
    QWEN_3_5,
    reads=QWEN_3_5.reads | EXPERT_KEYS | {"shared_expert_intermediate_size"},
    layer=replace(_LAYER, experts=_EXPERTS),
    tensors=TensorNames(
        has_gates=True,
        delta=DeltaNames(),
    ),
)
QWEN_3_NEXT = replace(
    QWEN_3_5,
    reads=QWEN_3_5.reads | EXPERT_KEYS | SPARSE_KEYS | {"shared_expert_intermediate_size"},
    layer=_next_layer,
    tensors=TensorNames(
        has_gates=True,
        delta=DeltaNames(
            qkv=("linear_attn.in_proj_qkvz",),
            gate=("linear_attn.in_proj_qkvz",),
            rates=("linear_attn.in_proj_ba",),
            is_grouped=True,
        ),
    ),
)
