"""Layers with gated delta nets: how a hybrid model fills them in."""

from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.mlp import mlp_of_state_layer
from irattn.models.names import HIDDEN, NORM_EPS
from irattn.models.values import Fields, by_keys, positive, whole
from irattn.specs.delta_layer import DeltaLayerSpec

_SIZES = {
    "num_k_heads": "linear_num_key_heads",
    "num_v_heads": "linear_num_value_heads",
    "key_dim": "linear_key_head_dim",
    "value_dim": "linear_value_head_dim",
    "kernel": "linear_conv_kernel_dim",
}


def delta_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> DeltaLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    sizes: dict[str, Any] = {}
    for name, key in {"hidden_size": HIDDEN[0], **_SIZES}.items():
        size = whole(fields, key)
        if size is None:
            raise ConfigError(f"{key}: missing")
        sizes[name] = size
    return by_keys(
        DeltaLayerSpec,
        _SIZES,
        **sizes,
        batch=batch,
        q_tokens=q_tokens,
        norm_eps=positive(fields, *NORM_EPS) or 1e-6,
        norm_offset=style.norm_offset,
        gated_norm_eps=style.gated_norm_eps,
        doubles_shares=bool(fields.get("linear_allow_neg_eigval")),
        **mlp_of_state_layer(fields, style, kind),
        io_dtype=io_dtype,
    )
