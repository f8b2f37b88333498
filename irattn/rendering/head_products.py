"""How the products that make, join and map heads are cut up.

Templates read these numbers and compute none themselves.
"""

from dataclasses import dataclass

from irattn.core.tensors import AnySize
from irattn.rendering.depth_products import DepthProduct
from irattn.rendering.few_tokens import VectorTile
from irattn.rendering.product_choice import depth_product
from irattn.rendering.product_tiles import ROWS, ProductTile
from irattn.rendering.token_products import WithTokens, by_sums, unless_one
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.weight_formats import format_of

# The compiler unrolls so few steps of heads: of 128 rows, it spilled 71 registers on gfx1201.
_SHORT_DEPTH = 128


@dataclass(frozen=True)
class _WithHeads(WithTokens):
    """The base of products with heads: those of a decoded token lie side by side in memory."""

    spec: OutputProjectionSpec | QkvProjectionSpec

    @property
    def is_decode(self) -> bool:
        """Whether a product needs no dimension of heads; CPUs do well with one."""
        return self.is_cut_for_gpu and not self.spec.dynamic and self.spec.q_len == 1

    @property
    def tokens(self) -> dict[str, AnySize]:
        """The dimensions of tokens; b only where it is one."""
        if self.is_decode:
            return self.rows
        return {**unless_one(b=self.spec.size("batch")), "m": self.spec.size("q_len")}

    @property
    def decoded_groups(self) -> list[list[int]]:
        """Which dimensions of the heads of decoded tokens are one dimension of the product."""
        return [[0], [1, 2, 3]] if self.rows else [[0, 1, 2, 3]]


@dataclass(frozen=True)
class OutputProjection(_WithHeads):
    """The sum over heads h and their columns k; m tokens by n hidden columns.

    Where heads lie side by side, k runs over the columns of all of them.
    """

    spec: OutputProjectionSpec

    @property
    def is_plain(self) -> bool:
        """Whether they do."""
        return self.is_decode or self.moves_heads

    @property
    def moves_heads(self) -> bool:
        """Whether a token's heads are put side by side first, so that the rest is a plain product.

        For CPUs, where the compiler packs plain products alone: 512 tokens of 32 heads take 0.21 s
        instead of 0.95 (f32, hidden size 4096, one core with AVX-512). Tiles of GPUs gather heads.
        """
        return not self.is_cut_for_gpu

    @property
    def tokens(self) -> dict[str, AnySize]:
        """The dimensions of tokens; b only where it is one."""
        return self.rows if self.is_plain else super().tokens

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        weight, sums = ("weight", spec.hidden_size), ("acc", spec.hidden_size)
        packed = format_of(spec.weight_format, "")
        depth, stored = spec.attended_size, not spec.has_bias
        return by_sums(self._depth("sequences", weight, sums, depth, packed=packed, stored=stored))

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        spec = self.spec
        if self.is_plain:
            return self._tile_of_rows(spec.hidden_size, spec.attended_size)
        sizes = {**self.tokens, "n": spec.hidden_size}
        return self._tile(sizes, {"h": spec.num_q_heads, "k": spec.head_dim})


