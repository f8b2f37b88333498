"""Layers that keep states: what a hybrid model fills in, whatever the states are."""

from collections.abc import Mapping
from typing import Any, TypeVar

from irattn.core.errors import ConfigError
from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.mlp import mlp_of_state_layer
from irattn.models.names import HIDDEN, NORM_EPS
from irattn.models.values import Fields, by_keys, positive, whole
from irattn.specs.state_layer import StateLayer

_Layer = TypeVar("_Layer", bound=StateLayer)


def state_layer_of(
    layer: type[_Layer],
    keys: Mapping[str, str],
    fields: Fields,
    style: LayerStyle,
    kind: LayerKind,
    **own: Any,
) -> _Layer:
    """The layer whose sizes the file has by these `keys`, with what is its `own` besides."""
    sizes: dict[str, Any] = {}
    for name, key in {"hidden_size": HIDDEN[0], **keys}.items():
        size = whole(fields, key)
        if size is None:
            raise ConfigError(f"{key}: missing")
        sizes[name] = size
    return by_keys(
        layer,
        keys,
        **sizes,
        **own,
        norm_eps=positive(fields, *NORM_EPS) or 1e-6,
        norm_offset=style.norm_offset,
        residual_scale=style.residual_scale and positive(fields, style.residual_scale),
        **mlp_of_state_layer(fields, style, kind),
    )
