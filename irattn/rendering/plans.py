"""How a formulation lays out a spec: padded sizes and query blocks.

Templates read these numbers and compute none themselves.
"""

from dataclasses import dataclass
from functools import cached_property

from irattn.specs import AttentionSpec, PagedAttentionSpec
from irattn.targets import Target

# Matrix instructions need head sizes that divide evenly among the subgroups.
_MATRIX_HEAD_DIMS = (32, 64, 128, 256)


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _matrix_head_dim(head_dim: int) -> int:
    return next(size for size in _MATRIX_HEAD_DIMS if size >= head_dim)


@dataclass(frozen=True)
class FusedAttention:
    """Padded sizes of the one-kernel graph for GPUs.

    Prefill is padded so that matrix instructions fit: query rows to 16, KV tokens to 64, head
    columns to a power of two. Decode (one query row) is bound by memory traffic and runs without
    matrix instructions, so nothing is copied for it.
    """

    spec: AttentionSpec
    target: Target

    @property
    def is_decode(self) -> bool:
        return self.spec.q_len == 1

    @property
    def q_len(self) -> int:
        return 1 if self.is_decode else _round_up(self.spec.q_len, 16)

    @property
    def kv_len(self) -> int:
        return self.spec.kv_len if self.is_decode else _round_up(self.spec.kv_len, 64)

    @property
    def head_dim(self) -> int:
        return self.spec.head_dim if self.is_decode else _matrix_head_dim(self.spec.head_dim)

    @property
    def v_dim(self) -> int:
        return self.spec.v_dim if self.is_decode else _matrix_head_dim(self.spec.v_dim)

    @property
    def pads_query(self) -> bool:
        return (self.q_len, self.head_dim) != (self.spec.q_len, self.spec.head_dim)

    @property
    def pads_key(self) -> bool:
        return (self.kv_len, self.head_dim) != (self.spec.kv_len, self.spec.head_dim)

    @property
    def pads_value(self) -> bool:
        return (self.kv_len, self.v_dim) != (self.spec.kv_len, self.spec.v_dim)

    @property
    def pads_output(self) -> bool:
        return (self.q_len, self.v_dim) != (self.spec.q_len, self.spec.v_dim)

    @property
    def is_causal(self) -> bool:
        """Whether the causal mask hides anything: one query row sees every key."""
        return self.spec.causal and not self.is_decode

    @property
    def hides_padding(self) -> bool:
        return self.kv_len != self.spec.kv_len

    @property
    def has_mask(self) -> bool:
        return self.is_causal or self.hides_padding

    @property
    def causal_offset(self) -> int:
        """Row 0 sees keys up to this one."""
        return self.spec.kv_len - self.spec.q_len


@dataclass(frozen=True)
class Tile:
    """How one kernel is cut up, over the iteration dimensions that are larger than 1.

    `workgroup` and `reduction` are tile sizes (0: not tiled), `subgroups` counts the subgroups
    along each dimension, `qk_dims` and `pv_dims` are the dimensions of the two products.
    """

    instruction: str
    workgroup: list[int]
    reduction: list[int]
    subgroups: list[int]
    qk_dims: list[int]
    pv_dims: list[int]
    workgroup_size: int
    subgroup_size: int


@dataclass(frozen=True)
class FusedPagedAttention:
    """Padded sizes and tile of the one-kernel paged graph for GPUs; decode is not padded."""

    spec: PagedAttentionSpec
    target: Target

    @property
    def is_decode(self) -> bool:
        return self.spec.q_len == 1

    @property
    def q_len(self) -> int:
        if self.is_decode:
            return 1
        return 16 if self.spec.q_len <= 16 else _round_up(self.spec.q_len, 64)

    @property
    def head_dim(self) -> int:
        return self.spec.head_dim if self.is_decode else _matrix_head_dim(self.spec.head_dim)

    @property
    def max_blocks(self) -> int:
        """Prefill has at least two pages, so that the page dimension does not vanish."""
        return self.spec.max_blocks if self.is_decode else max(2, self.spec.max_blocks)

    @property
    def pads_query(self) -> bool:
        return (self.q_len, self.head_dim) != (self.spec.q_len, self.spec.head_dim)

    @property
    def pads_table(self) -> bool:
        return self.max_blocks != self.spec.max_blocks

    @property
    def pads_pages(self) -> bool:
        return self.head_dim != self.spec.head_dim

    @property
    def tile(self) -> Tile | None:
        """The tile of prefill with matrix instructions, None where the compiler chooses.

        One step of the reduction reads from one page: the compiler's own choice spans pages and
        does not compile for most sizes. A page smaller than the instruction is left to the
        compiler, which then uses no matrix instructions.
        """
        spec, target = self.spec, self.target
        instruction = target.matrix.get(spec.io_dtype)
        if self.is_decode or instruction is None:
            return None
        # Tokens are columns of the first product and depth of the second.
        tokens = max(instruction.n, instruction.k)
        if spec.block_size % tokens:
            return None
        subgroups = min(self.q_len, 64) // instruction.m
        assert target.wave_size is not None, "targets with matrix instructions have a wave size"
        # All columns at once, unless they would not fit the registers.
        columns = 128 if self.head_dim > 128 else 0
        sizes = [spec.batch, spec.num_kv_heads, spec.group_size]
        sizes += [self.q_len, self.head_dim, self.head_dim, self.max_blocks, spec.block_size]
        kept = [dim for dim, size in enumerate(sizes) if size > 1]

        def keep(values: list[int]) -> list[int]:
            return [values[dim] for dim in kept]

        m, n, k = 3, 4, 5
        return Tile(
            instruction=instruction.name,
            workgroup=keep([1, 1, 1, subgroups * instruction.m, columns, 0, 0, 0]),
            reduction=keep([0, 0, 0, 0, 0, 0, 1, tokens]),
            subgroups=keep([1] * m + [subgroups] + [1] * 4),
            qk_dims=[i for i, dim in enumerate(kept) if dim != n],
            pv_dims=[i for i, dim in enumerate(kept) if dim != k],
            workgroup_size=subgroups * target.wave_size,
            subgroup_size=target.wave_size,
        )


