"""Llama 4, of text: chunks, layers without rotation, and norms of heads without weights."""

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, whole


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        **BIAS,
        rope_style="interleaved",
        qk_norm=bool(fields.get("use_qk_norm")),
        qk_norm_weights=False,
        norms_rotated_alone=True,
        has_other_experts=_has_experts(fields),
    )


def _has_experts(fields: Fields) -> bool:
    """Whether a layer has experts: those that the file lists, else the last of every so many."""
    listed = fields.get("moe_layers")
    if listed is not None:
        return bool(listed)
    every = whole(fields, "interleave_moe_layer_step") or 1
    return every <= (whole(fields, *LAYERS) or every)


LLAMA_4 = ModelFamily(
    reads=LAYER
    | {
        *("attention_bias", "attention_chunk_size", "attn_scale", "attn_temperature_tuning"),
        *("floor_scale", "interleave_moe_layer_step", "intermediate_size_mlp", "layer_types"),
        *("moe_layers", "no_rope_layer_interval", "no_rope_layers", "use_qk_norm"),
    },
    only=WHOLE_HEADS,
    defaults={"rope_theta": 500000.0},
    layer=_layer,
    tensors=TensorNames(
        gate_up=("feed_forward.gate_proj", "feed_forward.up_proj"), down="feed_forward.down_proj"
    ),
)