@dataclass(frozen=True)
class QkvProjection(_WithHeads):
    """The sums over hidden columns k; m tokens by n head columns of each head h.

    Of decoded tokens, n runs over the columns of all heads.
    """

    spec: QkvProjectionSpec

    def columns(self, heads: int) -> dict[str, AnySize]:
        """The dimensions of what so many heads make of a token."""
        columns = self.spec.head_dim
        return {"n": heads * columns} if self.is_decode else {"h": heads, "n": columns}

    def sums(self, heads: int) -> dict[str, AnySize]:
        """The dimensions of what so many heads make of all tokens."""
        sizes = {**self.tokens, **self.columns(heads)}
        return {dim: sizes[dim] for dim in "bhmn" if dim in sizes}

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The products of the outputs as kernels, on CPUs that have such."""
        spec, products, rows = self.spec, [], self.spec.weight_rows
        for name, count in spec.heads.items():
            own = name if name in rows else ""
            weight = (f"{own}_weight" if own else "weight", rows[own])
            first = 0 if own else spec.first_heads[name] * spec.head_dim
            sums = (f"{name}_sums", count * spec.head_dim)
            packed = format_of(spec.weight_format, own)
            products.append(self._depth("tokens", weight, sums, spec.hidden_size, first, packed))
        return by_sums(*products)

    def sums_sizes(self, heads: int) -> list[AnySize]:
        """The sizes of the sums of those kernels, for so many heads: heads come after tokens."""
        return [*self.tokens.values(), heads, self.spec.head_dim]

    @property
    def sums_order(self) -> str:
        """The dimensions of the sums, by letter."""
        return ", ".join([*self.tokens, "h", "n"])

    @property
    def sums_groups(self) -> list[list[int]]:
        """Which dimensions of the sums are rows, and which columns."""
        tokens = len(self.tokens)
        return [list(range(tokens)), [tokens, tokens + 1]]

    def first(self, name: str) -> list[int]:
        """Where the columns of an output begin among those of all heads."""
        head = self.spec.first_heads[name]
        return [head * self.spec.head_dim] if self.is_decode else [head, 0]

    @property
    def strides(self) -> list[int]:
        """The strides of an output's columns."""
        return [1 for _ in self.columns(1)]

    @property
    def head_groups(self) -> list[list[int]]:
        """Which dimensions of an output without b are one dimension of the product."""
        return self.decoded_groups if self.is_decode else [[0, 1], [2], [3]]

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        """The tile of each of the products, which differ in their heads alone."""
        fewest = min(self.spec.heads.values())
        return self._tile(self.sums(fewest), {"k": self.spec.hidden_size})


@dataclass(frozen=True)
class HeadProjection(WithTokens):
    """The sums over columns k of what goes into each head h; m tokens by n columns that come out.

    Sequences of one token are the tokens of one sequence.
    """

    spec: HeadProjectionSpec

    @property
    def _tokens(self) -> dict[str, AnySize]:
        """The dimensions of tokens, none of size 1."""
        batch, q_len = self.spec.size("batch"), self.spec.size("q_len")
        return unless_one(m=batch) if self.has_one_token else {**unless_one(b=batch), "m": q_len}

    @property
    def has_one_token(self) -> bool:
        """Whether each sequence has one token, so that heads come after tokens."""
        return self.spec.q_len == 1

    @property
    def dims(self) -> list[str]:
        """The dimensions of heads and tokens, in the order of the product's loops."""
        return [dim for dim in "bhm" if dim in {*self._tokens, "h"}]

    @property
    def order(self) -> list[str]:
        """The dimensions in the order of memory."""
        return [*self._tokens, "h"] if self.has_one_token else self.dims

    def sizes(self, columns: int) -> list[AnySize]:
        """The sizes in that order, and columns."""
        all_sizes = {**self._tokens, "h": self.spec.num_heads}
        return [*(all_sizes[dim] for dim in self.order), columns]

    @property
    def groups(self) -> list[list[int]] | None:
        """Which dimensions of the heads are one of the product; None: each."""
        if self.has_one_token:
            return [[0], [1, 2], [3]] if self._tokens else [[0, 1, 2], [3]]
        return None if "b" in self._tokens else [[0, 1], [2], [3]]

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one, of tokens with heads."""
        spec = self.spec
        if not (self.has_one_token and self._tokens):
            return {}
        columns = spec.num_heads * spec.out_columns
        tokens = ("rows_of_heads", spec.size("batch"), spec.in_columns)
        weight, sums = ("weight_rows", columns), ("sums", columns)
        product = depth_product(
            self.target, spec.io_dtype, tokens, weight, sums, heads=spec.num_heads
        )
        return by_sums(product)

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        sizes = {**self._tokens, "h": self.spec.num_heads}
        loops, depth = {dim: sizes[dim] for dim in self.dims}, self.spec.in_columns
        most_rows = ROWS[-1] if depth <= _SHORT_DEPTH else ROWS[0]
        return self._tile({**loops, "n": self.spec.out_columns}, {"k": depth}, most_rows)


PLANS = {
    ("head_projection", "linalg"): HeadProjection,
    ("output_projection", "linalg"): OutputProjection,
    ("qkv_projection", "linalg"): QkvProjection,
}
