"""Attention and what goes with it as functions of arrays: no spec, no target, no compilation."""

from irattn.functional.block_masks import BlockMask, block_mask
from irattn.functional.contiguous import attention
from irattn.functional.linear import gated_delta_rule, short_convolution
from irattn.functional.packed import cascade_attention, packed_paged_attention
from irattn.functional.paged import paged_attention
from irattn.functional.rotary import apply_rope
from irattn.functional.sparse import sparse_paged_attention
from irattn.functional.trees import tree_attention

__all__ = [
    "BlockMask",
    "apply_rope",
    "attention",
    "block_mask",
    "cascade_attention",
    "gated_delta_rule",
    "packed_paged_attention",
    "paged_attention",
    "short_convolution",
    "sparse_paged_attention",
    "tree_attention",
]
