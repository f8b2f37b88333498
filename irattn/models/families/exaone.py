"""EXAONE 4 and K-EXAONE: norms of heads, and a rotation in layers with windows alone."""

from dataclasses import replace

from irattn.models.families.common import LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, GROUP_KEYS, ExpertStyle, dense_first
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
    experts = ExpertStyle(
        scores="sigmoid", is_normalized="norm_topk_prob", has_choice_bias=True, dense=dense_first
    )
    return replace(_attention(fields), experts=experts)


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
