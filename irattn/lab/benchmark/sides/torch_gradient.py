"""The gradient of attention as PyTorch's autograd makes it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.base import Call
from irattn.specs.attention_backward import AttentionBackwardSpec

# The fields that may have another value than their default.
_TAKEN = frozenset({"io_dtype", "batch", "value_dim", "softmax_scale", "causal"})


def gradient_ways(
    torch: Any, spec: AttentionBackwardSpec, tensors: Mapping[str, Any]
) -> dict[str, Call]:
    """Calls that compute a spec, on PyTorch's tensors; the forward pass is done before.

    NoWayError for what its attention has not. Heads that are expanded have their gradients added up
    in the call.
    """
    if beyond := spec.first_beyond(_TAKEN):
        raise NoWayError(f"its attention has no {beyond}")
    if spec.causal and spec.q_len != spec.kv_len:
        raise NoWayError("its causal attention is aligned at the first query")
    given = [tensors[name].requires_grad_() for name in ("query", "key", "value")]
    query, *others = given
    attend = torch.nn.functional.scaled_dot_product_attention
    how = {"is_causal": spec.causal, "scale": spec.scale}
    with torch.enable_grad():
        if spec.group_size == 1:
            outputs = {"sdpa": attend(*given, **how)}
        else:
            expanded = [one.repeat_interleave(spec.group_size, 1) for one in others]
            outputs = {
                "enable_gqa": attend(*given, **how, enable_gqa=True),
                "expanded heads": attend(query, *expanded, **how),
            }

    def way(output: Any) -> Call:
        gradient = tensors["output_gradient"]
        return lambda: torch.autograd.grad(output, given, gradient, retain_graph=True)

    return {name: way(output) for name, output in outputs.items()}


def gradient_outputs(result: Any) -> list[np.ndarray]:
    """The outputs of such a call, as the spec has them."""
    return [one.float().cpu().numpy() for one in result]
