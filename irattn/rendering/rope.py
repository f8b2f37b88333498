"""How a rotary graph cuts heads into pairs."""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, TensorType
from irattn.rendering.rope_frequencies import (
    attention_factor,
    inverse_frequencies,
    turns_per_token,
)
from irattn.specs.rope import RopeSpec
from irattn.targets import Target


@dataclass(frozen=True)
class Rope:
    """Pairs, the frequency of each, and how the columns of a head are laid out for them.

    `rotate_half` cuts a head into chunks of `pairs` columns: the first two are turned.
    `interleaved` reads two neighbouring columns as one integer, so that every access is wide.
    """

    spec: RopeSpec
    target: Target

    @property
    def tensors(self) -> list[tuple[str, int]]:
        """The tensors that are turned, and their heads."""
        heads = [("query", self.spec.num_q_heads), ("key", self.spec.num_kv_heads)]
        return heads if self.spec.num_kv_heads else heads[:1]

    def given(self, name: str) -> TensorType:
        """The query or the key as it comes."""
        return next(tensor for tensor in self.spec.inputs if tensor.name == name)

    def turned(self, name: str) -> TensorType:
        """The same, turned."""
        return next(tensor for tensor in self.spec.outputs if tensor.name == f"rotated_{name}")

    @property
    def pairs(self) -> int:
        """Pairs of columns that are turned."""
        return self.spec.rotary_columns // 2

    @property
    def keeps_columns(self) -> bool:
        """Whether columns past those that are turned are passed through."""
        return self.spec.rotary_columns < self.spec.head_dim

    @property
    def chunks(self) -> int:
        """Chunks of a head, the last one padded where it is not full."""
        return -(-self.spec.head_dim // self.pairs)

    @property
    def padded_head_dim(self) -> int:
        """Columns of all chunks."""
        return self.chunks * self.pairs

    @property
    def padding(self) -> int:
        """Columns that the last chunk is filled up with."""
        return self.padded_head_dim - self.spec.head_dim

    @property
    def last_pair(self) -> int:
        """The last pair that is turned."""
        return self.pairs - 1

    @property
    def head_pairs(self) -> int:
        """Pairs of a head's columns."""
        return self.spec.head_dim // 2

    @property
    def column_bits(self) -> int:
        """Bits of one column."""
        return 8 * dtype(self.spec.io_dtype).numpy.itemsize

    @property
    def pair_bits(self) -> int:
        """Bits of two columns."""
        return 2 * self.column_bits

    @property
    def turns(self) -> list[int]:
        """The turns that a token adds to each pair that the loop covers, in units of 2**-64."""
        turns = [turns_per_token(radians) for radians in inverse_frequencies(self.spec)]
        kept = self.head_pairs - self.pairs
        return turns + [0] * (kept if self.spec.rope_style == "interleaved" else 0)

    @property
    def makes_tables(self) -> bool:
        """Whether cosines and sines are made once for all heads.

        A CPU takes longer to make them than to read them: 16 tokens of 40 heads of 128 take a Zen 4
        core 20 us instead of 64. Kernels of GPUs make them while they wait for memory.
        """
        return not (self.target.is_gpu or self.spec.given_tables)

    @property
    def table_shape(self) -> tuple[AnySize, ...]:
        """The shape of each table: a number for every token and pair."""
        batch, _, tokens, _ = self.given("query").shape
        return (batch, tokens, len(self.turns))

    @property
    def radians_per_unit(self) -> float:
        """Radians in 2**-32 turns."""
        return math.tau / 2**32

    @property
    def attention_factor(self) -> float:
        """The factor on cos and sin."""
        return attention_factor(self.spec.scaling)


PLANS = {("rope", "linalg"): Rope}
