"""How workgroups share the query heads of a tile of keys, where these are few for a chip."""

from dataclasses import dataclass
from math import prod

from irattn.rendering.values import Value
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import Target

# Queries that see a key, at least, for sums of less than a group to be worth their way to memory.
_LEAST_QUERIES = 256


@dataclass(frozen=True)
class HeadShares:
    """So many sums, of as many query heads each, are added up to a gradient of keys or values.

    `shape` is that of the gradient with its sums, [batch, KV head, share, token, column].
    """

    count: int
    shape: tuple[int, ...]

    @property
    def added_shape(self) -> tuple[int, ...]:
        """The shape of a gradient."""
        return self.shape[:2] + self.shape[3:]

    def value(self, name: str) -> Value:
        """The sums of a gradient as rows."""
        return Value(f"{name}_shares", (prod(self.shape[:-1]), self.shape[-1]), "f32")


def head_shares(
    spec: AttentionBackwardSpec | PackedAttentionBackwardSpec,
    target: Target,
    rows: int,
    columns: int,
) -> HeadShares | None:
    """The shares of workgroups of so many `rows` of keys; None where each takes a whole group.

    There are as many as give each compute unit one workgroup at most. By the model the gradients of
    1,024 causal tokens with 32/8 heads of 128 take 46.5 us on gfx942, where 85.6 without shares.
    The bits of a packed sequence depend on no other one, so that its gradients have none.
    """
    if isinstance(spec, PackedAttentionBackwardSpec) or _queries_seen(spec) < _LEAST_QUERIES:
        return None
    workgroups = spec.batch * spec.num_kv_heads * -(-spec.kv_len // rows)
    group = spec.group_size
    room = range(1, min(group, _places(target) // workgroups) + 1)
    count = max((n for n in room if group % n == 0), default=1)
    shape = (spec.batch, spec.num_kv_heads, count, spec.kv_len, columns)
    return HeadShares(count, shape) if count > 1 else None


def _queries_seen(spec: AttentionBackwardSpec) -> int:
    """The most queries of a head that may see a key."""
    ahead = 0 if spec.causal else spec.window_right
    if spec.window_left is None or ahead is None:
        return spec.q_len
    return min(spec.q_len, spec.window_left + 1 + ahead)


def _places(target: Target) -> int:
    """A chip's compute units, or work-group processors; 0 where they are not known."""
    chip = target.chip
    if chip is None or chip.peak is None or chip.simd is None:
        return 0
    return chip.peak.compute_units * chip.simd.of_unit // chip.simd.simds
