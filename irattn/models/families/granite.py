"""Granite 3 and 4, dense: scaled embeddings, residuals and logits."""

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

GRANITE = ModelFamily(
    reads=LAYER
    | {
        *("attention_bias", "attention_multiplier", "embedding_multiplier", "logits_scaling"),
        *("mlp_bias", "residual_multiplier"),
    },
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, mlp_bias="mlp_bias", residual_scale="residual_multiplier"),
    tensors=TensorNames(),
)
