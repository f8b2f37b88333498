"""Layers with Mamba 2's state-space step: how a hybrid model fills them in."""

from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.names import STATE_SPACE_HEADS
from irattn.models.state_layer import state_layer_of
from irattn.models.values import Fields, key_of
from irattn.specs.state_space_layer import StateSpaceLayerSpec

# Bamba's keys, Zamba 2's, Nemotron-H's, and Mamba 2's.
_SIZES = {
    "num_groups": ("mamba_n_groups", "mamba_ngroups", "n_groups"),
    "num_heads": STATE_SPACE_HEADS,
    "state_size": ("mamba_d_state", "ssm_state_size", "state_size"),
    "head_dim": ("mamba_d_head", "mamba_headdim", "mamba_head_dim", "head_dim"),
    "kernel": ("mamba_d_conv", "conv_kernel"),
}
_CONV_BIAS = ("mamba_conv_bias", "use_conv_bias")


def state_space_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> StateSpaceLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    return state_layer_of(
        StateSpaceLayerSpec,
        {name: _key(fields, keys) for name, keys in _SIZES.items()},
        fields,
        style,
        kind,
        batch=batch,
        q_tokens=q_tokens,
        io_dtype=io_dtype,
        has_residual_input=style.steps_beside or style.reads_embedded,
        skips_group_norm=not style.has_group_norm,
        has_conv_bias=bool(fields.get(key_of(fields, *_CONV_BIAS))),
    )


def _key(fields: Fields, keys: tuple[str, ...]) -> str:
    """The first of some keys that the file has, set or not: `head_dim` may be attention's."""
    return next((key for key in keys if key in fields), keys[0])
