"""EXAONE 3 is Llama by other names. EXAONE 4 and K-EXAONE have norms of heads.

Their layers with windows alone rotate.
"""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import DEEPSEEK_3_EXPERTS, EXPERT_KEYS, GROUP_KEYS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.olmo import OLMO_2
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.values import Fields


def _attention(fields: Fields) -> LayerStyle:
    """Attention of both, whose models without windows rotate all layers."""
    return LayerStyle(qk_norm=True, rotates_windows_alone=fields.get("sliding_window") is not None)


def _layer(fields: Fields) -> LayerStyle:
    return replace(_attention(fields), pre_norm=False, post_norm=True)


def _layer_with_experts(fields: Fields) -> LayerStyle:
    experts = DEEPSEEK_3_EXPERTS
    return replace(_attention(fields), experts=experts)


EXAONE_3 = ModelFamily(
    reads=LAYER
    | {"activation_function", "attention_bias", "layer_norm_epsilon", "mlp_bias", "num_layers"},
    only=WHOLE_HEADS,
    defaults={"rope_theta": 500000.0},
    layer=LayerStyle(**BIAS, mlp_bias="mlp_bias"),
    tensors=TensorNames(
        bases=("transformer.",),
        embedding="wte",
        norm="ln_f",
        layer="h.{number}.",
        attention_norm="ln_1",
        qkv=tuple(f"attn.attention.{name}_proj" for name in "qkv"),
        output="attn.attention.out_proj",
        mlp_norm="ln_2",
        gate_up=("mlp.c_fc_0", "mlp.c_fc_1"),
        down="mlp.c_proj",
    ),
)
EXAONE_4 = ModelFamily(
    reads=LISTED | {"sliding_window_pattern"},
    only=WHOLE_HEADS,
    layer=_layer,
    tensors=OLMO_2.tensors,
)
EXAONE_MOE = replace(
    EXAONE_4,
    reads=EXAONE_4.reads | EXPERT_KEYS | GROUP_KEYS | {"mlp_layer_types", "num_shared_experts"},
    layer=_layer_with_experts,
    tensors=TensorNames(choice_bias="mlp.e_score_correction_bias", **SHARED_EXPERTS),
)
