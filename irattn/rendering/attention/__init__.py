"""The plans of attention: of the fused graphs, the GPUs' own, and the blocked, those of CPUs."""

from irattn.rendering.attention.blocked import plan_blocked
from irattn.rendering.attention.plan import plan_attention

_OPS = ("attention", "packed_attention", "paged_attention", "paged_update_attention")

PLANS = {(op, "linalg/fused"): plan_attention for op in _OPS} | {
    (op, "linalg/blocked"): plan_blocked for op in _OPS
}
