"""Latent attention: DeepSeek V2 and V3, and those that took it over."""

from dataclasses import replace

from irattn.models.families.common import PARTIAL, TIED
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, texts, whole

_SIZES = frozenset(
    {"kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"}
)


def _has_experts(fields: Fields) -> bool:
    """Whether any layer has experts instead of an MLP."""
    kinds = texts(fields, "mlp_layer_types")
    if kinds:
        return "sparse" in kinds
    dense = whole(fields, "first_k_dense_replace") if fields.get("first_k_dense_replace") else 0
    return (dense or 0) < (whole(fields, *LAYERS) or 1)


def _layer(fields: Fields) -> LayerStyle:
    is_interleaved = fields.get("rope_interleave") is not False
    return LayerStyle(
        rope_style="interleaved" if is_interleaved else "rotate_half",
        mlp_bias="mlp_bias",
        experts=_has_experts(fields),
    )


def _plain_layer(fields: Fields) -> LayerStyle:
    return replace(_layer(fields), experts=False)


def _tensors(fields: Fields) -> TensorNames:
    is_narrow = whole(fields, "q_lora_rank") is not None
    return TensorNames(query="self_attn.q_b_proj" if is_narrow else "self_attn.q_proj")


DEEPSEEK_2 = ModelFamily(
    reads=PARTIAL | _SIZES | {"attention_bias", "first_k_dense_replace", "mlp_bias"},
    # The code takes the columns of a head from those of its parts.
    harmless=frozenset({"qk_head_dim"}),
    layer=_layer,
    tensors=_tensors,
    latent=True,
)
DEEPSEEK_3 = replace(DEEPSEEK_2, reads=(DEEPSEEK_2.reads - {"mlp_bias"}) | {"rope_interleave"})
GLM_4_MOE_LITE = replace(
    DEEPSEEK_3, reads=(DEEPSEEK_3.reads - {"first_k_dense_replace"}) | {"mlp_layer_types"}
)
# The settings of its rotation have a temperature of queries, too.
MISTRAL_4 = replace(
    DEEPSEEK_3,
    reads=DEEPSEEK_3.reads | {"llama_4_scaling_beta"},
    # Without them, the code has some of its own.
    needs=(("rope_parameters",),),
)
YOUTU = replace(
    DEEPSEEK_3,
    reads=DEEPSEEK_3.reads - {"first_k_dense_replace"},
    defaults=TIED,
    layer=_plain_layer,
)
