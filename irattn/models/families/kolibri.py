"""Kolibri 1: norms on both sides of attention and experts, which biases of logits choose."""

from irattn.models.families.common import LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, texts, whole

_EVERY = 5


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with the kinds of layers that it lacks: the last of five sees all."""
    count = whole(fields, *LAYERS)
    if texts(fields, "layer_types") or not count:
        return fields
    kinds = ("full_attention", *["sliding_attention"] * (_EVERY - 1))
    return {**fields, "layer_types": [kinds[(n + 1) % _EVERY] for n in range(count)]}


def _layer(fields: Fields) -> LayerStyle:
    """A layer, all of which rotate where the model has no window."""
    return LayerStyle(
        qk_norm=True,
        post_norm=True,
        rotates_windows_alone=fields.get("sliding_window") is not None,
        experts=ExpertStyle(
            scores="sigmoid",
            is_normalized="norm_topk_prob",
            has_choice_bias=True,
            biases_logits=True,
            shared_size="shared_expert_intermediate_size",
        ),
    )


KOLIBRI_1 = ModelFamily(
    reads=(LISTED - {"intermediate_size"}) | EXPERT_KEYS | {"shared_expert_intermediate_size"},
    only=WHOLE_HEADS | {"attention_bias": (False,)},
    # The code has experts in all layers.
    harmless=frozenset({"intermediate_size"}),
    needs=(("layer_types", *LAYERS),),
    layer=_layer,
    tensors=TensorNames(
        post_norm="post_attn_norm",
        mlp_post_norm="post_ffn_norm",
        choice_bias="moe.router.expert_bias",
        **SHARED_EXPERTS,
    ),
    as_read=_as_read,
)
