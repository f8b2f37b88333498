"""Llama 1 to 3, and models of its code under other names."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, NO_WINDOWS, WHOLE_HEADS
from irattn.models.families.family import WINDOW, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

LLAMA = ModelFamily(
    reads=LAYER | {"attention_bias", "mlp_bias"},
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, mlp_bias="mlp_bias"),
    tensors=TensorNames(),
)
# The first three layers of four have windows.
CWM = replace(
    LLAMA,
    reads=(LLAMA.reads - {"attention_bias"}) | WINDOW,
    # Without them, the code has some of its own.
    needs=(("rope_parameters", "rope_scaling"),),
    defaults={"global_attn_every_n_layers": 4, "rope_theta": 1000000.0},
    layer=LayerStyle(mlp_bias="mlp_bias"),
)
INTERNLM_3 = replace(LLAMA, only=WHOLE_HEADS | {"bias": (False,), "qkv_bias": (False,)})
IQUEST_CODER = replace(
    LLAMA,
    only=WHOLE_HEADS | NO_WINDOWS | {"clip_qkv": ()},
    harmless=frozenset({"max_window_layers", "sliding_window"}),
)
# The text of Emu 3, whose file has no word for biases.
EMU_3 = replace(
    LLAMA,
    reads=LLAMA.reads - {"attention_bias", "mlp_bias"},
    defaults={"rope_theta": 1000000.0},
    tensors=TensorNames(bases=("text_model.model.", "model.text_model.", "model.")),
)
# MLPs without a gate.
_UNGATED = LayerStyle(**BIAS, mlp_bias="mlp_bias", gated=False)
ARCEE = replace(
    LLAMA,
    layer=_UNGATED,
    tensors=TensorNames(up="mlp.up_proj"),
)
# Its norms subtract means, too.
JAIS_2 = replace(
    ARCEE,
    reads=(LLAMA.reads - {"rms_norm_eps"}) | {"layer_norm_eps"},
    layer=replace(_UNGATED, norm_kind="layer", norm_bias=True),
)
