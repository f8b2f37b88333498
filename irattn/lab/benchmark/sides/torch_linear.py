"""A product with a weight in PyTorch, over the numbers that a quantised one stands for."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.lab.benchmark.sides.base import Call
from irattn.lab.benchmark.sides.tensors import tensor_of, torch_type
from irattn.reference.packed_weights import with_weights
from irattn.reference.rounded_activations import multiplied
from irattn.specs.linear import LinearSpec


def linear_ways(
    torch: Any, spec: LinearSpec, tensors: Mapping[str, np.ndarray], place: str
) -> dict[str, Call]:
    """Calls that compute a spec: PyTorch has none for blocks, which are widened before.

    What the spec rounds is rounded before, too, so that outputs are the same.
    """
    element = torch_type(torch, spec.io_dtype)
    hidden = tensor_of(torch, multiplied(spec, tensors["hidden"]))
    hidden = hidden.to(place, element)
    numbers = with_weights(spec, tensors)["weight"]
    weight = tensor_of(torch, numbers).to(place, element)
    name = "linear, widened before" if spec.weight_format else "linear"
    return {name: lambda: torch.nn.functional.linear(hidden, weight)}
