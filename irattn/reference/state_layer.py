"""The MLP or the experts that layers with states end with, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.mixture_of_experts import mixture_of_experts
from irattn.reference.mlp import mlp
from irattn.reference.rms_norm import rms_norm
from irattn.specs.mlp import MlpSpec
from irattn.specs.state_layer import StateLayer


def with_mlp(spec: StateLayer, x: np.ndarray, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """The hidden state with what the MLP makes of its norm, where the layer has one."""
    if spec.mlp is None:
        return x
    (normed,) = rms_norm(spec.norm, {"x": x, "weight": tensors["mlp_norm_weight"]})
    given = {**tensors, "hidden": normed[:, None]}
    if isinstance(spec.mlp, MlpSpec):
        (change,) = mlp(spec.mlp, given)
    else:
        (change,) = mixture_of_experts(spec.mlp, given)
    ended: np.ndarray = x + change[:, 0]
    return ended
