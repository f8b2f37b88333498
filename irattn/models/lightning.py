"""Layers with lightning attention: how a hybrid model fills them in."""

from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.names import LIGHTNING_HEADS
from irattn.models.state_layer import state_layer_of
from irattn.models.values import Fields
from irattn.specs.lightning_layer import LightningLayerSpec

_SIZES = {"num_heads": LIGHTNING_HEADS, "head_dim": "head_dim"}


def lightning_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> LightningLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    return state_layer_of(
        LightningLayerSpec,
        _SIZES,
        fields,
        style,
        kind,
        batch=batch,
        q_tokens=q_tokens,
        io_dtype=io_dtype,
    )
