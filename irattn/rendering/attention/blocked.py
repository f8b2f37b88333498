"""The plan of the blocked graphs: a workgroup's rows and keys, and what it reads and writes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from irattn.core.dtypes import dtype
from irattn.core.tensors import DynamicSize, Role, TensorType, largest
from irattn.rendering.attention.arguments import keys_and_values
from irattn.rendering.attention.block_lists import check_blocks
from irattn.rendering.attention.blocked_fetch import Fetch, RunFetch, plan_fetch, plan_run_fetch
from irattn.rendering.attention.blocked_grid import (
    block_size_of,
    known_size,
    named_sizes,
    own_tile,
    parts_of,
    queries_of,
    tile_count,
)
from irattn.rendering.attention.blocked_kernels import Parts, kernels_of
from irattn.rendering.attention.blocked_rules import BlockedRules, blocked_rules
from irattn.rendering.attention.blocked_shapes import BlockedShapes, shapes_of
from irattn.rendering.attention.blocked_space import allowed_tiles, numbers_of
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.attention.kernel import chosen, known, told_lengths
from irattn.rendering.attention.mask_bounds import ShownScores, shown_scores
from irattn.rendering.attention.packed_parts import FewQueriesSpec
from irattn.rendering.cache_formats import QuantisedCache, quantised_cache
from irattn.rendering.cache_writing import CacheWriting
from irattn.rendering.cpu.across import Across, across
from irattn.rendering.cpu.kernels import CpuKernel
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences
from irattn.specs.packed_paged_attention import FEW_QUERIES, PackedPagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.targets import Target

# Of fewer keys in a row a table is asked for each, or each pair.
_LEAST_RUN = 8

# What may be chosen instead.
_PART_KEYS_CHOICES = (64, 128, 256, 512, 1024)


@dataclass(frozen=True, kw_only=True)
class KeyRun:
    """Keys that lie one after the other, and are turned at once.

    As many as lanes are turned by interleaving halves, as often as `turns` says; of fewer that
    number is None.
    """

    keys: int
    half: int
    turns: int | None


@dataclass(frozen=True, kw_only=True)
class BlockedPlan:
    """The work of a workgroup: queries of some heads of a group, and keys in steps."""

    template: str

    spec: AttentionFeatures
    target: Target
    # What may be chosen of the tile, as it is now.
    tile_numbers: dict[str, int]

    # The step: its tile and what follows from it, the rules of logits, what is known of a mask
    # function before it is asked, and how registers become a number for each row of a block, and
    # for each of some keys.
    tile: BlockedTile
    shapes: BlockedShapes
    rules: BlockedRules
    shown: ShownScores
    key_run: KeyRun
    across_block: Across
    across_keys: Across
    # Whether scores take queries as they lie in memory, and no step copies them: 2,048 causal
    # queries take 0.98 of the time on a Zen 4 core, 512 that see all 0.97.
    reads_queries: bool

    # The grid: heads of it for each KV head; tiles of the queries of a head, None where it follows
    # from the call; parts of the keys, where they are cut; and queries of a workgroup at most.
    tiles_of_kv_head: int
    tile_count: int | None
    parts: Parts | None
    queries: int

    # What the kernel reads: the MLIR element types of storage, by role, the arguments that have
    # keys and values, whether queries of sequences lie one after the other, whether a table tells
    # where keys lie, in blocks of so many, and the slot where the values of a block begin.
    elements: dict[str, str]
    key: str
    value: str
    # How a quantised cache is read, and the arguments that have its scales.
    cache: QuantisedCache | None
    key_scale: str
    value_scale: str
    is_packed: bool
    has_table: bool
    block_size: int | None
    first_value_slot: int
    # How many queries are few, where sequences of few are attended to apart, and whether by this
    # kernel; whether its output has tokens before heads.
    few_queries: int | None
    is_few: bool
    has_token_rows: bool
    # Sizes that the kernel asks for by name: known ones, those that a call chooses, and lengths
    # that it tells for each sequence.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]
    lens: list[str]

    # The dispatches: new tokens are written into a cache, the kernel attends, fetching keys and
    # values ahead, as rows are few or many, and parts of the keys are merged.
    writing: CacheWriting | None
    kernel: CpuKernel
    fetch: Fetch | None
    run_fetch: RunFetch
    merging: CpuKernel | None

    def element_of(self, role: str) -> str:
        """The MLIR element type of the storage of a tensor: `output`, or its role as `key`.

        Keys and values are those that the kernel reads, of a cache if there is one.
        """
        return self.elements[role]

    @property
    def stored_columns(self) -> int:
        """The elements that a row of the keys has in memory."""
        columns = self.spec.head_dim
        return columns // 2 if self.cache and self.cache.is_packed else columns

    @property
    def groups(self) -> int:
        """The scales of a row of the keys, where groups of columns have one each."""
        assert self.cache
        return self.spec.head_dim // self.cache.group

    @property
    def run(self) -> int | None:
        """Keys of a step that lie in one block, one after the other; None where there are none."""
        return math.gcd(self.block_size, self.tile.keys) if self.block_size else None

    @property
    def runs(self) -> list[int]:
        """Where the runs of a step begin, if a table is asked once for each.

        It is not where keys of a block of scores, or of a pair, may be in two.
        """
        if self.run is None or self.tile.kv_heads == 1:
            return []
        whole = self.run % max(self.shapes.scored_keys, self.tile.at_once) == 0
        return list(range(0, self.tile.keys, self.run)) if whole else []

    @property
    def pairs_lie_together(self) -> bool:
        """Whether both values of a pair are in one block, which a table is then asked for once."""
        return self.block_size is not None and self.block_size % self.tile.at_once == 0

    @property
    def table_run(self) -> int | None:
        """Keys of few rows that lie one after the other, and those that are fetched with them.

        A table is asked once for all of them. None where it is for the blocks of a step, where keys
        of a block of scores or of a pair may be in two runs, or values are copied.
        """
        if not (self.fetch and self.block_size) or self.runs or self.tile.places_values:
            return None
        run = math.gcd(self.block_size, self.fetch.keys_ahead, self.tile.keys)
        whole = run % max(self.shapes.scored_keys, self.tile.at_once) == 0
        return run if whole and run >= _LEAST_RUN else None

    @property
    def scale_runs(self) -> list[int]:
        """Where runs of scales begin that lie one after the other; none where few do."""
        if self.run is None or self.spec.has_tokens_first or self.run < self.tile.registers.lanes:
            return []
        return list(range(0, self.tile.keys, self.run))

    @property
    def allowed_tiles(self) -> list[dict[str, int]]:
        """All that may be chosen: what the templates can say, and what fits by its sizes."""
        own = plan_blocked(self.spec, self.target)
        tiles = allowed_tiles(own.tile, self.spec, known_size(self.spec.num_queries))
        if own.parts is None:
            return tiles
        keys = largest(self.spec.num_keys)
        return [
            {**tile, "part_keys": part}
            for tile, part in product(tiles, _PART_KEYS_CHOICES)
            if part < keys and part % tile["keys"] == 0
        ]


def plan_blocked(
    spec: AttentionFeatures, target: Target, tile: Mapping[str, int] | None = None
) -> BlockedPlan:
    """The plan of a spec on a target, with some of `allowed_tiles` in place of the tables' tile."""
    block_size = block_size_of(spec)
    numbers: dict[str, Any] = dict(tile or {})
    part_keys = numbers.pop("part_keys", None)
    cut = replace(own_tile(spec, target), **numbers)
    parts = parts_of(spec, cut, part_keys)
    check_blocks(spec, cut)
    lanes, has_table = cut.registers.lanes, block_size is not None
    key, value = keys_and_values(spec)
    is_packed, is_few = isinstance(spec, PackedSequences), isinstance(spec, FewQueriesSpec)
    kernel, merging = kernels_of(spec, cut, parts)
    sizes, elements = named_sizes(spec, cut), _elements(spec, key, value)
    shapes = shapes_of(cut, quantised_cache(spec))
    value_scale = "key_scale" if value is key else "value_scale"
    has_far_scales = shapes.nibbles and cut.kv_heads > 1
    scales = {"key_scale", value_scale} if has_far_scales else set()
    name = "cpu_blocked_decode" if cut.reads_rows else "cpu_blocked"
    return BlockedPlan(
        template=f"attention/{name}.mlir.j2",
        spec=spec,
        target=target,
        tile_numbers=numbers_of(cut) | ({"part_keys": parts.keys} if parts else {}),
        tile=cut,
        shapes=shapes,
        rules=blocked_rules(spec),
        shown=shown_scores(spec, cut.heads, cut.heads if cut.mixes_heads else 1),
        key_run=_key_run(lanes, block_size),
        across_block=across(cut.block_rows, lanes),
        across_keys=across(lanes, lanes),
        reads_queries=elements[Role.QUERY] == "f32" and not (cut.reads_rows or cut.mixes_heads),
        tiles_of_kv_head=spec.group_size // cut.heads,
        tile_count=tile_count(spec, cut),
        parts=parts,
        queries=queries_of(spec, cut),
        elements=elements,
        key=key.name,
        value=value.name,
        cache=quantised_cache(spec),
        key_scale="key_scale",
        value_scale=value_scale,
        is_packed=is_packed,
        has_table=has_table,
        block_size=block_size,
        first_value_slot=getattr(spec, "first_value_slot", 0),
        few_queries=FEW_QUERIES if isinstance(spec, PackedPagedAttentionSpec) else None,
        is_few=is_few,
        has_token_rows=is_packed or spec.has_tokens_first,
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
        lens=told_lengths(spec),
        writing=_writing(spec, target),
        kernel=kernel,
        fetch=_fetch(spec, cut, kernel, scales) if cut.reads_rows else None,
        run_fetch=plan_run_fetch(cut, kernel, key, value),
        merging=merging,
    )


def _fetch(
    spec: AttentionFeatures, tile: BlockedTile, kernel: CpuKernel, scales: set[str]
) -> Fetch:
    is_latent = getattr(spec, "latent_cache", False)
    return plan_fetch(tile, kernel, *keys_and_values(spec), is_latent, scales)


def _writing(spec: AttentionFeatures, target: Target) -> CacheWriting | None:
    return CacheWriting(spec, target) if isinstance(spec, PagedUpdateAttentionSpec) else None


def _elements(spec: AttentionFeatures, key: TensorType, value: TensorType) -> dict[str, str]:
    """The MLIR element types of arguments and of the output, by role."""
    stored = {str(tensor.role): tensor for tensor in spec.inputs}
    stored |= {Role.KEY: key, Role.VALUE: value, "output": spec.outputs[0]}
    return {role: dtype(tensor.dtype).mlir for role, tensor in stored.items()}


def _key_run(lanes: int, block_size: int | None) -> KeyRun:
    keys = math.gcd(block_size, lanes) if block_size else lanes
    turns = keys.bit_length() - 1 if keys == lanes else None
    return KeyRun(keys=keys, half=keys // 2, turns=turns)
