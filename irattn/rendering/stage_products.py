"""How the two products of staged attention are cut up on GPUs."""

from dataclasses import dataclass

from irattn.rendering.few_rows import FewRowsTile, few_rows_tile
from irattn.rendering.product_tiles import ProductTile, padded_tile, product_tile
from irattn.rendering.whole_tiles import in_tiles
from irattn.specs.stages import AttentionScoresSpec, WeightedValuesSpec
from irattn.targets import Target


@dataclass(frozen=True)
class GroupedRows:
    """Rows by the KV head that they share: heads of all sequences, rows of each, rows of all."""

    heads: int
    of_group: int
    of_all: int


def _grouped_rows(spec: AttentionScoresSpec | WeightedValuesSpec) -> GroupedRows:
    heads, of_group = spec.batch * spec.num_kv_heads, spec.group_size * spec.q_len
    return GroupedRows(heads, of_group, heads * of_group)


@dataclass(frozen=True)
class AttentionScores:
    """The sums over head columns k; m rows of a group by n tokens of each KV head c."""

    spec: AttentionScoresSpec
    target: Target

    @property
    def rows(self) -> GroupedRows:
        """The rows of queries."""
        return _grouped_rows(self.spec)

    @property
    def tile(self) -> ProductTile | None:
        """A tile where the compiler's own does not do."""
        spec = self.spec
        sizes = {"c": self.rows.heads, "m": self.rows.of_group, "n": spec.kv_len}
        return padded_tile(sizes, {"k": spec.head_dim}, spec.io_dtype, self.target)


@dataclass(frozen=True)
class WeightedValues:
    """The sums over tokens t; m rows of a group by n value columns of each KV head c."""

    spec: WeightedValuesSpec
    target: Target

    @property
    def rows(self) -> GroupedRows:
        """The rows of weights."""
        return _grouped_rows(self.spec)

    @property
    def tokens(self) -> int:
        """The tokens of the product; on GPUs with zeros up to a whole tile."""
        return in_tiles(self.spec.kv_len, self.target)

    @property
    def tile(self) -> ProductTile | FewRowsTile | None:
        """A tile where the compiler's own does not do."""
        spec, heads, rows = self.spec, self.rows.heads, self.rows.of_group
        sizes = {"c": heads, "m": rows, "n": spec.head_dim}
        return few_rows_tile(heads, rows, spec.head_dim, self.tokens, self.target) or product_tile(
            sizes, {"t": self.tokens}, spec.io_dtype, self.target
        )


PLANS = {
    ("attention_scores", "linalg"): AttentionScores,
    ("weighted_values", "linalg"): WeightedValues,
}
