"""Gemma 4, of text: heads of two sizes, shared keys and values, own inputs, experts beside MLPs."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LISTED, TIED
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import BesideNames, LayerInputNames, TensorNames
from irattn.models.values import Fields

_EXPERTS = ExpertStyle(are_beside=True)


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        **BIAS,
        post_norm=True,
        qk_norm=True,
        value_norm=True,
        scales_output=True,
        rotates_by_kind=True,
        has_layer_input=True,
        experts=_EXPERTS if fields.get("enable_moe_block") else None,
    )


def _tensors(fields: Fields) -> TensorNames:
    return TensorNames(
        post_norm="post_attention_layernorm",
        mlp_norm="pre_feedforward_layernorm",
        mlp_post_norm="post_feedforward_layernorm",
        output_scale="layer_scalar",
        layer_input=LayerInputNames(),
        values_are_keys=bool(fields.get("attention_k_eq_v")),
        router="router.proj",
        expert_gate_up=("experts.gate_up_proj",),
        expert_down="experts.down_proj",
        beside=BesideNames(),
    )


GEMMA_4 = ModelFamily(
    reads=(LISTED - {"hidden_act"})
    | {
        *("attention_bias", "attention_k_eq_v", "enable_moe_block", "final_logit_softcapping"),
        *("global_head_dim", "hidden_activation", "hidden_size_per_layer_input"),
        "vocab_size_per_layer_input",
        "num_global_key_value_heads",
        *("moe_intermediate_size", "num_experts", "top_k_experts"),
        *("num_kv_shared_layers", "per_layer_config"),
        *("use_double_wide_mlp", "partial_rotary_factor"),
    },
    # Images see both ways, of which there are none.
    only={"use_bidirectional_attention": ("vision",)},
    # Without its settings, the code rotates by ones of its own.
    needs=(("rope_parameters",),),
    defaults={
        **TIED,
        "global_head_dim": 512,
        "sliding_window_pattern": 6,
        "softmax_scale": 1.0,
    },
    layer=_layer,
    scales_by_width=True,
    tensors=_tensors,
)
# Of 12 billion: no layer has an embedding of its own, or experts.
GEMMA_4_UNIFIED = replace(
    GEMMA_4,
    reads=GEMMA_4.reads
    - {
        *("enable_moe_block", "hidden_size_per_layer_input", "moe_intermediate_size"),
        *("num_experts", "top_k_experts", "vocab_size_per_layer_input"),
    },
)
