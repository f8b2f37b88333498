"""Qwen 2 and Qwen 3, dense and with experts, and Mellum 2."""

from irattn.models.families.common import BIAS, LAYER, LISTED, NO_WINDOWS, WHOLE_HEADS
from irattn.models.families.expert_style import (
    EXPERT_KEYS,
    SPARSE_KEYS,
    ExpertStyle,
    dense_between,
    dense_first,
)
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
    reads=LAYER | EXPERT_KEYS | SPARSE_KEYS | {"shared_expert_intermediate_size"},
    only=WHOLE_HEADS | NO_WINDOWS | {"qkv_bias": (True,)},
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    layer=LayerStyle(
        qkv_bias=True,
        experts=ExpertStyle(
            is_normalized="norm_topk_prob",
            shared_size="shared_expert_intermediate_size",
            has_shared_gate=True,
            dense=dense_between,
        ),
    ),
    tensors=TensorNames(),
)
QWEN_3 = ModelFamily(
    reads=_QWEN | {"attention_bias"},
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, qk_norm=True),
    tensors=TensorNames(),
)
QWEN_3_MOE = ModelFamily(
    reads=LAYER | EXPERT_KEYS | SPARSE_KEYS | {"attention_bias"},
    only=WHOLE_HEADS | NO_WINDOWS,
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        experts=ExpertStyle(is_normalized="norm_topk_prob", dense=dense_between),
    ),
    tensors=TensorNames(),
)
# JetBrains' second: Qwen 3's layers with windows, whose rotation is another.
MELLUM = ModelFamily(
    reads=LISTED | EXPERT_KEYS | {"attention_bias", "mlp_layer_types"},
    only=WHOLE_HEADS,
    # Without them, the code has some of its own.
    needs=(("layer_types",), ("rope_parameters",)),
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        rotates_by_kind=True,
        experts=ExpertStyle(is_normalized="norm_topk_prob", dense=dense_first),
    ),
    tensors=TensorNames(),
)
