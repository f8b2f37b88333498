"""Gemma 1 to 3, of text."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, TIED, WHOLE_HEADS
from irattn.models.families.family import WINDOW, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

# The first Gemma's code goes by hidden_act, that of the others by hidden_activation.
_GEMMA = (LAYER - {"hidden_act"}) | {"attention_bias", "hidden_activation"}
_FOUR_NORMS = TensorNames(
    post_norm="post_attention_layernorm",
    mlp_norm="pre_feedforward_layernorm",
    mlp_post_norm="post_feedforward_layernorm",
)

GEMMA = ModelFamily(
    reads=LAYER | {"attention_bias"},
    only=WHOLE_HEADS,
    defaults=TIED,
    # Its first files say `gelu`, and mean the tanh.
    layer=LayerStyle(**BIAS, norm_offset=1.0, gelu="gelu_tanh"),
    scales_by_width=True,
    tensors=TensorNames(),
)
GEMMA_2 = ModelFamily(
    # What the first files say again.
    harmless=frozenset({"sliding_window_size"}),
    reads=_GEMMA
    | WINDOW
    | {"attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar"},
    only=WHOLE_HEADS,
    defaults={
        **TIED,
        "sliding_window_pattern": 2,
    },
    layer=LayerStyle(**BIAS, norm_offset=1.0, post_norm=True),
    scales_by_width=True,
    tensors=_FOUR_NORMS,
)
# Its norms stand before attention and MLP alone.
VAULT_GEMMA = replace(
    GEMMA_2,
    layer=LayerStyle(**BIAS, norm_offset=1.0),
    tensors=TensorNames(mlp_norm="pre_feedforward_layernorm"),
)
GEMMA_3 = ModelFamily(
    reads=_GEMMA
    | WINDOW
    | {
        *("_sliding_window_pattern", "final_logit_softcapping", "query_pre_attn_scalar"),
        *("rope_local_base_freq", "sliding_window_pattern", "use_bidirectional_attention"),
    },
    only=WHOLE_HEADS,
    defaults={
        **TIED,
        "rope_local_base_freq": 10000.0,
        "rope_theta": 1000000.0,
        "sliding_window_pattern": 6,
    },
    layer=LayerStyle(**BIAS, norm_offset=1.0, post_norm=True, qk_norm=True, rotates_by_kind=True),
    scales_by_width=True,
    tensors=_FOUR_NORMS,
)
