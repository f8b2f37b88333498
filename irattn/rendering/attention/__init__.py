"""How the fused graphs of attention, the GPUs' own, are cut up."""

from irattn.rendering.attention.plan import plan_attention

_OPS = ("attention", "packed_attention", "paged_attention", "paged_update_attention")

PLANS = {(op, "linalg/fused"): plan_attention for op in _OPS}
