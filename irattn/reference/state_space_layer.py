"""A layer with Mamba 2's state-space step, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.gated_delta_rule import gated_delta_rule
from irattn.reference.projections import linear
from irattn.reference.rms_norm import rms_norm
from irattn.reference.short_convolution import short_convolution
from irattn.reference.state_layer import finished
from irattn.specs.state_space_layer import StateSpaceLayerSpec

Tensors = Mapping[str, np.ndarray]


def state_space_layer(spec: StateSpaceLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of StateSpaceLayerSpec: its parts one after the other, nothing rounded."""
    wide = {
        name: array if array.dtype.kind in "iu" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    x, bounds = wide["hidden"], wide["cu_seqlens_q"]
    (normed,) = rms_norm(spec.norm, {"x": x, "weight": wide["norm_weight"]})
    convolved = {"weight": wide["conv_weight"], "initial_state": wide["conv_state"]}
    if spec.has_conv_bias:
        convolved["bias"] = wide["conv_bias"]
    made, conv_state = short_convolution(
        spec.convolution,
        {
            "x": linear(normed, {"weight": wide["channels_weight"]}),
            "cu_seqlens_q": bounds,
            **convolved,
        },
    )
    inner, key, query = np.split(made, np.cumsum(spec.columns)[:-1], axis=1)
    value = inner.reshape(spec.q_tokens, -1, spec.head_dim)
    steps = linear(normed, {"weight": wide["steps_weight"]}) + wide["time_bias"]
    beta = np.logaddexp(0, steps)
    read, state = gated_delta_rule(
        spec.rule,
        {
            "query": query.reshape(spec.q_tokens, -1, spec.state_size),
            "key": key.reshape(spec.q_tokens, -1, spec.state_size),
            "value": value,
            "g": -np.exp(wide["decay_log"]) * beta,
            "beta": beta,
            "initial_state": wide["state"],
            "cu_seqlens_q": bounds,
        },
    )
    around = read + wide["skip_weight"][:, None] * value
    gate = linear(normed, {"weight": wide["gate_weight"]})
    gated = around.reshape(gate.shape) * gate / (1 + np.exp(-gate))
    if not spec.skips_group_norm:
        gated = _normed(spec, gated, wide["group_norm_weight"])
    change = linear(gated, {"weight": wide["output_weight"]})
    residual = wide["residual_hidden"] if spec.has_residual_input else x
    return finished(spec, residual, change, wide), conv_state, state


def _normed(spec: StateSpaceLayerSpec, gated: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The norms of the heads of each group together."""
    groups = (np.split(array, spec.num_groups, -1) for array in (gated, weight))
    ended = [
        rms_norm(spec.group_norm, {"x": group, "weight": own})[0]
        for group, own in zip(*groups, strict=True)
    ]
    return np.concatenate(ended, axis=1)
