"""The sizes of gated delta nets in GGUF files, whose keys are Mamba's elsewhere."""

from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.gguf.said import Said

_INNER, _HEADS, _LAYERS = "ssm.inner_size", "ssm.time_step_rank", "attention.recurrent_layers"


def delta_fields(said: Said, layers: int) -> dict[str, Any]:
    """The columns of a head's values, and the kinds of layers where the file lists them."""
    values, heads = said.needed(_INNER), said.needed(_HEADS)
    if values % heads:
        raise ConfigError(
            f"{said.named(_INNER)}: expected a multiple of the {heads} heads, got {values}"
        )
    fields: dict[str, Any] = {"linear_value_head_dim": values // heads}
    listed = said.value(_LAYERS)
    if listed is None:
        return fields
    if not isinstance(listed, list) or len(listed) < layers:
        raise ConfigError(
            f"{said.named(_LAYERS)}: expected one for each of the {layers} layers, got "
            f"{shown(listed)}"
        )
    kinds = ("full_attention", "linear_attention")
    return {**fields, "layer_types": [kinds[bool(one)] for one in listed[:layers]]}
