"""A layer with a gated delta net, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.gated_delta_rule import gated_delta_rule
from irattn.reference.gated_rms_norm import gated_rms_norm
from irattn.reference.projections import linear
from irattn.reference.rms_norm import rms_norm
from irattn.reference.short_convolution import short_convolution
from irattn.reference.state_layer import finished
from irattn.specs.delta_layer import DeltaLayerSpec

Tensors = Mapping[str, np.ndarray]


def delta_layer(spec: DeltaLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of DeltaLayerSpec: its parts one after the other, nothing rounded between."""
    wide = {
        name: array if array.dtype.kind in "iu" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    x, bounds = wide["hidden"], wide["cu_seqlens_q"]
    (normed,) = rms_norm(spec.norm, {"x": x, "weight": wide["norm_weight"]})
    made, conv_state = short_convolution(
        spec.convolution,
        {
            "x": linear(normed, {"weight": wide["qkv_weight"]}),
            "weight": wide["conv_weight"],
            "initial_state": wide["conv_state"],
            "cu_seqlens_q": bounds,
        },
    )
    query, key, value = np.split(made, np.cumsum(spec.columns)[:-1], axis=1)
    b, a, gate = _gates(spec, normed, wide)
    output, state = gated_delta_rule(
        spec.rule,
        {
            "query": query.reshape(spec.q_tokens, -1, spec.key_dim),
            "key": key.reshape(spec.q_tokens, -1, spec.key_dim),
            "value": value.reshape(spec.q_tokens, -1, spec.value_dim),
            "g": _log_of_kept(spec, a + wide["time_bias"], wide["decay_log"]),
            "beta": (2 if spec.doubles_shares else 1) / (1 + np.exp(-b)),
            "initial_state": wide["state"],
            "cu_seqlens_q": bounds,
        },
    )
    rows = {"x": output.reshape(-1, spec.value_dim), "gate": gate.reshape(-1, spec.value_dim)}
    (gated,) = gated_rms_norm(spec.gated_norm, {**rows, "weight": wide["gated_norm_weight"]})
    change = linear(gated.reshape(spec.q_tokens, -1), {"weight": wide["output_weight"]})
    return finished(spec, x, change, wide), conv_state, state


def _gates(
    spec: DeltaLayerSpec, normed: np.ndarray, tensors: Tensors
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """b, a and the gate of the output, the last two of which may be made of few columns."""
    rates = linear(normed, {"weight": tensors["rates_weight"]})
    if spec.gate_rank is None:
        b, a = np.split(rates, 2, axis=1)
        return b, a, linear(normed, {"weight": tensors["gate_weight"]})
    narrow = linear(normed, {"weight": tensors["gates_down_weight"]})
    of_decay, of_gate = np.split(narrow, 2, axis=1)
    a = linear(of_decay, {"weight": tensors["decay_weight"]})
    return rates, a, linear(of_gate, {"weight": tensors["gate_weight"]})


def _log_of_kept(spec: DeltaLayerSpec, z: np.ndarray, decay_log: np.ndarray) -> np.ndarray:
    """The log of what is kept of the state, by head or by channel."""
    if spec.gate_rank is None:
        return np.asarray(-np.exp(decay_log) * np.logaddexp(0, z))
    of_channels = z.reshape(-1, spec.num_v_heads, spec.key_dim)
    return np.asarray(-np.exp(decay_log)[:, None] * np.logaddexp(0, of_channels))
