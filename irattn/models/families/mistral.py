"""Mistral, Ministral and Ministral 3, and the attention half of Mixtral."""

from irattn.models.families.common import LAYER, LISTED, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

MISTRAL = ModelFamily(
    reads=LAYER | {"sliding_window"},
    only=WHOLE_HEADS,
    layer=LayerStyle(),
    tensors=TensorNames(),
)
MINISTRAL = ModelFamily(
    reads=LISTED,
    only=WHOLE_HEADS,
    layer=LayerStyle(),
    tensors=TensorNames(),
)
# The settings of its rotation have a temperature of queries, too.
MINISTRAL_3 = ModelFamily(
    reads=LAYER | {"llama_4_scaling_beta", "sliding_window"},
    only=WHOLE_HEADS,
    # Without them, the code has some of its own.
    needs=(("rope_parameters",),),
    layer=LayerStyle(),
    tensors=TensorNames(),
)
MIXTRAL = ModelFamily(
    reads=LAYER | {"sliding_window"},
    only=WHOLE_HEADS,
    defaults={
        "rope_theta": 1000000.0,
    },
    layer=LayerStyle(experts=True),
)
