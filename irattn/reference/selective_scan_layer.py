"""A layer with Mamba 1's selective scan, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.projections import linear
from irattn.reference.rms_norm import rms_norm
from irattn.reference.selective_scan import selective_scan
from irattn.reference.short_convolution import short_convolution
from irattn.reference.state_layer import finished
from irattn.specs.selective_scan_layer import SelectiveScanLayerSpec

Tensors = Mapping[str, np.ndarray]


def selective_scan_layer(spec: SelectiveScanLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of SelectiveScanLayerSpec: its parts one after the other, nothing rounded."""
    wide = {
        name: array if array.dtype.kind in "iu" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    hidden, bounds = wide["hidden"], wide["cu_seqlens_q"]
    (normed,) = rms_norm(spec.norm, {"x": hidden, "weight": wide["norm_weight"]})
    convolved = {"weight": wide["conv_weight"], "initial_state": wide["conv_state"]}
    if spec.has_conv_bias:
        convolved["bias"] = wide["conv_bias"]
    x, conv_state = short_convolution(
        spec.convolution,
        {
            "x": linear(normed, {"weight": wide["channels_weight"]}),
            "cu_seqlens_q": bounds,
            **convolved,
        },
    )
    selected = linear(x, {"weight": wide["selection_weight"]})
    rank, size = spec.rank, spec.state_size
    steps, key, query = np.split(selected, [rank, rank + size], axis=1)
    if spec.step_norm_eps is not None:
        steps, key, query = (
            array / np.sqrt(np.mean(array**2, axis=1, keepdims=True) + spec.step_norm_eps) * weight
            for array, weight in (
                (steps, wide["steps_norm_weight"]),
                (key, wide["key_norm_weight"]),
                (query, wide["query_norm_weight"]),
            )
        )
    read, state = selective_scan(
        spec.scan,
        {
            "x": x,
            "steps": linear(steps, {"weight": wide["steps_weight"]}),
            "key": key,
            "query": query,
            "gate": linear(normed, {"weight": wide["gate_weight"]}),
            "initial_state": wide["state"],
            "cu_seqlens_q": bounds,
            **{name: wide[name] for name in ("decay_log", "time_bias", "skip_weight")},
        },
    )
    change = linear(read, {"weight": wide["output_weight"]})
    return finished(spec, hidden, change, wide), conv_state, state
