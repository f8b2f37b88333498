"""How workgroups share the query heads of a tile of keys, where these are few for a chip."""

from dataclasses import dataclass
from math import prod

from irattn.core.tensors import AnySize, largest
from irattn.rendering.attention_backward_tile import BackwardSpec, BackwardTile
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import Target

# Queries that see a key, at least, for sums of less than a group to be worth their way to memory.
_LEAST_QUERIES = 256


@dataclass(frozen=True)
class HeadShares:
    """So many sums, of as many query heads each, are added up to a gradient of keys or values.

    `shape` is that of the gradient with its sums, [batch, KV head, share, token, column], and of
    `packed` tokens [token, KV head, share, column].
    """

    count: int
    shape: tuple[AnySize, ...]
    packed: bool

    @property
    def added_shape(self) -> tuple[AnySize, ...]:
        """The shape of a gradient."""
        return self.shape[:2] + self.shape[3:]

    @property
    def letters(self) -> list[str]:
        """The axes of a gradient with its sums, as maps name them: `s` is that of shares."""
        return list("mhsn" if self.packed else "bhsmn")

    @property
    def added_letters(self) -> list[str]:
        """The axes of a gradient."""
        return [letter for letter in self.letters if letter != "s"]

    @property
    def axes(self) -> list[list[int]]:
        """The axes that each of those of a kernel's result becomes."""
        return [[0], [1, 2, 3]] if self.packed else [[0, 1, 2, 3], [4]]

    def value(self, name: str) -> Value:
        """The sums of a gradient as rows."""
        tokens, *others = self.shape
        *rows, columns = map(largest, self.shape)
        packed = (value_of(tokens), prod(map(largest, others)))
        return Value(f"{name}_shares", packed if self.packed else (prod(rows), columns), "f32")


def head_shares(tile: BackwardTile) -> HeadShares | None:
    """The shares of the workgroups of a tile of keys; None where each takes a whole group.

    There are as many as give each compute unit one workgroup at most. By the model the gradients of
    1,024 causal tokens with 32/8 heads of 128 take 46.5 us on gfx942, where 85.6 without shares.
    Of packed tokens each head is a share where whole groups take less than half of the units: heads
    are added up one by one without shares, too (`adds_heads`), so that bits do not tell. 300 tokens
    of two sequences with 6/2 heads of 128 take 19.2 us, without shares 29.5.
    """
    spec = tile.spec
    if _queries_seen(spec) < _LEAST_QUERIES:
        return None
    group, kv_heads = spec.group_size, spec.num_kv_heads
    workgroups = kv_heads * -(-largest(spec.num_keys) // tile.rows)
    if isinstance(spec, PackedAttentionBackwardSpec):
        is_idle = tile.adds_heads and 2 * workgroups <= _places(tile.target)
        shape = (spec.num_keys, kv_heads, group, spec.head_dim)
        return HeadShares(group, shape, packed=True) if is_idle else None
    room = range(1, min(group, _places(tile.target) // (spec.batch * workgroups)) + 1)
    count = max((n for n in room if group % n == 0), default=1)
    of_batch = (spec.batch, kv_heads, count, spec.kv_len, spec.head_dim)
    return HeadShares(count, of_batch, packed=False) if count > 1 else None


def _queries_seen(spec: BackwardSpec) -> int:
    """The most queries of a head that may see a key."""
    queries = largest(spec.num_queries)
    ahead = 0 if spec.causal else spec.window_right
    if spec.window_left is None or ahead is None:
        return queries
    return min(queries, spec.window_left + 1 + ahead)


def _places(target: Target) -> int:
    """A chip's compute units, or work-group processors; 0 where they are not known."""
    chip = target.chip
    if chip is None or chip.peak is None or chip.simd is None:
        return 0
    return chip.peak.compute_units * chip.simd.of_unit // chip.simd.simds
