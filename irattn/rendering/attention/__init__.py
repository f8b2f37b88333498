"""The plans of attention: of the fused graphs, the GPUs' own, and the blocked, those of CPUs."""

from irattn.rendering.attention.blocked import plan_blocked
from irattn.rendering.attention.packed_parts import plan_packed_paged
from irattn.rendering.attention.plan import plan_attention

# Ops of one kernel, and those whose parts are.
_OPS = (
    *("attention", "packed_attention", "paged_attention", "paged_update_attention"),
    *("packed_paged_many", "packed_paged_few"),
    *("packed_paged_shared_many", "packed_paged_shared_few"),
)
_OF_PARTS = ("packed_paged_attention", "packed_paged_update_attention")

PLANS = {
    **{(op, "linalg/fused"): plan_attention for op in _OPS},
    **{(op, "linalg/blocked"): plan_blocked for op in _OPS},
    **{
        (op, f"linalg/{how}"): plan_packed_paged for op in _OF_PARTS for how in ("fused", "blocked")
    },
}
