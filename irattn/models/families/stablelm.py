"""StableLM: layer norms, partial rotation, and the MLP beside attention in some."""

from irattn.models.families.common import PARTIAL
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        qkv_bias="use_qkv_bias",
        norm_kind="layer",
        norm_bias=True,
        parallel_mlp="shared_norm" if fields.get("use_parallel_residual") else None,
    )


STABLELM = ModelFamily(
    # The code divides the width by the heads.
    reads=(PARTIAL - {"head_dim", "rms_norm_eps"})
    | {"layer_norm_eps", "use_parallel_residual", "use_qkv_bias"},
    # Norms of queries and keys would have weights for each head.
    only={"qk_layernorm": (False,), "rotary_scaling_factor": (1, 1.0)},
    defaults={"partial_rotary_factor": 0.25},
    layer=_layer,
    tensors=TensorNames(),
)
