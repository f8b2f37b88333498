"""GPT-OSS: the attention half of its layers."""

from irattn.models.families.common import BIAS, LISTED, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily

GPT_OSS = ModelFamily(
    reads=LISTED | {"attention_bias"},
    only=WHOLE_HEADS,
    # Without its settings, the code scales positions by ones of its own.
    needs=(("rope_parameters", "rope_scaling"),),
    defaults={
        "rope_theta": 150000.0,
        "sliding_window_pattern": 2,
        # Of its weights outside of the experts; the files do not say.
        "torch_dtype": "bfloat16",
    },
    sinks=True,
    layer=LayerStyle(**BIAS, experts=True),
)
