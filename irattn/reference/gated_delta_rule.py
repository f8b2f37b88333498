"""The gated delta rule in float64, token by token."""

from itertools import pairwise

import numpy as np

from irattn.reference.attention import Tensors
from irattn.reference.l2_norm import unit_rows
from irattn.reference.layouts import heads_first
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec


def gated_delta_rule(spec: GatedDeltaRuleSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of GatedDeltaRuleSpec, head by head."""
    query, key, value, g, beta = tokens_of_heads(spec, tensors)
    output, state = np.zeros(value.shape), tensors["initial_state"].astype(np.float64)
    for sequence, (row, tokens) in enumerate(real_tokens(spec, tensors)):
        for head in range(spec.num_v_heads):
            for token in tokens:
                at = (row, head, token)
                own = state[sequence, head]
                own *= np.exp(g[at]).reshape(-1, 1)
                held = 0 if spec.uncorrected else key[at] @ own
                own += np.outer(key[at], beta[at] * (value[at] - held))
                output[at] = query[at] @ own
    laid_out = heads_first(spec.layout, output)
    return laid_out[0] if spec.packed else laid_out, state


def tokens_of_heads(spec: GatedDeltaRuleSpec, tensors: Tensors) -> list[np.ndarray]:
    """Query, key, value, g and beta of value heads, heads before tokens, as the rule takes them."""
    found = []
    for name in ("query", "key", "value", "g", "beta"):
        given = tensors[name].astype(np.float64)
        batched = given[None] if spec.packed else given
        found.append(heads_first(spec.layout, batched))
    query, key, *others = found
    if spec.qk_l2_norm:
        query, key = (unit_rows(x, spec.l2_eps) for x in (query, key))
    of_values = (np.repeat(x, spec.group_size, axis=1) for x in (query * spec.query_scale, key))
    return [*of_values, *others]


def real_tokens(spec: GatedDeltaRuleSpec, tensors: Tensors) -> list[tuple[int, range]]:
    """The real tokens of each sequence, and the row of the batch that they are in."""
    if spec.packed:
        bounds = tensors["cu_seqlens_q"].tolist()
        return [(0, range(*ends)) for ends in pairwise(bounds)]
    lens = tensors["q_lens"].tolist() if spec.ragged else [spec.q_len] * spec.batch
    return [(row, range(count)) for row, count in enumerate(lens)]
