"""The MLP of a layer, in float64."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irattn.reference.projections import linear, parameters_of
from irattn.reference.rounded_activations import multiplied
from irattn.specs.mlp import XIELU, MlpSpec

_erf = np.vectorize(math.erf, otypes=[np.float64])

# With the type of its functions, it would take the type checker a sixth of its whole time.
ACTIVATIONS: dict[str, Any] = {
    # Beyond 700, the exponential would overflow; what it divides is as good as 0.
    "silu": lambda x: x / (1 + np.exp(np.minimum(-x, 700))),
    "gelu": lambda x: x / 2 * (1 + _erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: np.maximum(x, 0),
    "relu_squared": lambda x: np.maximum(x, 0) ** 2,
}


def mlp(spec: MlpSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of MlpSpec."""
    activation = _activation(spec, tensors)
    made = linear(multiplied(spec, tensors["hidden"]), parameters_of(tensors, spec.up_name))
    if spec.gated:
        gate, up = np.split(made, 2, axis=-1)
        if spec.cutoff is not None:
            deviation = gate.std(axis=-1, keepdims=True)
            cut = gate.mean(axis=-1, keepdims=True) + spec.cutoff * deviation
            gate = np.maximum(gate - cut, 0)
        made = activation(gate) * up
    else:
        made = activation(made)
    return (linear(multiplied(spec, made), parameters_of(tensors, "down")),)


def _activation(
    spec: MlpSpec, tensors: Mapping[str, np.ndarray]
) -> Callable[[np.ndarray], np.ndarray]:
    if spec.activation != XIELU:
        known: Callable[[np.ndarray], np.ndarray] = ACTIVATIONS[spec.activation]
        return known
    above, below, slope, edge = tensors["activation_weight"].astype(np.float64)

    def xielu(x: np.ndarray) -> np.ndarray:
        # Where x is not above 0: others need not overflow.
        bent = np.expm1(np.minimum(np.minimum(x, 0), edge)) - x
        made: np.ndarray = np.where(x > 0, above * x**2, below * bent) + slope * x
        return made

    return xielu
