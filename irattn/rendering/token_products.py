"""The base of products with tokens: their rows, CPU kernels and GPU tiles."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from irattn.core.tensors import AnySize, DynamicSize, largest
from irattn.rendering.depth_products import DepthProduct
from irattn.rendering.few_tokens import MOST_TOKENS, VectorTile, vector_tile
from irattn.rendering.product_choice import depth_product
from irattn.rendering.product_tiles import ProductTile, product_tile
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.linear import LinearSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.targets import Target


@dataclass(frozen=True)
class WithTokens:
    """The base of products with tokens: the hidden state, of `rows` tokens.

    From a product that has a dimension of size 1 the compiler takes the dimension away, and with it
    the tile; so on GPUs the text has no dimension of one token.
    """

    spec: (
        OutputProjectionSpec
        | QkvProjectionSpec
        | MlpSpec
        | LmHeadSpec
        | LinearSpec
        | HeadProjectionSpec
    )
    target: Target

    @property
    def is_cut_for_gpu(self) -> bool:
        """Whether the compiler makes the product on a GPU, by a tile; not one of packed weights."""
        packed = getattr(self.spec, "weight_format", None)
        return self.target.is_gpu and packed is None

    @property
    def rows(self) -> dict[str, AnySize]:
        """The dimension of all tokens, m, where it is one; on GPUs b and m where only b is unknown.

        A GPU's code has matrix instructions where the compiler knows that rows come in whole steps,
        as those of 64 tokens a sequence do.
        """
        if not self.is_cut_for_gpu:
            return {"m": self.spec.rows}
        batch, q_len = self.spec.size("batch"), self.spec.size("q_len")
        if isinstance(batch, DynamicSize) and isinstance(q_len, int) and q_len > 1:
            return {"b": batch, "m": q_len}
        return {} if self.spec.rows == 1 else {"m": self.spec.rows}

    @property
    def row_groups(self) -> list[list[int]] | None:
        """Which dimensions of the hidden state are one dimension of the product; None: each."""
        if len(self.rows) == 2:
            return None
        return [[0, 1], [2]] if self.rows else [[0, 1, 2]]

    @property
    def _least_rows(self) -> int:
        """How many tokens a call has at least."""
        known = [size for size in map(self.spec.size, ("batch", "q_len")) if isinstance(size, int)]
        return math.prod(known)

    def _depth(
        self,
        tokens: str,
        weight: tuple[str, int],
        sums: tuple[str, int],
        depth: int,
        first: int = 0,
        packed: str | None = None,
        stored: bool = False,
    ) -> DepthProduct | None:
        """The product as a CPU's own kernel makes it; arguments as `depth_product` takes them."""
        return depth_product(
            self.target,
            self.spec.io_dtype,
            (tokens, self.spec.rows, depth),
            weight,
            sums,
            first,
            packed=packed,
            rounds=getattr(self.spec, "activation_format", None) is not None,
            least_rows=self._least_rows,
            stored=stored,
        )

    def _tile_of_rows(
        self, columns: int, depth: int, most_rows: int = 128
    ) -> ProductTile | VectorTile | None:
        """The tile of x · weightᵀ of all tokens, with a weight of `columns` rows of `depth`."""
        return self._tile({**self.rows, "n": columns}, {"k": depth}, most_rows)

    def _tile(
        self, sizes: Mapping[str, AnySize], sums: dict[str, int], most_rows: int = 128
    ) -> ProductTile | VectorTile | None:
        """The tile of a product over the dimensions `sizes` and then `sums`."""
        spec = self.spec
        if not self.is_cut_for_gpu:
            return None
        if not spec.dynamic and largest(spec.rows) <= MOST_TOKENS:
            known = {dim: largest(size) for dim, size in sizes.items()}
            if tile := vector_tile(known, sums, spec.io_dtype, self.target):
                return tile
        return product_tile(sizes, sums, spec.io_dtype, self.target, most_rows)


def by_sums(*products: DepthProduct | None) -> dict[str, DepthProduct]:
    """All products by their sums, or none where one of them is the compiler's."""
    by_sums = {product.sums.name: product for product in products if product}
    return by_sums if len(by_sums) == len(products) else {}


def unless_one(**sizes: AnySize) -> dict[str, AnySize]:
    return {dim: size for dim, size in sizes.items() if largest(size) > 1}
