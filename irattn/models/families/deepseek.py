"""Latent attention: DeepSeek V2 and V3, and those that took it over."""

from dataclasses import replace

from irattn.models.families.common import PARTIAL, TIED
from irattn.models.families.expert_style import (
    DEEPSEEK_3_EXPERTS,
    EXPERT_KEYS,
    GROUP_KEYS,
    ExpertStyle,
    dense_first,
)
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.values import Fields, whole

LATENT_SIZES = frozenset(
    {"kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"}
)


_EXPERTS = EXPERT_KEYS | GROUP_KEYS


def _layer(fields: Fields) -> LayerStyle:
    """DeepSeek 3's layer: of its experts' scores each is a sigmoid."""
    is_interleaved = bool(fields.get("rope_interleave", True))
    return LayerStyle(
        rope_style="interleaved" if is_interleaved else "rotate_half",
        experts=DEEPSEEK_3_EXPERTS,
    )


def _layer_2(fields: Fields) -> LayerStyle:
    """DeepSeek 2's: groups have an effect where the file says that they limit the choice."""
    experts = ExpertStyle(
        is_normalized=False,
        has_groups=fields.get("topk_method") == "group_limited_greedy",
        dense=dense_first,
    )
    return replace(_layer(fields), experts=experts)


def _layer_of_mistral(fields: Fields) -> LayerStyle:
    experts = ExpertStyle(is_normalized="norm_topk_prob", dense=dense_first)
    return replace(_layer(fields), experts=experts)


def _plain_layer(fields: Fields) -> LayerStyle:
    return replace(_layer(fields), experts=None)


def latent_tensors(fields: Fields) -> TensorNames:
    """The names of tensors, of which queries have one more where they have a latent, too."""
    is_narrow = whole(fields, "q_lora_rank") is not None
    return TensorNames(
        query="self_attn.q_b_proj" if is_narrow else "self_attn.q_proj",
        **SHARED_EXPERTS,
    )


DEEPSEEK_2 = ModelFamily(
    reads=PARTIAL | LATENT_SIZES | _EXPERTS | {"attention_bias", "topk_method"},
    # Experts that are shared would have biases, too.
    only={"mlp_bias": (False,), "moe_layer_freq": (1,), "scoring_func": ("softmax",)},
    # The code takes the columns of a head from those of its parts.
    harmless=frozenset({"qk_head_dim"}),
    layer=_layer_2,
    tensors=latent_tensors,
    latent=True,
)
DEEPSEEK_3 = replace(
    DEEPSEEK_2,
    reads=(DEEPSEEK_2.reads - {"topk_method"}) | {"rope_interleave"},
    only={"moe_layer_freq": (1,), "scoring_func": ("sigmoid",)},
    layer=_layer,
)
# DeepSeek's code under another name. Its own class and that of DeepSeek in transformers fill in
# different values, but for one.
KIMI_2 = replace(
    DEEPSEEK_3,
    defaults={"q_lora_rank": 1536},
    needs=tuple(
        (key,)
        for key in (
            *("first_k_dense_replace", "n_group", "n_shared_experts", "norm_topk_prob"),
            *("routed_scaling_factor", "topk_group"),
        )
    ),
)
GLM_4_MOE_LITE = replace(
    DEEPSEEK_3,
    reads=(DEEPSEEK_3.reads - {"first_k_dense_replace"}) | {"mlp_layer_types"},
    # The code has an MLP in the first layer alone, unless the file lists the layers.
    only={**DEEPSEEK_3.only, "first_k_dense_replace": (1,)},
    defaults={"first_k_dense_replace": 1},
)
# Sparse attention, which shows all keys of a sequence of at most `index_topk` tokens: so longer
# ones are refused, and what chooses among keys has no effect.
DEEPSEEK_3_2 = replace(
    DEEPSEEK_3,
    # The code has as many rotated columns as it says, whatever head_dim a file has.
    reads=(DEEPSEEK_3.reads - {"head_dim", "rope_interleave"}) | {"index_topk", "mlp_layer_types"},
    only={
        **DEEPSEEK_3.only,
        "layer_types": ("full_attention", "indexed_attention"),
        "rope_interleave": (True,),
    },
    harmless=DEEPSEEK_3.harmless
    | {
        *("head_dim", "index_head_dim", "index_n_heads", "index_skip_topk_offset"),
        *("index_topk_freq", "index_topk_pattern", "indexer_rope_interleave", "indexer_types"),
    },
    defaults={"first_k_dense_replace": 3},
)
# The settings of its rotation have a temperature of queries, too.
MISTRAL_4 = replace(
    DEEPSEEK_3,
    reads=(DEEPSEEK_3.reads - {"n_group", "topk_group"}) | {"llama_4_scaling_beta"},
    # Its code scores groups in a way of its own.
    only={"n_group": (1,)},
    # Without them, the code has some of its own.
    needs=(("rope_parameters",),),
    layer=_layer_of_mistral,
)
YOUTU = replace(
    DEEPSEEK_3,
    reads=DEEPSEEK_3.reads - _EXPERTS,
    defaults=TIED,
    layer=_plain_layer,
)
