"""OLMo 1, with norms without weights; OLMo 2 and 3, OLMoE and FlexOlmo, with more of them."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

OLMO = ModelFamily(
    reads=(LAYER - {"rms_norm_eps"}) | {"attention_bias"},
    # Of queries, keys and values.
    only=WHOLE_HEADS | {"clip_qkv": ()},
    defaults={"layer_norm_eps": 1e-5},
    layer=LayerStyle(**BIAS, norm_kind="layer"),
    tensors=TensorNames(has_norm_weights=False),
)
OLMO_2 = ModelFamily(
    reads=LAYER | {"attention_bias"},
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, pre_norm=False, post_norm=True, qk_norm=True, joint_qk_norm=True),
    tensors=TensorNames(
        post_norm="post_attention_layernorm", mlp_post_norm="post_feedforward_layernorm"
    ),
)
OLMO_3 = replace(
    OLMO_2,
    reads=LISTED | {"attention_bias"},
    defaults={"sliding_window_pattern": 4},
    layer=LayerStyle(
        **BIAS,
        pre_norm=False,
        post_norm=True,
        qk_norm=True,
        joint_qk_norm=True,
        scales_windows=False,
        rotates_by_kind=True,
    ),
)
_EXPERTS = ExpertStyle(width="intermediate_size", is_normalized="norm_topk_prob")
OLMOE = replace(
    OLMO_2,
    reads=OLMO_2.reads | EXPERT_KEYS,
    # Of queries, keys and values.
    only=WHOLE_HEADS | {"clip_qkv": ()},
    layer=LayerStyle(**BIAS, qk_norm=True, joint_qk_norm=True, experts=_EXPERTS),
    tensors=TensorNames(),
)
FLEX_OLMO = replace(
    OLMO_2,
    reads=OLMO_2.reads | EXPERT_KEYS,
    defaults={"rope_theta": 500000.0},
    layer=LayerStyle(
        **BIAS, pre_norm=False, post_norm=True, qk_norm=True, joint_qk_norm=True, experts=_EXPERTS
    ),
)
