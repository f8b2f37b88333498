"""Granite with windows and sinks, dense and with experts, whose layers say if they rotate."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.family import WINDOW
from irattn.models.families.granite import GRANITE, GRANITE_MOE_SHARED
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, positive_or_off

_THETAS = "layer_rope_theta"


def _with_one_theta(fields: Fields) -> Fields:
    """The fields of a file whose thetas of layers are the model's, and 0 where none rotates."""
    own = {key: value for key, value in fields.items() if key != _THETAS}
    if (given := fields.get(_THETAS)) is None:
        return own
    if not isinstance(given, list):
        raise ConfigError(f"{_THETAS}: expected a theta for each layer, got {shown(given)}")
    thetas = [positive_or_off({_THETAS: theta}, _THETAS) for theta in given]
    own["no_rope_layers"] = [1 if theta else 0 for theta in thetas]
    if len(others := {theta for theta in thetas if theta}) > 1:
        raise ConfigError(
            f"{_THETAS}: expected one theta, or 0, for all layers, got {shown(sorted(others))}"
        )
    return {**own, **_with_theta(own, others.pop())} if others else own


def _with_theta(fields: Fields, theta: float) -> dict[str, Any]:
    """The theta, in the place of all that a file says."""
    given = {key: fields.get(key) for key in ("rope_parameters", "rope_scaling")}
    settings = {key: value for key, value in given.items() if isinstance(value, Mapping)}
    own = {key: {**value, "rope_theta": theta} for key, value in settings.items()}
    return {"rope_theta": theta, **own}


_OWN: dict[str, Any] = {
    "as_read": _with_one_theta,
    # The first of four layers sees all keys.
    "defaults": {"global_attn_every_n_layers": 4},
    "sinks": True,
}
GRANITE_SWA = replace(GRANITE, reads=GRANITE.reads | WINDOW | {_THETAS}, **_OWN)
GRANITE_MOE_SWA = replace(
    GRANITE_MOE_SHARED,
    reads=GRANITE_MOE_SHARED.reads | WINDOW | {_THETAS},
    tensors=TensorNames(
        router="block_sparse_moe.router",
        expert_gate_up=("block_sparse_moe.experts.gate_up_proj",),
        expert_down="block_sparse_moe.experts.down_proj",
        shared_gate_up=("shared_mlp.input_linear",),
        shared_down="shared_mlp.output_linear",
    ),
    **_OWN,
)
