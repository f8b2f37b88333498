"""Layers with Mamba 2's state-space step: how a hybrid model fills them in."""

from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.mlp import mlp_of_state_layer
from irattn.models.names import HIDDEN, NORM_EPS
from irattn.models.values import Fields, by_keys, positive, whole
from irattn.specs.state_space_layer import StateSpaceLayerSpec

_SIZES = {
    "num_groups": "mamba_n_groups",
    "num_heads": "mamba_n_heads",
    "state_size": "mamba_d_state",
    "head_dim": "mamba_d_head",
    "kernel": "mamba_d_conv",
}


def state_space_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> StateSpaceLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    sizes: dict[str, Any] = {}
    for name, key in {"hidden_size": HIDDEN[0], **_SIZES}.items():
        size = whole(fields, key)
        if size is None:
            raise ConfigError(f"{key}: missing")
        sizes[name] = size
    return by_keys(
        StateSpaceLayerSpec,
        _SIZES,
        **sizes,
        batch=batch,
        q_tokens=q_tokens,
        has_conv_bias=bool(fields.get("mamba_conv_bias")),
        norm_eps=positive(fields, *NORM_EPS) or 1e-6,
        norm_offset=style.norm_offset,
        **mlp_of_state_layer(fields, style, kind),
        io_dtype=io_dtype,
    )
