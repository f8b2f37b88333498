"""Llama 4, of text: chunks, layers without rotation, norms without weights, and experts."""

from irattn.core.errors import ConfigError
from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle, numbers_of
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, rope_type, section, whole


def _dense(fields: Fields, count: int) -> list[bool]:
    """All layers but those that the file lists, else but the last of every so many."""
    listed = numbers_of(fields, "moe_layers")
    if listed is not None:
        return [number not in listed for number in range(count)]
    every = whole(fields, "interleave_moe_layer_step") or 1
    return [(number + 1) % every != 0 for number in range(count)]


_EXPERTS = ExpertStyle(
    width="intermediate_size",
    scores="sigmoid",
    is_normalized=False,
    has_shared=True,
    scales_input=True,
    dense=_dense,
)


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        **BIAS,
        rope_style="interleaved",
        qk_norm=bool(fields.get("use_qk_norm")),
        qk_norm_weights=False,
        norms_rotated_alone=True,
        experts=None if fields.get("moe_layers") == [] else _EXPERTS,
    )


def _as_read(fields: Fields) -> Fields:
    """The fields of a file; ConfigError for scalings that make heads longer.

    The code norms heads behind the rotation, and so takes that back, where irattn norms before.
    """
    for key in ("rope_parameters", "rope_scaling"):
        settings = section(fields, key)
        name = rope_type(settings)
        # GGUF files have Llama 3's scaling as factors of each frequency, which leave lengths alone.
        is_longer = settings.get("attention_factor") != 1
        if name in ("yarn", "longrope", "su") and is_longer and fields.get("use_qk_norm"):
            raise ConfigError(f"{key}: expected none of {name} beside use_qk_norm")
    return fields


LLAMA_4 = ModelFamily(
    reads=LAYER
    | EXPERT_KEYS
    | {
        *("attention_bias", "attention_chunk_size", "attn_scale", "attn_temperature_tuning"),
        *("floor_scale", "interleave_moe_layer_step", "intermediate_size_mlp", "layer_types"),
        *("moe_layers", "no_rope_layer_interval", "no_rope_layers", "use_qk_norm"),
    },
    only=WHOLE_HEADS,
    defaults={"rope_theta": 500000.0},
    as_read=_as_read,
    layer=_layer,
    tensors=TensorNames(
        gate_up=("feed_forward.gate_proj", "feed_forward.up_proj"),
        down="feed_forward.down_proj",
        router="feed_forward.router",
        expert_gate_up=("feed_forward.experts.gate_up_proj",),
        expert_down="feed_forward.experts.down_proj",
        turned_experts=True,
        shared_gate_up=(
            "feed_forward.shared_expert.gate_proj",
            "feed_forward.shared_expert.up_proj",
        ),
        shared_down="feed_forward.shared_expert.down_proj",
    ),
)
