"""ERNIE 4.5, of text: Llama whose rotation turns neighbours."""

from irattn.models.families.common import LAYER, TIED, WHOLE_HEADS, biases
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

ERNIE_4_5 = ModelFamily(
    reads=LAYER | {"use_bias"},
    only=WHOLE_HEADS,
    defaults={**TIED, "rope_theta": 500000.0},
    layer=LayerStyle(**biases("use_bias"), rope_style="interleaved"),
    tensors=TensorNames(),
)
