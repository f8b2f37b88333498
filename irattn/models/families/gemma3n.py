"""Gemma 3n, of text: hidden states beside one another, learned residuals, sparse gates."""

from irattn.models.families.common import BIAS, LISTED, TIED, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import (
    LaurelNames,
    LayerInputNames,
    StreamNames,
    TensorNames,
)

GEMMA_3N = ModelFamily(
    reads=(LISTED - {"hidden_act", "rope_scaling"})
    | {
        *("activation_sparsity_pattern", "altup_active_idx", "altup_correct_scale"),
        *("altup_num_inputs", "attention_bias", "final_logit_softcapping", "hidden_activation"),
        *("hidden_size_per_layer_input", "laurel_rank", "num_kv_shared_layers"),
        *("rope_local_base_freq", "vocab_size_per_layer_input"),
    },
    # Of training; and its code has no scale of logits.
    harmless=frozenset({"altup_coef_clip", "altup_lr_multiplier", "query_pre_attn_scalar"}),
    # Of old settings irattn does not know which layers the code scales by them.
    only=WHOLE_HEADS | {"rope_scaling": ()},
    defaults={
        **TIED,
        "activation_sparsity_pattern": 0.95,
        "rope_local_base_freq": 10000.0,
        "rope_theta": 1000000.0,
        "sliding_window_pattern": 5,
        "softmax_scale": 1.0,
    },
    layer=LayerStyle(
        **BIAS,
        post_norm=True,
        qk_norm=True,
        value_norm=True,
        has_layer_input=True,
        has_streams=True,
        rotates_by_kind=True,
    ),
    scales_by_width=True,
    tensors=TensorNames(
        post_norm="post_attention_layernorm",
        mlp_norm="pre_feedforward_layernorm",
        mlp_post_norm="post_feedforward_layernorm",
        layer_input=LayerInputNames(),
        laurel=LaurelNames(),
        streams=StreamNames(),
    ),
)
