"""Qwen 2 and Qwen 3, and the attention half of their mixtures of experts."""

from irattn.models.families.common import BIAS, LAYER, LISTED, NO_WINDOWS, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

_QWEN = LISTED | {"max_window_layers", "use_sliding_window"}

QWEN_2 = ModelFamily(
    reads=_QWEN,
    only=WHOLE_HEADS,
    layer=LayerStyle(qkv_bias=True),
    tensors=TensorNames(),
)
QWEN_2_MOE = ModelFamily(
    reads=LAYER,
    only=WHOLE_HEADS | NO_WINDOWS,
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    layer=LayerStyle(qkv_bias=True, experts=True),
)
QWEN_3 = ModelFamily(
    reads=_QWEN | {"attention_bias"},
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, qk_norm=True),
    tensors=TensorNames(),
)
QWEN_3_MOE = ModelFamily(
    reads=LAYER | {"attention_bias"},
    only=WHOLE_HEADS | NO_WINDOWS,
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    layer=LayerStyle(**BIAS, qk_norm=True, experts=True),
)
