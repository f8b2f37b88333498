"""A layer with lightning attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.gated_delta_rule import gated_delta_rule
from irattn.reference.mixture_of_experts import mixture_of_experts
from irattn.reference.mlp import mlp
from irattn.reference.projections import linear
from irattn.reference.rms_norm import rms_norm
from irattn.specs.lightning_layer import LightningLayerSpec
from irattn.specs.mlp import MlpSpec

Tensors = Mapping[str, np.ndarray]


def lightning_layer(spec: LightningLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of LightningLayerSpec: its parts one after the other, nothing rounded."""
    wide = {
        name: array if array.dtype.kind in "iu" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    x, tokens = wide["hidden"], len(wide["hidden"])
    made = linear(x, {"weight": wide["qkv_weight"]})
    query, key, value = np.split(made / (1 + np.exp(-made)), 3, axis=1)
    heads = (tokens, spec.num_heads, spec.head_dim)
    read, state = gated_delta_rule(
        spec.rule,
        {
            "query": query.reshape(heads),
            "key": key.reshape(heads),
            "value": value.reshape(heads),
            "g": np.broadcast_to(wide["log_kept"], heads[:2]),
            "beta": np.ones(heads[:2]),
            "initial_state": wide["state"],
            "cu_seqlens_q": wide["cu_seqlens_q"],
        },
    )
    rows = read.reshape(tokens, -1)
    size = np.sqrt(np.mean(rows * rows, axis=1, keepdims=True) + spec.gated_norm_eps)
    gate = linear(x, {"weight": wide["gate_weight"]})
    gated = rows / size * wide["gated_norm_weight"] / (1 + np.exp(-gate))
    change = linear(gated, {"weight": wide["output_weight"]})
    output = _joined(spec, x, change, wide["post_norm_weight"])
    if spec.mlp is None:
        return output, state
    given = {**wide, "hidden": output[:, None]}
    if isinstance(spec.mlp, MlpSpec):
        (made,) = mlp(spec.mlp, given)
    else:
        (made,) = mixture_of_experts(spec.mlp, given)
    return _joined(spec, output, made[:, 0], wide["mlp_post_norm_weight"]), state


def _joined(
    spec: LightningLayerSpec, x: np.ndarray, change: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """The norm of a hidden state with a change."""
    scale = 1.0 if spec.residual_scale is None else spec.residual_scale
    (normed,) = rms_norm(spec.norm, {"x": x + scale * change, "weight": weight})
    return normed
