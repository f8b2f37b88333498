"""How attention is cut into workgroups, steps, and what waves and lanes do of these."""

from dataclasses import dataclass, replace
from functools import cached_property

from irattn.core.tensors import AnySize, DynamicSize, Role, largest
from irattn.rendering.attention_plan import AttentionPlan
from irattn.rendering.fused.lanes import (
    Lanes,
    LdsTiles,
    Own,
    StepLimits,
    Steps,
    lanes_for,
    loops_of,
    step_limits,
)
from irattn.rendering.fused.rules import FusedRules
from irattn.rendering.fused.space import allowed_lanes, allowed_tiles, numbers_of
from irattn.rendering.fused.tiles import Tile, tile_for
from irattn.rendering.logits import LogitRules

# Where a few rows leave most of a GPU idle, keys are cut into parts of so many, which are attended
# to apart and merged. It is the same number for every length, so that the bits of a sequence do not
# depend on how long others may be.
PART_KEYS = 256

# Chips for which another is better, by `irattn tune` (irattn/lab/tuning/README.md): a sequence of
# 512 keys in parts of 256 has 16 compute units, of 110 on gfx90a.
_PART_KEYS_OF_CHIP = {"gfx90a": 128, "gfx942": 128, "gfx950": 128, "gfx1151": 128}

# Fewer queries than this share a tile with those of the other heads of their group.
_FEW_QUERIES = 64


@dataclass(frozen=True)
class WorkgroupCut(AttentionPlan):
    """What one workgroup attends to: rows of queries, and keys in tiles.

    The rows of a tile are queries of one head or, where there are few queries, those of all heads
    of a group.
    """

    @cached_property
    def tile(self) -> Tile:
        """The tile of a step."""
        tile = tile_for(self.target, self.spec, largest(self.rows_of_head))
        lanes = self.lanes
        if lanes:
            return replace(tile, rows=lanes.rows, keys=lanes.keys)
        return replace(tile, **self.chosen_fields)

    @property
    def tile_numbers(self) -> dict[str, int]:
        parts = {"part_keys": self.part_keys} if self.is_split else {}
        return numbers_of(self.lanes or self.tile) | parts

    @property
    def allowed_tiles(self) -> list[dict[str, int]]:
        own = replace(self, chosen=None)
        rows = largest(self.rows_of_head)
        if not own.lanes:
            return own.with_parts(allowed_tiles(own.tile, self.target, rows))
        tiles = allowed_lanes(own.lanes, self.target, rows)
        return own.with_even_parts(tiles) if own.lanes.splits_keys else tiles

    def with_even_parts(self, tiles: list[dict[str, int]]) -> list[dict[str, int]]:
        """The same with what parts may have, where waves share a part in whole steps."""
        return [
            tile
            for tile in self.with_parts(tiles)
            if tile.get("part_keys", self.part_keys) % (tile["waves"] * tile["keys"]) == 0
        ]

    @cached_property
    def lanes(self) -> Lanes | None:
        """How lanes do a step, where that is written out."""
        few_rows = largest(self.rows_of_head) if self.has_head_rows else None
        # IREE 3.13.0 stores a finished single row to memory of its own, in silence.
        if few_rows == 1 and not self.is_split:
            return None
        lanes = lanes_for(self.target, self.spec, few_rows)
        return replace(lanes, **self.chosen_fields) if lanes else None

    @cached_property
    def lds(self) -> LdsTiles | None:
        """Where lanes place keys and values."""
        lanes = self.lanes
        return LdsTiles(lanes, self.has_table) if lanes and not lanes.splits_keys else None

    @cached_property
    def own(self) -> Own | None:
        """What lanes have to themselves of keys and values, where waves split the keys."""
        lanes = self.lanes
        return Own(lanes, largest(self.rows_of_head)) if lanes and lanes.splits_keys else None

    @property
    def writes_one_row(self) -> bool:
        """Whether a lane writes one row at most."""
        return self.own is not None or (self.lanes is not None and len(self.lanes.queries) == 1)

    @property
    def query_again(self) -> list[int]:
        """Chunks of the head columns whose queries lanes read from LDS again in every step."""
        brought = self.lds or self.own
        return brought.query_again if brought else []

    @property
    def lane_loops(self) -> list[Steps]:
        """The loops over keys."""
        return loops_of(self.rules, self.cuts_keys, self.lanes) if self.lanes else []

    @property
    def step_limits(self) -> StepLimits | None:
        """How far from queries steps may lie."""
        return step_limits(self.rules, self.lanes) if self.lanes else None

    @property
    def wave_keys(self) -> int:
        """Keys of a part that a wave has, where waves split the keys."""
        return self.part_keys // self.lanes.waves if self.lanes else 0

    @property
    def has_head_rows(self) -> bool:
        """Whether a tile's rows are the queries of all heads of a group."""
        queries = self.queries_of_head
        is_few = not isinstance(queries, DynamicSize) and queries < _FEW_QUERIES
        return is_few and not self.has_token_rows

    @property
    def has_token_rows(self) -> bool:
        """Whether all heads of a token lie between a query, or an output, and the next."""
        return self.is_packed or (self.spec.has_tokens_first and self.queries_of_head != 1)

    @property
    def is_packed(self) -> bool:
        """Whether sequences lie one after the other, and a workgroup finds its own."""
        return self.has(Role.QUERY_BOUNDS)

    @property
    def heads(self) -> int:
        """Heads that the grid counts: KV heads where a tile has the rows of a whole group."""
        return self.spec.num_kv_heads if self.has_head_rows else self.spec.num_q_heads

    @property
    def rows_of_head(self) -> AnySize:
        """Rows of each of them."""
        queries = self.queries_of_head
        return queries * self.spec.group_size if self.has_head_rows else queries

    @property
    def cuts_rows(self) -> bool:
        """Whether the last tile of rows may not be full."""
        count = self.rows_of_head
        is_chosen = isinstance(count, DynamicSize) or self.is_packed
        return is_chosen or largest(count) % self.tile.rows != 0

    @property
    def cuts_keys(self) -> bool:
        """Whether the last tile of keys may not be full.

        On a CPU the select that hides keys is always there: without it, the compiler makes scaling
        and the maximum's subtraction one rounding where weights are made, and two where they are
        summed.
        """
        is_full = (
            LogitRules(self.spec).is_static and largest(self.spec.num_keys) % self.tile.keys == 0
        )
        return self.tile.is_cpu or not is_full

    @property
    def is_split(self) -> bool:
        """Whether keys are cut into parts."""
        return self.has_head_rows and largest(self.spec.num_keys) > self.part_keys

    @property
    def part_keys(self) -> int:
        own = _PART_KEYS_OF_CHIP.get(self.target.name, PART_KEYS)
        return (self.chosen or {}).get("part_keys", own)

    @property
    def parts(self) -> int:
        """Parts of the keys."""
        return -(-largest(self.spec.num_keys) // self.part_keys) if self.is_split else 1

    @cached_property
    def rules(self) -> FusedRules:
        """What happens to logits."""
        return FusedRules(self.spec, self.cuts_keys, self.has_head_rows)
