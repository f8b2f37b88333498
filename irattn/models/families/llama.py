"""Llama 1 to 3, and what other models call so."""

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

LLAMA = ModelFamily(
    reads=LAYER | {"attention_bias", "mlp_bias"},
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, mlp_bias="mlp_bias"),
    tensors=TensorNames(),
)
