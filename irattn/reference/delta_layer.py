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
    b, a = np.split(linear(normed, {"weight": wide["rates_weight"]}), 2, axis=1)
    output, state = gated_delta_rule(
        spec.rule,
        {
            "query": query.reshape(spec.q_tokens, -1, spec.key_dim),
            "key": key.reshape(spec.q_tokens, -1, spec.key_dim),
            "value": value.reshape(spec.q_tokens, -1, spec.value_dim),
            "g": -np.exp(wide["decay_log"]) * np.logaddexp(0, a + wide["time_bias"]),
            "beta": (2 if spec.doubles_shares else 1) / (1 + np.exp(-b)),
            "initial_state": wide["state"],
            "cu_seqlens_q": bounds,
        },
    )
    gate = linear(normed, {"weight": wide["gate_weight"]})
    rows = {"x": output.reshape(-1, spec.value_dim), "gate": gate.reshape(-1, spec.value_dim)}
    (gated,) = gated_rms_norm(spec.gated_norm, {**rows, "weight": wide["gated_norm_weight"]})
    change = linear(gated.reshape(spec.q_tokens, -1), {"weight": wide["output_weight"]})
    return finished(spec, x, change, wide), conv_state, state
