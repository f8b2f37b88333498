"""Layers with Mamba 1's selective scan: how a model fills them in."""

from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.names import NORM_EPS, SCAN_CHANNELS, SCAN_RANK
from irattn.models.state_layer import state_layer_of
from irattn.models.values import Fields, key_of, positive
from irattn.specs.selective_scan_layer import SelectiveScanLayerSpec

# Jamba's keys, and Mamba's.
_SIZES = {
    "channels": (SCAN_CHANNELS,),
    "rank": SCAN_RANK,
    "state_size": ("mamba_d_state", "state_size"),
    "kernel": ("mamba_d_conv", "conv_kernel"),
}
_CONV_BIAS = ("mamba_conv_bias", "use_conv_bias")
# Falcon Mamba's; Jamba has one for all norms.
_STEP_NORM_EPS = ("mixer_rms_eps", *NORM_EPS)


def selective_scan_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> SelectiveScanLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    step_norm_eps = (positive(fields, *_STEP_NORM_EPS) or 1e-6) if style.norms_steps else None
    return state_layer_of(
        SelectiveScanLayerSpec,
        {name: key_of(fields, *keys) for name, keys in _SIZES.items()},
        fields,
        style,
        kind,
        batch=batch,
        q_tokens=q_tokens,
        io_dtype=io_dtype,
        step_norm_eps=step_norm_eps,
        has_conv_bias=bool(fields.get(key_of(fields, *_CONV_BIAS))),
    )
