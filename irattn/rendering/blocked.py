"""How a blocked graph cuts a spec into query blocks.

Templates read these numbers and compute none themselves.
"""

from dataclasses import dataclass

from irattn.rendering.logits import LogitRules, Operand
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.targets import Target
from irattn.tensors import DynamicSize


@dataclass(frozen=True)
class QueryBlock:
    """Queries `[start, start + size)` and the tokens `[begin, begin + tokens)` that they may see.

    `rows` counts the rows of all heads of a group.
    """

    start: int
    size: int
    begin: int
    tokens: int
    rows: int

    @property
    def last_token(self) -> int | str:
        """The last of its tokens, for the reader."""
        is_dynamic = isinstance(self.tokens, DynamicSize)
        return "the last" if is_dynamic else self.begin + self.tokens - 1

    def takes_whole(self, operand: Operand) -> bool:
        """Whether a block reads all of an operand of the rules."""
        return self.sizes(operand) == operand.sizes

    def offsets(self, operand: Operand) -> list[int]:
        """Where the part of an operand begins that the block reads."""
        return [{"m": self.start, "t": self.begin}.get(axis, 0) for axis in operand.axes]

    def sizes(self, operand: Operand) -> list[int]:
        """How large that part is."""
        cut = {"m": self.size, "t": self.tokens}
        pairs = zip(operand.axes, operand.sizes, strict=True)
        return [cut.get(axis, size) for axis, size in pairs]


@dataclass(frozen=True)
class Blocked:
    """Query blocks of the CPU graph: each reads only the tokens that it may see."""

    spec: AttentionFeatures
    target: Target

    @property
    def batch(self) -> int:
        """Sequences that have a dimension of their own; packed ones have none."""
        return self.rules.sizes["b"]

    @property
    def batch_heads(self) -> int:
        """Pairs of batch and KV head."""
        pairs = self.rules.sizes["b"] * self.spec.num_kv_heads
        return DynamicSize(pairs, "batch_heads", 1) if isinstance(pairs, DynamicSize) else pairs

    @property
    def has_loop(self) -> bool:
        """Whether the number of queries is dynamic: blocks are as many as a call has."""
        return isinstance(self.spec.num_queries, DynamicSize)

    @property
    def rules(self) -> LogitRules:
        spec = self.spec
        sizes = {
            "b": 1 if isinstance(spec, PackedAttentionSpec) else spec.size("batch"),
            "h": spec.num_kv_heads,
            "g": spec.group_size,
            "m": spec.num_queries,
            "t": spec.num_keys,
        }
        return LogitRules(spec, sizes, ("t",))

    @property
    def blocks(self) -> list[QueryBlock]:
        """The blocks, or the one that a loop repeats where the number of queries is dynamic."""
        queries = self.spec.num_queries
        if isinstance(queries, DynamicSize):
            step = queries.multiple
            rows = self.spec.group_size * step
            return [QueryBlock(DynamicSize(0, "start", step), step, 0, self.spec.num_keys, rows)]
        rows = _block_rows(queries)
        blocks = []
        for start in range(0, self.spec.num_queries, rows):
            size = min(rows, self.spec.num_queries - start)
            begin, end = self.rules.tokens_seen(start, start + size - 1)
            # A block that sees no token is left out.
            if begin < end:
                group_rows = self.spec.group_size * size
                tokens = end - begin if begin else end
                blocks.append(QueryBlock(start, size, begin, tokens, group_rows))
        return blocks


def unrolled_blocks(spec: Spec) -> int:
    """How many blocks the graph of a spec writes out; 0 where it has none."""
    queries = getattr(spec.compiled, "num_queries", 0)
    return 1 if isinstance(queries, DynamicSize) else -(-queries // _block_rows(queries))


def _block_rows(q_len: int) -> int:
    """Measured best block of query rows: larger blocks pay off only for long prompts."""
    if q_len <= 1024:
        return 64
    return 128 if q_len <= 2048 else 256


PLANS = {
    ("attention", "linalg/blocked"): Blocked,
    ("packed_attention", "linalg/blocked"): Blocked,
    ("paged_attention", "linalg/blocked"): Blocked,
    ("paged_update_attention", "linalg/blocked"): Blocked,
}
