"""Lara 4 Mini: delta nets, layers with windows and such that see all keys unrotated, experts."""

from dataclasses import replace

from irattn.models.families.common import BIAS, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle
from irattn.models.families.qwen_hybrid import QWEN_3_5
from irattn.models.families.state_tensor_names import DeltaNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, texts, whole

_LINEAR, _SLIDING = "linear_attention", "sliding_attention"
_PATTERN = (_LINEAR, _SLIDING, _LINEAR, "full_attention", _SLIDING)


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with the kinds of layers that it lacks."""
    count = whole(fields, *LAYERS)
    if texts(fields, "layer_types") or not count:
        return fields
    kinds = [_PATTERN[number % len(_PATTERN)] for number in range(count)]
    return {**fields, "layer_types": kinds}


LARA_MINI = replace(
    QWEN_3_5,
    reads=(QWEN_3_5.reads - {"full_attention_interval", "partial_rotary_factor"})
    | EXPERT_KEYS
    | {"shared_expert_intermediate_size", "sliding_window"},
    harmless=frozenset(),
    only=WHOLE_HEADS,
    needs=(("layer_types", *LAYERS),),
    defaults={},
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        rotates_windows_alone=True,
        experts=ExpertStyle(
            is_normalized="norm_topk_prob", shared_size="shared_expert_intermediate_size"
        ),
    ),
    tensors=TensorNames(
        delta=DeltaNames(
            qkv=("linear_attn.in_proj",),
            gate=("linear_attn.in_proj",),
            rates=("linear_attn.in_proj",),
            is_joined=True,
            norm="linear_attn.out_norm",
        ),
    ),
    as_read=_as_read,
)
