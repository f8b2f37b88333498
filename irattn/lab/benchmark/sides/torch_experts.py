"""Experts in PyTorch: a loop over those that are chosen, and its product of groups."""

from collections.abc import Mapping
from typing import Any

from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.base import Call
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec

# The fields that may have another value than their default.
_TAKEN = frozenset({"io_dtype", "batch", "is_normalized", "dynamic"})


def experts_ways(
    torch: Any, spec: MixtureOfExpertsSpec, tensors: Mapping[str, Any]
) -> dict[str, Call]:
    """Calls that compute a spec, on PyTorch's tensors, as transformers' Qwen3-MoE does.

    Logits are made in f32, widened before what is timed, so that the same experts are chosen.
    NoWayError for what these have not.
    """
    if beyond := spec.first_beyond(_TAKEN):
        raise NoWayError(f"its experts are set up without {beyond}")
    given = dict(tensors, tokens=tensors["hidden"].flatten(0, 1))
    router = tensors["router_weight"].float()

    def way(experts: Any) -> Call:
        def call() -> Any:
            logits = torch.nn.functional.linear(given["tokens"].float(), router)
            shares, ids = logits.softmax(-1).topk(spec.experts_per_token)
            if spec.is_normalized:
                shares /= shares.sum(-1, keepdim=True)
            return experts(torch, given, ids, shares.to(given["tokens"].dtype))

        return call

    ways = {"loop over experts": way(_loop)}
    if hasattr(torch.nn.functional, "grouped_mm"):
        ways["grouped_mm"] = way(_grouped)
    return ways


def _loop(torch: Any, given: Mapping[str, Any], ids: Any, shares: Any) -> Any:
    """One expert after the other, each with its tokens."""
    tokens, linear = given["tokens"], torch.nn.functional.linear
    output = torch.zeros_like(tokens)
    for expert in ids.unique().tolist():
        rows, ranks = torch.where(ids == expert)
        gate, up = linear(tokens[rows], given["gate_up_weight"][expert]).chunk(2, -1)
        opened = torch.nn.functional.silu(gate) * up
        made = linear(opened, given["down_weight"][expert])
        output.index_add_(0, rows, made * shares[rows, ranks, None])
    return output


def _grouped(torch: Any, given: Mapping[str, Any], ids: Any, shares: Any) -> Any:
    """All experts in one call of PyTorch, tokens sorted by expert."""
    tokens, multiply = given["tokens"], torch.nn.functional.grouped_mm
    gate_up, down = given["gate_up_weight"], given["down_weight"]
    per_token = ids.shape[1]
    order = ids.flatten().argsort(stable=True)
    counts = ids.flatten().bincount(minlength=len(gate_up))
    ends = counts.cumsum(0, dtype=torch.int32)
    made = multiply(tokens[order // per_token], gate_up.transpose(1, 2), offs=ends)
    gate, up = made.chunk(2, -1)
    opened = torch.nn.functional.silu(gate) * up
    made = multiply(opened, down.transpose(1, 2), offs=ends)
    by_token = torch.empty_like(made)
    by_token[order] = made * shares.flatten()[order, None]
    return by_token.unflatten(0, (-1, per_token)).sum(1)
