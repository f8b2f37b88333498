"""GPT-OSS: sinks, and experts with a SwiGLU of their own."""

from irattn.models.families.common import BIAS, LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

GPT_OSS = ModelFamily(
    reads=LISTED | EXPERT_KEYS | {"attention_bias"},
    only=WHOLE_HEADS | {"swiglu_alpha": (1.702,), "swiglu_limit": (7, 7.0)},
    # Without its settings, the code scales positions by ones of its own.
    needs=(("rope_parameters", "rope_scaling"),),
    defaults={
        "rope_theta": 150000.0,
        "sliding_window_pattern": 2,
        # Of its weights outside of the experts; the files do not say.
        "torch_dtype": "bfloat16",
    },
    sinks=True,
    layer=LayerStyle(**BIAS, experts=ExpertStyle(width="intermediate_size", is_clamped=True)),
    tensors=TensorNames(
        router="mlp.router",
        expert_gate_up=("mlp.experts.gate_up_proj",),
        expert_down="mlp.experts.down_proj",
        turned_experts=True,
        have_pairs=True,
    ),
)
