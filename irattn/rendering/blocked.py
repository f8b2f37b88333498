"""How a blocked graph cuts a spec into query blocks.

Templates read these numbers and compute none themselves.
"""

from dataclasses import dataclass

from irattn.specs import AttentionSpec, PagedAttentionSpec
from irattn.targets import Target


@dataclass(frozen=True)
class QueryBlock:
    """Query rows `[start, start + size)` and the tokens `[0, end)` that any of them may see.

    `rows` counts the rows of all heads of a group. Row `m` of the block sees tokens up to
    `m + causal_offset`, to which a paged graph adds the length of the context.
    """

    start: int
    size: int
    end: int
    rows: int
    causal_offset: int


class _Blocked:
    """What the blocked graphs share."""

    spec: AttentionSpec | PagedAttentionSpec

    @property
    def v_dim(self) -> int:
        raise NotImplementedError

    @property
    def batch_heads(self) -> int:
        """Pairs of batch and KV head."""
        return self.spec.batch * self.spec.num_kv_heads

    @property
    def q_rows(self) -> int:
        """Rows of the query, all heads and sequences together."""
        return self.spec.batch * self.spec.num_q_heads * self.spec.q_len

    def block(self, start: int, end: int, first_offset: int) -> QueryBlock:
        """The block that starts at a row; row 0 of the query sees up to `first_offset`."""
        size = min(_block_rows(self.spec.q_len), self.spec.q_len - start)
        return QueryBlock(start, size, end, self.spec.group_size * size, start + first_offset)

    @property
    def starts(self) -> range:
        """The first row of each block."""
        return range(0, self.spec.q_len, _block_rows(self.spec.q_len))


@dataclass(frozen=True)
class BlockedAttention(_Blocked):
    """Query blocks of the CPU graph: each reads only the keys that it sees."""

    spec: AttentionSpec
    target: Target

    @property
    def blocks(self) -> list[QueryBlock]:
        spec = self.spec
        offset = spec.kv_len - spec.q_len
        blocks = []
        for start in self.starts:
            last = start + _block_rows(spec.q_len) - 1
            end = min(spec.kv_len, max(0, last + offset + 1)) if spec.causal else spec.kv_len
            # A block that sees no key stays at the output's initial zeros.
            if end:
                blocks.append(self.block(start, end, offset))
        return blocks

    @property
    def v_dim(self) -> int:
        return self.spec.v_dim


@dataclass(frozen=True)
class BlockedPagedAttention(_Blocked):
    """Query blocks of the paged CPU graph; contexts are known only at run time."""

    spec: PagedAttentionSpec
    target: Target

    @property
    def blocks(self) -> list[QueryBlock]:
        return [self.block(start, self.spec.max_context, -self.spec.q_len) for start in self.starts]

    @property
    def v_dim(self) -> int:
        return self.spec.head_dim


def _block_rows(q_len: int) -> int:
    """Measured best block of query rows: larger blocks pay off only for long prompts."""
    if q_len <= 1024:
        return 64
    return 128 if q_len <= 2048 else 256
