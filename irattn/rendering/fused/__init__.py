"""How the fused graphs, the GPUs' own, are cut up."""

from irattn.rendering.fused.plan import FusedAttention

_OPS = ("attention", "packed_attention", "paged_attention", "paged_update_attention")

PLANS = {(op, "linalg/fused"): FusedAttention for op in _OPS}
