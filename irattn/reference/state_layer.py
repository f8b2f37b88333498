"""Layers with states: their change of the hidden state, and that of their MLP, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.mixture_of_experts import mixture_of_experts
from irattn.reference.mlp import mlp
from irattn.reference.rms_norm import rms_norm
from irattn.specs.mlp import MlpSpec
from irattn.specs.state_layer import StateLayer


def finished(
    spec: StateLayer, hidden: np.ndarray, change: np.ndarray, tensors: Mapping[str, np.ndarray]
) -> np.ndarray:
    """The hidden state with the change, and with what an MLP makes of the norm of that."""
    scale = 1.0 if spec.residual_scale is None else spec.residual_scale
    x: np.ndarray = hidden + scale * _normed(spec, change, tensors, "post_norm")
    if spec.mlp is None:
        return x
    (normed,) = rms_norm(spec.norm, {"x": x, "weight": tensors["mlp_norm_weight"]})
    given = {**tensors, "hidden": normed[:, None]}
    if isinstance(spec.mlp, MlpSpec):
        (made,) = mlp(spec.mlp, given)
    else:
        (made,) = mixture_of_experts(spec.mlp, given)
    ended: np.ndarray = x + scale * _normed(spec, made[:, 0], tensors, "mlp_post_norm")
    return ended


def _normed(
    spec: StateLayer, change: np.ndarray, tensors: Mapping[str, np.ndarray], name: str
) -> np.ndarray:
    """A change of the hidden state in a norm of that name, in layers that have any."""
    if not spec.norms_change:
        return change
    (normed,) = rms_norm(spec.norm, {"x": change, "weight": tensors[f"{name}_weight"]})
    return normed
