"""Layers with Mamba 2's state-space step: how a hybrid model fills them in."""

from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.state_layer import state_layer_of
from irattn.models.values import Fields
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
    return state_layer_of(
        StateSpaceLayerSpec,
        _SIZES,
        fields,
        style,
        kind,
        batch=batch,
        q_tokens=q_tokens,
        io_dtype=io_dtype,
        has_conv_bias=bool(fields.get("mamba_conv_bias")),
    )
