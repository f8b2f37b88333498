"""Nemotron 4: layer norms whose weights lack 1, partial rotation, and an MLP without a gate."""

from irattn.models.families.common import BIAS, PARTIAL
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

NEMOTRON = ModelFamily(
    reads=(PARTIAL - {"rms_norm_eps"}) | {"attention_bias", "mlp_bias", "norm_eps"},
    defaults={"partial_rotary_factor": 0.5},
    layer=LayerStyle(**BIAS, mlp_bias="mlp_bias", norm_kind="layer", norm_bias=True, gated=False),
    tensors=TensorNames(norm_plus=1.0, up="mlp.up_proj"),
)
