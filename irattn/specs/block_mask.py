"""A mask function to lists of the blocks of scores that it shows."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irattn.core.errors import SpecError
from irattn.core.tensors import TensorType
from irattn.specs import masks
from irattn.specs.base import Spec, check_positive
from irattn.specs.block_lists import block_lists, stored_blocks
from irattn.specs.expressions import Expression, captured_inputs, check_reads, stored_function


@dataclass(frozen=True, kw_only=True)
class BlockMaskSpec(Spec):
    """The blocks of scores that a mask function shows some of, and those that it shows all of.

    The outputs are what AttentionSpec with `mask_blocks` takes: of each block of queries, the
    blocks of keys of which some scores are shown, then those of which all are, then the others,
    each in their order. Tensors, int32:

    - `captured_` and a name: the arrays that `mask_mod` reads, of which there must be one at least;
      the blocks of other masks are always the same
    - block_counts `[batch, num_q_heads, rows, 2]`, of `rows = ceil(q_len / queries)`: how many
      blocks are shown in part, and how many all of
    - block_columns `[batch, num_q_heads, rows, ceil(kv_len / keys)]`: all blocks, in that order

    `mask_blocks` `(queries, keys)` says how large a block is. What `mask_mod` may do,
    AttentionFeatures tells.
    """

    op: ClassVar[str] = "block_mask"

    batch: int = 1
    num_q_heads: int = 1
    q_len: int
    kv_len: int
    mask_blocks: Any = (128, 128)
    # An expression, of whatever users give for it.
    mask_mod: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "q_len", "kv_len")
        blocks = stored_blocks(self.mask_blocks)
        function = stored_function("mask_mod", self.mask_mod)
        if blocks is None:
            raise SpecError("mask_blocks: expected [queries, keys], got None")
        if function is None or not function.captured:
            raise SpecError(
                "mask_mod: expected a function that reads arrays; the blocks of another are always "
                "the same: irattn.block_mask finds them on the host"
            )
        object.__setattr__(self, "mask_blocks", blocks)
        object.__setattr__(self, "mask_mod", function)
        check_reads("mask_mod", function, self.function_sizes)

    @property
    def io_dtype(self) -> str:
        return "i32"

    @property
    def functions(self) -> dict[str, Expression]:
        """The mask, by the name of its field."""
        return {"mask_mod": self.mask_mod}

    @property
    def captured(self) -> list[TensorType]:
        """The inputs that are arrays which the mask reads."""
        return captured_inputs(self.mask_mod.captured)

    @property
    def function_sizes(self) -> dict[str, int]:
        """How many batches, heads, queries and keys the mask is asked about."""
        sizes = (self.batch, self.num_q_heads, self.q_len, self.kv_len)
        return dict(zip(("batch", "head", "query", "key"), sizes, strict=True))

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return tuple(self.captured)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        lengths = (self.q_len, self.kv_len)
        return block_lists(self.batch, self.num_q_heads, lengths, self.mask_blocks)

    @property
    def flops(self) -> int:
        """Scores that the mask is asked about."""
        return self.batch * self.num_q_heads * self.q_len * self.kv_len


def _documents(tokens: int, **fields: Any) -> BlockMaskSpec:
    mask = masks.document(np.zeros(tokens, np.int32)) & masks.causal
    return BlockMaskSpec(**fields, q_len=tokens, kv_len=tokens, mask_mod=mask)


CATALOGUE = {
    "block_mask_tiny": _documents(40, batch=2, num_q_heads=2, mask_blocks=(16, 8)),
    "block_mask_base": _documents(2048, num_q_heads=8),
}
