"""Qwen 3.5 and Qwen3-Next, of text: three of four layers are gated delta nets."""

from dataclasses import replace

from irattn.models.families.common import BIAS, PARTIAL
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import DeltaNames, TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, whole

_LAYER = LayerStyle(**BIAS, qk_norm=True, norm_offset=1.0, output_gate=True)


def _next_layer(fields: Fields) -> LayerStyle:
    return replace(_LAYER, has_other_experts=_has_experts(fields))


def _has_experts(fields: Fields) -> bool:
    """Whether a layer has experts: the last of every so many, but those that are listed."""
    if not fields.get("num_experts"):
        return False
    every = whole(fields, "decoder_sparse_step") or 1
    without = fields.get("mlp_only_layers") or []
    count = whole(fields, *LAYERS) or every
    return any(number not in without for number in range(every - 1, count, every))


QWEN_3_5 = ModelFamily(
    reads=PARTIAL
    | {
        *("attention_bias", "full_attention_interval", "layer_types", "linear_conv_kernel_dim"),
        *("linear_key_head_dim", "linear_num_key_heads", "linear_num_value_heads"),
        "linear_value_head_dim",
        # Of text alone, the positions along all three axes are the same.
        *("mrope_interleaved", "mrope_section"),
    },
    harmless=frozenset({"mtp_num_hidden_layers"}),
    only={"attn_output_gate": (True,), "mamba_ssm_dtype": ("float32",)},
    defaults={"full_attention_interval": 4, "partial_rotary_factor": 0.25},
    layer=_LAYER,
    tensors=TensorNames(has_gates=True, delta=DeltaNames()),
)
QWEN_3_NEXT = replace(
    QWEN_3_5,
    reads=QWEN_3_5.reads | {"decoder_sparse_step", "mlp_only_layers", "num_experts"},
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
