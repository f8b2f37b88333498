"""Several hidden states of each token to one."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.streams import Streams


@dataclass(frozen=True, kw_only=True)
class JoinStreamsSpec(Streams):
    """The mean of the hidden states that AltUp ends with: SplitStreamsSpec's way back.

    The first stands as it is, and of each other there is stream · weightᵀ, scaled to be as large
    as the first, as SplitStreamsSpec says it.

    Tensors in `io_dtype`; sums and means are f32, and products are rounded:

    - streams `[rows, num_streams, hidden_size]`
    - weight `[num_streams - 1, hidden_size, hidden_size]`
    - hidden `[rows, hidden_size]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "join_streams"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self.streams, self.weight

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self.hidden,)

    @property
    def product(self) -> HeadProjectionSpec:
        """The product of each stream but the first."""
        columns = self.hidden_size
        return HeadProjectionSpec(
            **self.tokens, num_heads=self.others, in_columns=columns, out_columns=columns
        )


CATALOGUE = {
    "join_streams_tiny": JoinStreamsSpec(rows=5, num_streams=4, hidden_size=40, io_dtype="f32"),
}
