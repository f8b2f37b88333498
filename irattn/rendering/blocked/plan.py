"""What the blocked graphs share: a workgroup's rows, its keys, and what it reads and writes.

Templates read these numbers and names and compute none themselves.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, TypeVar

from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.attention_plan import AttentionPlan
from irattn.rendering.blocked.across import Across
from irattn.rendering.blocked.choose import tile_for
from irattn.rendering.blocked.fetch import Fetch
from irattn.rendering.blocked.kernels import BlockedKernel, KernelResult, whole
from irattn.rendering.blocked.rules import BlockedRules
from irattn.rendering.blocked.space import allowed_tiles, numbers_of
from irattn.rendering.blocked.tile import BlockedTile
from irattn.rendering.cache_writing import CacheWriting
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec

# A few rows against many keys leave most cores idle: keys are cut into parts of so many, which are
# attended to apart and merged. It is the same number for every length, so that the bits of a
# sequence do not depend on how long others may be.
PART_KEYS = 1024
# Where a workgroup has all heads of a block, there are as many fewer.
_PART_KEYS_OF_HEADS = 512
_FEW_QUERIES = 8


_T = TypeVar("_T")


@dataclass(frozen=True)
class Blocked(AttentionPlan):
    """What one workgroup attends to: queries of some heads of a group, and keys in steps."""

    template: ClassVar[str | None] = "attention/cpu.mlir.j2"

    # How work is cut.

    @cached_property
    def tile(self) -> BlockedTile:
        """The tile of a step."""
        queries = self.queries_of_head
        known = None if isinstance(queries, DynamicSize) else queries
        tile = tile_for(self.target, self.spec, known, self.block_size)
        return replace(tile, **self.chosen_fields)

    @property
    def tile_numbers(self) -> dict[str, int]:
        return numbers_of(self.tile) | ({"part_keys": self.part_keys} if self.is_split else {})

    @property
    def allowed_tiles(self) -> list[dict[str, int]]:
        queries = self.queries_of_head
        known = None if isinstance(queries, DynamicSize) else queries
        own = replace(self, chosen=None)
        return own.with_parts(allowed_tiles(own.tile, self.spec, known))

    @property
    def block_size(self) -> int | None:
        """Tokens of a block, where a table tells where blocks lie."""
        return self.spec.block_size if isinstance(self.spec, PagedAttentionSpec) else None

    @property
    def tiles_of_kv_head(self) -> int:
        """Heads of the grid for each KV head."""
        return self.spec.group_size // self.tile.heads

    @property
    def is_split(self) -> bool:
        """Whether keys are cut into parts: those of few queries, which make one tile."""
        queries = self.queries_of_head
        if self.is_packed or isinstance(queries, DynamicSize):
            return False
        if largest(self.spec.num_keys) <= self.part_keys:
            return False
        return queries <= self.tile.queries and queries < _FEW_QUERIES

    @property
    def part_keys(self) -> int:
        if self.chosen and "part_keys" in self.chosen:
            return self.chosen["part_keys"]
        return PART_KEYS if self.tile.kv_heads == 1 else max(_PART_KEYS_OF_HEADS, self.tile.keys)

    # Sizes, as values of the kernel.

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        """Sizes that the kernel asks for by name."""
        heads = self.spec.num_q_heads // self.tile.heads
        if isinstance(self.spec, PackedAttentionSpec):
            return {
                "sequences": 1,
                "heads": heads,
                "packed": self.spec.batch,
                "q_tokens": self.spec.q_tokens,
                "keys_of_axis": self.spec.kv_tokens,
            }
        return {
            "sequences": self.spec.size("batch"),
            "heads": heads,
            "queries_of_head": self.queries_of_head,
            "keys_of_axis": self.spec.num_keys,
            **super().named_sizes,
        }

    @property
    def constants(self) -> dict[str, int]:
        """Those sizes that are known, and those of the tile."""
        tile = self.tile
        steps = {
            "none": 0,
            "one": 1,
            "head_steps": tile.head_steps,
            "two": 2,
            "lanes": tile.registers.lanes,
            "step": tile.keys,
            "rows": tile.rows,
            "block_rows": tile.block_rows,
            "score_block": tile.score_block,
            "scored_keys": tile.scored_keys,
            "value_columns": tile.value_columns,
            "value_block": tile.value_block,
            "value_rows": tile.value_rows,
            "tile_heads": tile.heads,
        }
        return {**steps, **self.known_sizes}

    # What is seen.

    @cached_property
    def rules(self) -> BlockedRules:
        """What happens to logits."""
        return BlockedRules(self.spec)

    # Where rows lie: a value for each axis but that of the columns.

    def _in_order(self, heads: _T, tokens: _T) -> tuple[_T, _T]:
        """What is said of heads and tokens in the order of the axes."""
        return (tokens, heads) if self.spec.has_tokens_first else (heads, tokens)

    @property
    def writing(self) -> CacheWriting | None:
        """How new tokens are written into a cache before, where they are."""
        if isinstance(self.spec, PagedUpdateAttentionSpec):
            return CacheWriting(self.spec, self.target)
        return None

    @property
    def is_packed(self) -> bool:
        """Whether tokens of several sequences lie in a row."""
        return isinstance(self.spec, PackedAttentionSpec)

    @property
    def key_run(self) -> int:
        """Keys that lie one after the other, and are turned at once."""
        lanes = self.tile.registers.lanes
        return math.gcd(self.block_size, lanes) if self.block_size else lanes

    @property
    def interleaves_keys(self) -> bool:
        """Whether a run has as many keys as lanes, so that interleaving turns it."""
        return self.key_run == self.tile.registers.lanes

    @property
    def half_run(self) -> int:
        """Half of a run."""
        return self.key_run // 2

    @property
    def turns(self) -> int:
        """Interleavings that turn a run of as many keys as lanes."""
        return self.key_run.bit_length() - 1

    @property
    def across_block(self) -> Across:
        """From a register for each row of a block to a number for each."""
        return Across("block", self.tile.block_rows, self.tile.registers.lanes)

    @property
    def across_keys(self) -> Across:
        """From a register for each of some keys and row of a block to a score for each."""
        return Across("keys", self.tile.registers.lanes, self.tile.registers.lanes)

    @property
    def reads_queries(self) -> bool:
        """Whether scores take queries as they lie in memory, and no step copies them.

        2,048 causal queries take 0.98 of the time on a Zen 4 core, 512 that see all 0.97.
        """
        return self.element == "f32" and not (self.tile.reads_rows or self.tile.mixes_heads)

    # The kernels.

    @property
    def _sizes(self) -> list[str]:
        parts = [self.part_count] if isinstance(self.part_count, str) else []
        return [f"%{name}_dim" for name in sorted(self.chosen_sizes)] + parts

    @property
    def kernel(self) -> BlockedKernel:
        """The dispatch that attends."""
        # The merge adds sinks.
        later = (Role.SINKS,) if self.is_split else ()
        arguments = [tensor for tensor in self.arguments if tensor.role not in later]
        return BlockedKernel(
            [whole(tensor) for tensor in arguments],
            [f"%{whole(self.source_of(tensor)).name}" for tensor in arguments],
            self.part_results if self.is_split else self.results,
            self._sizes,
            (self.at("sequences"), "%heads", "%tiles"),
            self.constants,
        )

    @property
    def fetch(self) -> Fetch:
        """What it fetches before it is read, where rows are few."""
        names = (self.key_argument.name, self.value_argument.name)
        return Fetch(self.kernel, self.tile, self.spec.io_dtype, *names)

    @property
    def merging(self) -> BlockedKernel:
        """The dispatch that merges parts of the keys."""
        sinks = [whole(tensor) for tensor in self.arguments if tensor.role == Role.SINKS]
        values = [result.value for result in self.part_results] + sinks
        return BlockedKernel(
            values,
            [f"%{value.name}" for value in values],
            self.results,
            self._sizes,
            (self.at("sequences"), "%heads", "%one"),
            self.constants,
        )

    @property
    def tile_count(self) -> int | None:
        """Tiles of all queries of a head; None where it follows from the call.

        Each packed sequence, and the padding after the last one, may have a tile that is not full.
        """
        if isinstance(self.spec, PackedAttentionSpec):
            return self.spec.q_tokens // self.tile.queries + self.spec.batch + 1
        queries = self.queries_of_head
        return None if isinstance(queries, DynamicSize) else -(-queries // self.tile.queries)

    @property
    def results(self) -> list[KernelResult]:
        """What finished rows become."""
        return [self._result(tensor) for tensor in self.outputs]

    @property
    def output(self) -> KernelResult:
        """The weighted values, as they are returned."""
        return self.results[0]

    @property
    def lse(self) -> KernelResult:
        """The log-sum-exp, where it is asked for."""
        return self.results[1]

    @property
    def part_acc(self) -> KernelResult:
        """The weighted values of a part of the keys."""
        return self.part_results[0]

    @property
    def part_max(self) -> KernelResult:
        """The maxima of a part; its sums are like them."""
        return self.part_results[1]

    def _result(self, tensor: TensorType) -> KernelResult:
        sequence: list[tuple[str, int | str]] = [] if self.is_packed else [("%b", 1)]
        heads: tuple[str, int | str] = ("%first_head", self.tile.heads)
        queries = ("%first_token" if self.is_packed else "%first_query", "%queries_here")
        if tensor.role == Role.LSE:
            own = [heads, queries]
        else:
            own = [*self._in_order(heads, queries), ("%none", self.spec.v_dim)]
        place, sizes = zip(*sequence, *own, strict=True)
        kept = range(len(sequence), len(sequence) + len(own))
        return KernelResult(whole(tensor), place, sizes, tuple(kept))

    @property
    def part_results(self) -> list[KernelResult]:
        """What the parts of the keys give: weighted values, maxima and sums."""
        shape = (value_of(self.spec.size("batch")), self.constants["heads"], self.part_count)
        rows, columns = (self.tile.rows,), (self.tile.value_columns,)
        results = []
        for name in ("part_acc", "part_max", "part_sum"):
            sizes = rows + columns if name == "part_acc" else rows
            place = ("%b", "%x", "%i", *("%none" for _ in sizes))
            kept = tuple(range(3, 3 + len(sizes)))
            value = Value(name, (*shape, *sizes), "f32")
            results.append(KernelResult(value, place, (1, 1, 1, *sizes), kept))
        return results

    @property
    def part_count(self) -> int | str:
        """Parts of the keys."""
        keys = self.spec.num_keys
        if self.is_split and isinstance(keys, DynamicSize):
            return "%parts"
        return -(-largest(keys) // self.part_keys)
