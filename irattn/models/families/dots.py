"""dots.llm1: Qwen 3's attention, and DeepSeek 3's experts."""

from irattn.models.families.common import BIAS, LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import DEEPSEEK_3_EXPERTS, EXPERT_KEYS, GROUP_KEYS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames

DOTS_1 = ModelFamily(
    reads=LISTED | EXPERT_KEYS | GROUP_KEYS | {"attention_bias", "max_window_layers"},
    only=WHOLE_HEADS,
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        experts=DEEPSEEK_3_EXPERTS,
    ),
    tensors=TensorNames(**SHARED_EXPERTS),
)
