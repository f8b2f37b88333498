"""How plain products of tokens are cut up: an MLP's, logits, any linear map.

Templates read these numbers and compute none themselves.
"""

from dataclasses import dataclass

from irattn.rendering.depth_products import DepthProduct
from irattn.rendering.few_tokens import VectorTile
from irattn.rendering.product_tiles import ProductTile
from irattn.rendering.token_products import WithTokens, by_sums
from irattn.specs.linear import LinearSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.mlp import XIELU, MlpSpec
from irattn.specs.weight_formats import format_of


@dataclass(frozen=True)
class Mlp(WithTokens):
    """The sums over columns k of what goes in; m tokens by n columns of what comes out."""

    spec: MlpSpec

    @property
    def up_tile(self) -> ProductTile | VectorTile | None:
        """The tile of gate and up: beside more rows, an activation has no registers."""
        spec = self.spec
        return self._tile_of_rows(spec.intermediate_size, spec.hidden_size, most_rows=64)

    @property
    def learned(self) -> dict[str, int]:
        """The parameters of the activation, by their places, where it has any."""
        names = ("above", "below", "slope", "edge") if self.spec.activation == XIELU else ()
        return {name: place for place, name in enumerate(names)}

    @property
    def firsts(self) -> dict[str, int]:
        """Where gate and up begin among the rows of their weight."""
        return {"gate": 0, "up": self.spec.intermediate_size} if self.spec.gated else {"up": 0}

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The products of gate, if there is one, up and down as kernels, on CPUs that have such."""
        spec, inner, names = self.spec, self.spec.intermediate_size, self.spec.up_names
        given = []
        for name, first in self.firsts.items():
            own = name if name in names else spec.up_name
            weight = (f"{own}_weight", spec.up_rows // len(names))
            place, packed = (0 if own == name else first), format_of(spec.weight_format, own)
            sums = (name, inner)
            given.append(self._depth("tokens", weight, sums, spec.hidden_size, place, packed))
        down = ("down_weight", spec.hidden_size), ("down", spec.hidden_size)
        packed = format_of(spec.weight_format, "down")
        stored = not spec.has_bias
        return by_sums(*given, self._depth("inner", *down, inner, packed=packed, stored=stored))

    @property
    def down_tile(self) -> ProductTile | VectorTile | None:
        return self._tile_of_rows(self.spec.hidden_size, self.spec.intermediate_size)


@dataclass(frozen=True)
class LmHead(WithTokens):
    """The sums over hidden columns k; m tokens by n tokens of the vocabulary."""

    spec: LmHeadSpec

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        weight, sums = ("weight", spec.vocab_size), ("acc", spec.vocab_size)
        packed = spec.weight_format
        return by_sums(self._depth("tokens", weight, sums, spec.hidden_size, packed=packed))

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        return self._tile_of_rows(self.spec.vocab_size, self.spec.hidden_size)


@dataclass(frozen=True)
class Linear(WithTokens):
    """The sums over columns k of what goes in; m tokens by n columns of what comes out."""

    spec: LinearSpec

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        weight, sums = ("weight", spec.out_columns), ("acc", spec.out_columns)
        packed = spec.weight_format
        depth = spec.in_columns
        return by_sums(self._depth("tokens", weight, sums, depth, packed=packed, stored=True))

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        return self._tile_of_rows(self.spec.out_columns, self.spec.in_columns)


PLANS = {
    ("linear", "linalg"): Linear,
    ("lm_head", "linalg"): LmHead,
    ("mlp", "linalg"): Mlp,
}
