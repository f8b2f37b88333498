"""Flint: sinks and norms of heads, rotation in layers with windows alone, and experts."""

from irattn.models.families.common import BIAS, LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import (
    EXPERT_KEYS,
    SPARSE_KEYS,
    ExpertStyle,
    dense_between,
)
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, texts, whole


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with the lists of layers that it lacks: the first two are dense."""
    own = dict(fields)
    count = whole(fields, *LAYERS)
    if not texts(fields, "layer_types") and count:
        own["layer_types"] = [_kind(number, count) for number in range(count)]
    if fields.get("mlp_only_layers") is None:
        own["mlp_only_layers"] = [0, 1]
    return own


def _kind(number: int, count: int) -> str:
    """All keys are seen in the first two layers, in one of four, and in the last."""
    sees_all = number < 2 or number % 4 == 1 or number == count - 1
    return "full_attention" if sees_all else "sliding_attention"


FLINT = ModelFamily(
    reads=LISTED
    | EXPERT_KEYS
    | SPARSE_KEYS
    | {"attention_bias", "shared_expert_intermediate_size"},
    only=WHOLE_HEADS,
    needs=(("layer_types", *LAYERS),),
    sinks=True,
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        rotates_windows_alone=True,
        experts=ExpertStyle(
            scores="sigmoid",
            is_normalized="norm_topk_prob",
            shared_size="shared_expert_intermediate_size",
            dense=dense_between,
        ),
    ),
    tensors=TensorNames(sinks="self_attn.softmax_offset"),
    as_read=_as_read,
)
