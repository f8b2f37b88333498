"""The projections around attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.rounded_activations import multiplied
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec

Tensors = Mapping[str, np.ndarray]


def qkv_projection(spec: QkvProjectionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of QkvProjectionSpec."""
    together = linear(multiplied(spec, tensors["hidden"]), tensors)
    heads = together.reshape(spec.batch, spec.q_len, -1, spec.head_dim).transpose(0, 2, 1, 3)
    ends = np.cumsum([tensor.largest_shape[1] for tensor in spec.outputs])
    return tuple(np.split(heads, ends[:-1], axis=1))


def output_projection(spec: OutputProjectionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of OutputProjectionSpec."""
    by_token = tensors["attended"].transpose(0, 2, 1, 3)
    x = multiplied(spec, by_token.reshape(spec.batch, spec.q_len, -1))
    return (linear(x, tensors),)


def linear(x: np.ndarray, parameters: Tensors) -> np.ndarray:
    """torch.nn.Linear: x · weightᵀ + bias."""
    product: np.ndarray = x.astype(np.float64) @ parameters["weight"].astype(np.float64).T
    return product + parameters["bias"].astype(np.float64) if "bias" in parameters else product


def parameters_of(tensors: Tensors, prefix: str) -> dict[str, np.ndarray]:
    """Weight and bias of a part: `qkv_weight` is the `weight` of qkv."""
    names = ("weight", "bias")
    return {name: tensors[f"{prefix}_{name}"] for name in names if f"{prefix}_{name}" in tensors}
