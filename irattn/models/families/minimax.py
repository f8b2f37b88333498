"""MiniMax M2: experts chosen by sigmoids, norms over all heads of a token, partial rotation."""

from irattn.models.families.common import PARTIAL
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.mistral import MIXTRAL_TENSORS

MINIMAX_M2 = ModelFamily(
    reads=PARTIAL | EXPERT_KEYS | {"rotary_dim"},
    only={"use_qk_norm": (True,), "qk_norm_type": ("per_layer",), "use_routing_bias": (True,)},
    # Factors of residuals, and of experts.
    harmless=frozenset(
        {
            *("layernorm_full_attention_beta", "layernorm_linear_attention_beta"),
            *("layernorm_mlp_beta", "shared_moe_mode"),
        }
    ),
    defaults={"rope_theta": 5000000.0},
    layer=LayerStyle(
        qk_norm=True,
        joint_qk_norm=True,
        experts=ExpertStyle(width="intermediate_size", scores="sigmoid", has_choice_bias=True),
    ),
    tensors=MIXTRAL_TENSORS,
)
