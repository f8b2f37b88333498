"""ERNIE 4.5, of text: Llama whose rotation turns neighbours, and the same with experts."""

from irattn.models.families.common import LAYER, TIED, WHOLE_HEADS, biases
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.values import Fields, whole

_FIRST, _LAST, _EVERY = "moe_layer_start_index", "moe_layer_end_index", "moe_layer_interval"


def _dense_around(fields: Fields, count: int) -> list[bool]:
    """All but every so many of the layers from the first to the last; -1 is the model's last."""
    first, every = whole(fields, _FIRST, least=0) or 0, whole(fields, _EVERY) or 1
    last = whole(fields, _LAST, least=-1)
    end = count if last in (None, -1) else last + 1
    return [not (first <= number < end) or (number + 1) % every != 0 for number in range(count)]


ERNIE_4_5 = ModelFamily(
    reads=LAYER | {"use_bias"},
    only=WHOLE_HEADS,
    defaults={**TIED, "rope_theta": 500000.0},
    layer=LayerStyle(**biases("use_bias"), rope_style="interleaved"),
    tensors=TensorNames(),
)
# Those of one MLP for all that is shared, and preferences that are added to shares.
ERNIE_4_5_MOE = ModelFamily(
    reads=LAYER
    | {
        *("moe_intermediate_size", "moe_k", "moe_num_experts", "moe_num_shared_experts"),
        *(_FIRST, _LAST, _EVERY),
    },
    # Biases would be those of what is shared, too; sums of weights are never as small.
    only=WHOLE_HEADS | {"moe_norm_min": (1e-12,), "use_bias": (False,)},
    defaults={**TIED, "rope_theta": 500000.0},
    layer=LayerStyle(
        rope_style="interleaved",
        experts=ExpertStyle(has_choice_bias=True, dense=_dense_around),
    ),
    tensors=TensorNames(
        **SHARED_EXPERTS, choice_bias="mlp.moe_statics.e_score_correction_bias", is_choice_row=True
    ),
)