@dataclass(frozen=True)
class QueryBlock:
    """Query rows `[start, start + size)` and the keys `[0, end)` that any of them sees."""

    start: int
    size: int
    end: int
    rows: int
    causal_offset: int


@dataclass(frozen=True)
class BlockedAttention:
    """Query blocks of the CPU graph: each reads only the keys that it sees."""

    spec: AttentionSpec
    target: Target

    @cached_property
    def blocks(self) -> tuple[QueryBlock, ...]:
        spec = self.spec
        blocks = []
        for start in range(0, spec.q_len, _query_block(spec.q_len)):
            size = min(_query_block(spec.q_len), spec.q_len - start)
            offset = start + spec.kv_len - spec.q_len
            end = min(spec.kv_len, max(0, offset + size)) if spec.causal else spec.kv_len
            # A block that sees no key stays at the output's initial zeros.
            if end:
                blocks.append(QueryBlock(start, size, end, spec.group_size * size, offset))
        return tuple(blocks)

    @property
    def is_causal(self) -> bool:
        """Whether the causal mask hides anything: one query row sees every key."""
        return self.spec.causal and self.spec.q_len > 1

    @property
    def batch_heads(self) -> int:
        return self.spec.batch * self.spec.num_kv_heads

    @property
    def q_rows(self) -> int:
        return self.spec.batch * self.spec.num_q_heads * self.spec.q_len

    @property
    def v_dim(self) -> int:
        return self.spec.v_dim

    @property
    def tokens(self) -> int:
        return self.spec.kv_len


@dataclass(frozen=True)
class BlockedPagedAttention:
    """Query blocks of the paged CPU graph; contexts are known only at run time."""

    spec: PagedAttentionSpec
    target: Target

    @cached_property
    def blocks(self) -> tuple[QueryBlock, ...]:
        spec = self.spec
        block = _query_block(spec.q_len)
        return tuple(
            QueryBlock(
                start,
                min(block, spec.q_len - start),
                spec.max_context,
                spec.group_size * min(block, spec.q_len - start),
                start - spec.q_len,
            )
            for start in range(0, spec.q_len, block)
        )

    @property
    def batch_heads(self) -> int:
        return self.spec.batch * self.spec.num_kv_heads

    @property
    def q_rows(self) -> int:
        return self.spec.batch * self.spec.num_q_heads * self.spec.q_len

    @property
    def v_dim(self) -> int:
        return self.spec.head_dim

    @property
    def tokens(self) -> int:
        return self.spec.max_context


@dataclass(frozen=True)
class TorchAttention:
    """What torch's attention cannot say itself: masks aligned at the bottom right."""

    spec: AttentionSpec
    target: Target

    @property
    def is_causal(self) -> bool:
        return self.spec.causal and self.spec.q_len > 1

    @property
    def causal_offset(self) -> int:
        return self.spec.kv_len - self.spec.q_len

    @property
    def first_row(self) -> int:
        """The first row that sees a key."""
        return max(0, -self.causal_offset) if self.is_causal else 0

    @property
    def rows(self) -> int:
        return self.spec.q_len - self.first_row

    @property
    def is_square_causal(self) -> bool:
        """Whether torch's own causal mask fits the rows that see a key."""
        return self.is_causal and self.rows == self.spec.kv_len

    @property
    def has_mask(self) -> bool:
        return self.is_causal and not self.is_square_causal


def _query_block(q_len: int) -> int:
    """Measured best block of query rows: larger blocks pay off only for long prompts."""
    if q_len <= 1024:
        return 64
    return 128 if q_len <= 2048 else 256


Plan = (
    FusedAttention | FusedPagedAttention | BlockedAttention | BlockedPagedAttention | TorchAttention
)
