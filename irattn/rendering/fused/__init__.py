"""How the fused graphs, the GPUs' own, are cut up."""

from irattn.rendering.fused.attention import FusedAttention
from irattn.rendering.fused.packed_attention import FusedPackedAttention
from irattn.rendering.fused.paged_attention import FusedPagedAttention

PLANS = {
    ("attention", "linalg/fused"): FusedAttention,
    ("packed_attention", "linalg/fused"): FusedPackedAttention,
    ("paged_attention", "linalg/fused"): FusedPagedAttention,
    ("paged_update_attention", "linalg/fused"): FusedPagedAttention,
}
