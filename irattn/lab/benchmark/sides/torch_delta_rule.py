"""The gated delta rule as transformers has it in PyTorch: in chunks, and token by token."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.base import Call
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec

# The functions that Qwen3-Next falls back on where flash-linear-attention is not installed.
_WAYS = ("torch_chunk_gated_delta_rule", "torch_recurrent_gated_delta_rule")
_TOKENS = ("query", "key", "value", "g", "beta")
_HOME = "transformers.models.qwen3_next.modeling_qwen3_next"


def delta_rule_ways(spec: GatedDeltaRuleSpec, tensors: Mapping[str, Any]) -> dict[str, Call]:
    """Calls that compute a spec, on PyTorch's tensors; each gives the output and the final state.

    NoWayError for what the functions have not. Key heads are repeated, and heads put after tokens,
    before what is timed: so the functions take them.
    """
    if beyond := spec.first_beyond(_TAKEN):
        raise NoWayError(f"its gated delta rule has no {beyond}")
    try:
        functions: Any = import_module(_HOME)
    except ImportError as error:
        missing = "transformers is not installed: pip install 'irattn[transformers]'"
        raise NoWayError(f"its gated delta rule is that of transformers; {missing}") from error
    given = {name: _tokens_first(spec, tensors[name]) for name in _TOKENS}
    for name in ("query", "key"):
        given[name] = given[name].repeat_interleave(spec.group_size, dim=2)
    state = tensors["initial_state"]
    how = {"output_final_state": True, "use_qk_l2norm_in_kernel": spec.qk_l2_norm}

    def way(name: str) -> Call:
        function = getattr(functions, name)
        return lambda: function(**given, initial_state=state, **how)

    return {name: way(name) for name in _WAYS}


def delta_rule_outputs(spec: GatedDeltaRuleSpec, result: Any) -> list[np.ndarray]:
    """The outputs of such a call, as the spec has them."""
    output, state = result
    laid_out = output if spec.layout == "NHD" else output.transpose(1, 2)
    return [one.float().cpu().numpy() for one in (laid_out, state)]


# The fields that may have another value than their default.
_TAKEN = frozenset({"io_dtype", "batch", "num_k_heads", "qk_l2_norm", "layout", "dynamic"})


def _tokens_first(spec: GatedDeltaRuleSpec, tensor: Any) -> Any:
    return tensor if spec.layout == "NHD" else tensor.transpose(1, 2).contiguous()
