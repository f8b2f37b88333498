"""Phi 3 and Phi 4, whose projections are fused in their files."""

from irattn.models.families.common import PARTIAL
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

PHI_3 = ModelFamily(
    reads=PARTIAL | {"sliding_window"},
    # Every layer sees all keys.
    only={"full_attn_mod": (1,)},
    layer=LayerStyle(),
    tensors=TensorNames(qkv=("self_attn.qkv_proj",), gate_up=("mlp.gate_up_proj",)),
)
