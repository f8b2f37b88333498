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
    x: np.ndarray = hidden + scale * change
    if spec.mlp is None:
        return x
    (normed,) = rms_norm(spec.norm, {"x": x, "weight": tensors["mlp_norm_weight"]})
    given = {**tensors, "hidden": normed[:, None]}
    if isinstance(spec.mlp, MlpSpec):
        (made,) = mlp(spec.mlp, given)
    else:
        (made,) = mixture_of_experts(spec.mlp, given)
    ended: np.ndarray = x + scale * made[:, 0]
    return ended
