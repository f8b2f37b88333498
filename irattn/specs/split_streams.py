"""A hidden state of each token to several beside one another."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.linear import LinearSpec
from irattn.specs.streams import Streams


@dataclass(frozen=True, kw_only=True)
class SplitStreamsSpec(Streams):
    """The hidden states that AltUp goes on with, of a token's embedding (Baykal et al. 2023,
    "Alternating Updates for Efficient Transformers", as Gemma 3n has it).

    The first is `hidden`, and each other is hidden · weightᵀ, scaled to be as large as it:

        made * sqrt(mean(hidden²)) / sqrt(max(mean(made²), 1e-5))

    Tensors in `io_dtype`; sums and means are f32, and products are rounded:

    - hidden `[rows, hidden_size]`
    - weight `[num_streams - 1, hidden_size, hidden_size]`
    - streams `[rows, num_streams, hidden_size]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "split_streams"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self.hidden, self.weight

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self.streams,)

    @property
    def product(self) -> LinearSpec:
        """The products of all streams but the first, side by side."""
        columns = self.hidden_size
        return LinearSpec(**self.tokens, in_columns=columns, out_columns=self.others * columns)


CATALOGUE = {
    "split_streams_tiny": SplitStreamsSpec(rows=5, num_streams=4, hidden_size=40, io_dtype="f32"),
}
