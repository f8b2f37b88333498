"""Layers with gated delta nets: how a hybrid model fills them in."""

from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.state_layer import state_layer_of
from irattn.models.values import Fields, whole
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
    return state_layer_of(
        DeltaLayerSpec,
        _SIZES,
        fields,
        style,
        kind,
        batch=batch,
        q_tokens=q_tokens,
        io_dtype=io_dtype,
        gated_norm_eps=style.gated_norm_eps,
        gate_rank=whole(fields, _SIZES["value_dim"]) if style.has_channel_gates else None,
        doubles_shares=bool(fields.get("linear_allow_neg_eigval")),
    )
