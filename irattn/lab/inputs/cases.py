"""Cases of inputs for a spec, random and adversarial."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.core.numbers import whole
from irattn.core.tensors import Role
from irattn.lab.inputs.distributions import (
    Sampler,
    equal_keys,
    huge_scale,
    large_logits,
    large_values,
    negative_logits,
    normal,
    one_token,
    subnormals,
    uniform,
)
from irattn.lab.inputs.roles import ROLE_SAMPLERS, quantised
from irattn.lab.inputs.sequences import (
    BOUNDS,
    LENGTHS,
    TABLES,
    ByRole,
    block_table,
    bounds,
    forget_unused_blocks,
    lengths,
    offsets,
    slots_of_queries,
)
from irattn.reference import reference
from irattn.runtime.costs import check_call
from irattn.specs import Spec
from irattn.specs.cache_elements import CACHE_DTYPES

Tensors = dict[str, np.ndarray]

# Beside logits of a million, f32 has no room for these.
_NEAR_ONE = {Role.BIAS, Role.SLOPES, Role.HIDDEN}


@dataclass(frozen=True)
class Case:
    """One way to fill the inputs of a spec: how floats are drawn, and how long contexts are."""

    name: str
    sample: Sampler
    context: str = "mixed"

    def tensors(self, spec: Spec, seed: int = 0) -> Tensors:
        """The inputs of `spec`; equal seeds give equal inputs. TooLargeError beyond memory."""
        check_call(spec)
        whole("seed", seed, least=0, error=ArgumentError)
        rng = np.random.default_rng(seed)
        # A layer's pages and positions are those of its attention.
        attention = getattr(spec, "attention", spec)
        tensors: Tensors = {}
        for tensor in spec.inputs:
            if tensor.role in LENGTHS:
                values = lengths(rng, tensor, self.context)
            elif tensor.role in BOUNDS:
                values = bounds(rng, tensor, self.context)
            elif tensor.role == Role.OFFSETS:
                values = offsets(rng, attention, tensor)
            elif tensor.role in TABLES:
                values = block_table(rng, attention, tensor)
            elif tensor.dtype in CACHE_DTYPES:
                values = quantised(rng, tensor, self.sample)
            else:
                values = ROLE_SAMPLERS.get(tensor.role, self.sample)(rng, tensor)
            tensors[tensor.name] = values.astype(dtype(tensor.dtype).numpy)
        by_role = {tensor.role: tensors[tensor.name] for tensor in spec.inputs}
        forget_unused_blocks(attention, by_role)
        if {Role.BLOCK_IDS, Role.SLOTS} <= by_role.keys():
            by_role[Role.SLOTS][...] = slots_of_queries(attention, by_role)
        if Role.ATTENDED in by_role:
            _attend(spec, tensors, by_role)
        return tensors


def random_tensors(spec: Spec, seed: int = 0) -> Tensors:
    """Standard normal inputs with contexts of mixed lengths."""
    return CASES["normal"].tensors(spec, seed)


def cases_for(spec: Spec) -> list[Case]:
    """The cases that make sense for a spec."""
    roles = {tensor.role for tensor in spec.inputs}
    has_lengths = not roles.isdisjoint(LENGTHS | BOUNDS)
    is_gradient = Role.ATTENDED in roles
    left_out = {
        # The derivative of |score| jumps at 0, for which f32 takes a score that float64 does not.
        "subnormals": is_gradient and _has_score_mod(spec),
        "negative_logits": Role.LOGITS not in roles,
        # GPUs round keys of int4, times their scales, to the queries' type.
        "huge_scale": not roles.isdisjoint(_NEAR_ONE | {Role.ATTENDED})
        or _has_score_mod(spec)
        or any(tensor.dtype == "int4" for tensor in spec.inputs),
        # Values near the largest f16, of which queries, and gradients, would make more than it
        # holds.
        "large_values": is_gradient or getattr(spec, "outgrows_values", False),
    }
    return [
        case
        for case in CASES.values()
        if (has_lengths or case.context == "mixed") and not left_out.get(case.name)
    ]


def _has_score_mod(spec: Spec) -> bool:
    """Whether a function makes other scores, of which it may make anything."""
    return getattr(spec, "score_mod", None) is not None


def _attend(spec: Any, tensors: Tensors, by_role: ByRole) -> None:
    """Put what attention gives where its gradient wants it."""
    output, lse = reference(spec.forward, tensors)
    by_role[Role.ATTENDED][...] = output
    by_role[Role.LSE][...] = lse


CASES = {
    case.name: case
    for case in (
        Case("normal", normal),
        Case("uniform", uniform),
        Case("negative_logits", negative_logits),
        Case("large_logits", large_logits),
        Case("large_values", large_values),
        Case("subnormals", subnormals),
        Case("equal_keys", equal_keys),
        Case("one_token", one_token),
        Case("huge_scale", huge_scale),
        Case("full_context", normal, "full"),
        Case("context_of_one", normal, "one"),
        Case("masked_rows", normal, "short"),
    )
}
