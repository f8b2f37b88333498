"""The plan of the blocked graphs: a workgroup's rows and keys, and what it reads and writes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.attention.blocked_choose import tile_for
from irattn.rendering.attention.blocked_fetch import Fetch, plan_fetch
from irattn.rendering.attention.blocked_rules import BlockedRules, blocked_rules
from irattn.rendering.attention.blocked_shapes import BlockedShapes, shapes_of
from irattn.rendering.attention.blocked_space import allowed_tiles, numbers_of
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.attention.kernel import chosen, known, told_lengths
from irattn.rendering.cache_writing import CacheWriting
from irattn.rendering.cpu.across import Across, across
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.dynamic import dynamic_sizes, value_of
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.targets import Target

# A few rows against many keys leave most cores idle: keys are cut into parts of so many, which are
# attended to apart and merged. It is the same number for every length, so that the bits of a
# sequence do not depend on how long others may be.
PART_KEYS = 1024
# Where a workgroup has all heads of a block, there are as many fewer.
_PART_KEYS_OF_HEADS = 512
_FEW_QUERIES = 8
# What may be chosen instead.
_PART_KEYS_CHOICES = (64, 128, 256, 512, 1024)

# New keys and values that the function writes into a cache before the kernel reads that.
_WRITTEN = frozenset((Role.KEY, Role.VALUE, Role.SLOTS))


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Parts of `keys` keys each; their `count` is None where it follows from the call."""

    keys: int
    count: int | None


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
    """The plan of one workgroup: queries of some heads of a group, and keys in steps."""

    # The file of the kernel.
    template: str

    spec: AttentionFeatures
    target: Target
    # What may be chosen of the tile, as it is now.
    tile_numbers: dict[str, int]

    # The step: its tile and what follows from it, the rules of logits, and how registers become a
    # number for each row of a block, and for each of some keys.
    tile: BlockedTile
    shapes: BlockedShapes
    rules: BlockedRules
    key_run: KeyRun
    across_block: Across
    across_keys: Across
    # Whether scores take queries as they lie in memory, and no step copies them: 2,048 causal
    # queries take 0.98 of the time on a Zen 4 core, 512 that see all 0.97.
    reads_queries: bool

    # The grid: heads of it for each KV head; tiles of the queries of a head, None where it follows
    # from the call; and parts of the keys, where they are cut.
    tiles_of_kv_head: int
    tile_count: int | None
    parts: Parts | None

    # What the kernel reads and writes: MLIR element types of storage, by role; the arguments that
    # have keys and values, whether sequences lie one after the other, and whether a table tells
    # where keys lie, in blocks of so many.
    elements: dict[str, str]
    key: str
    value: str
    is_packed: bool
    has_table: bool
    block_size: int | None
    # Sizes that the kernel asks for by name: known ones, those that a call chooses, and lengths
    # that it tells for each sequence.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]
    lens: list[str]

    # The dispatches: new tokens are written into a cache, the kernel attends, fetching keys and
    # values ahead where rows are few, and parts of the keys are merged.
    writing: CacheWriting | None
    kernel: CpuKernel
    fetch: Fetch | None
    merging: CpuKernel | None

    def element_of(self, role: str) -> str:
        """The MLIR element type of the storage of a tensor: `output`, or its role as `key`.

        Keys and values are those that the kernel reads, of a cache if there is one.
        """
        return self.elements[role]

    @property
    def allowed_tiles(self) -> list[dict[str, int]]:
        """All that may be chosen: what the templates can say, and what fits by its sizes."""
        own = plan_blocked(self.spec, self.target)
        tiles = allowed_tiles(own.tile, self.spec, _known(self.spec.num_queries))
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
    block_size = spec.block_size if isinstance(spec, PagedAttentionSpec) else None
    numbers: dict[str, Any] = dict(tile or {})
    part_keys = numbers.pop("part_keys", None)
    cut = replace(tile_for(target, spec, _known(spec.num_queries), block_size), **numbers)
    parts = _parts(spec, cut, part_keys)
    lanes, has_table = cut.registers.lanes, block_size is not None
    key = _argument(spec, Role.KEY_CACHE if has_table else Role.KEY)
    value = _argument(spec, Role.VALUE_CACHE if has_table else Role.VALUE)
    kernel, merging = _kernels(spec, cut, parts)
    sizes, elements = _named_sizes(spec, cut), _elements(spec, key, value)
    name = "cpu_blocked_decode" if cut.reads_rows else "cpu_blocked"
    return BlockedPlan(
        template=f"attention/{name}.mlir.j2",
        spec=spec,
        target=target,
        tile_numbers=numbers_of(cut) | ({"part_keys": parts.keys} if parts else {}),
        tile=cut,
        shapes=shapes_of(cut),
        rules=blocked_rules(spec),
        key_run=_key_run(lanes, block_size),
        across_block=across(cut.block_rows, lanes),
        across_keys=across(lanes, lanes),
        reads_queries=elements[Role.QUERY] == "f32" and not (cut.reads_rows or cut.mixes_heads),
        tiles_of_kv_head=spec.group_size // cut.heads,
        tile_count=_tile_count(spec, cut),
        parts=parts,
        elements=elements,
        key=key.name,
        value=value.name,
        is_packed=isinstance(spec, PackedAttentionSpec),
        has_table=has_table,
        block_size=block_size,
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
        lens=told_lengths(spec),
        writing=_writing(spec, target),
        kernel=kernel,
        fetch=plan_fetch(cut, kernel, key, value) if cut.reads_rows else None,
        merging=merging,
    )


def _writing(spec: AttentionFeatures, target: Target) -> CacheWriting | None:
    return CacheWriting(spec, target) if isinstance(spec, PagedUpdateAttentionSpec) else None


def _known(size: AnySize) -> int | None:
    return None if isinstance(size, DynamicSize) else size


def _argument(spec: AttentionFeatures, role: Role) -> TensorType:
    return next(tensor for tensor in spec.inputs if tensor.role == role)


def _elements(spec: AttentionFeatures, key: TensorType, value: TensorType) -> dict[str, str]:
    """The MLIR element types of arguments and of the output, by role."""
    stored = {str(tensor.role): tensor for tensor in spec.inputs}
    stored |= {Role.KEY: key, Role.VALUE: value, "output": spec.outputs[0]}
    return {role: dtype(tensor.dtype).mlir for role, tensor in stored.items()}


def _parts(spec: AttentionFeatures, tile: BlockedTile, chosen_keys: int | None) -> Parts | None:
    """The parts of the keys of few queries, which make one tile."""
    keys = chosen_keys or PART_KEYS
    if chosen_keys is None and tile.kv_heads > 1:
        keys = max(_PART_KEYS_OF_HEADS, tile.keys)
    queries = _known(spec.num_queries)
    if isinstance(spec, PackedAttentionSpec) or queries is None:
        return None
    if largest(spec.num_keys) <= keys or queries > tile.queries or queries >= _FEW_QUERIES:
        return None
    count = _known(spec.num_keys)
    return Parts(keys=keys, count=None if count is None else -(-count // keys))


def _key_run(lanes: int, block_size: int | None) -> KeyRun:
    keys = math.gcd(block_size, lanes) if block_size else lanes
    turns = keys.bit_length() - 1 if keys == lanes else None
    return KeyRun(keys=keys, half=keys // 2, turns=turns)


def _tile_count(spec: AttentionFeatures, tile: BlockedTile) -> int | None:
    """Tiles of all queries of a head.

    Each packed sequence, and the padding after the last one, may have a tile that is not full.
    """
    if isinstance(spec, PackedAttentionSpec):
        return spec.q_tokens // tile.queries + spec.batch + 1
    queries = _known(spec.num_queries)
    return None if queries is None else -(-queries // tile.queries)


def _named_sizes(spec: AttentionFeatures, tile: BlockedTile) -> dict[str, AnySize]:
    """Sizes that the kernel asks for by name."""
    heads = spec.num_q_heads // tile.heads
    if isinstance(spec, PackedAttentionSpec):
        tokens = {"q_tokens": spec.q_tokens, "keys_of_axis": spec.kv_tokens}
        return {"sequences": 1, "heads": heads, "packed": spec.batch, **tokens}
    lengths = {"q_len": spec.num_queries, "context_len": spec.num_keys}
    told = told_lengths(spec)
    return {
        "sequences": spec.size("batch"),
        "heads": heads,
        "queries_of_head": spec.num_queries,
        "keys_of_axis": spec.num_keys,
        **{name: size for name, size in lengths.items() if name not in told},
    }


def _kernels(
    spec: AttentionFeatures, tile: BlockedTile, parts: Parts | None
) -> tuple[CpuKernel, CpuKernel | None]:
    """The dispatch that attends, and the one that merges parts of the keys."""
    is_paged = isinstance(spec, PagedAttentionSpec)
    read = [one for one in spec.inputs if not (is_paged and one.role in _WRITTEN)]
    sizes = sorted(str(value_of(size)) for size, _, _ in dynamic_sizes(spec.inputs))
    results = [whole(output) for output in spec.new_outputs]
    if parts is None:
        return _kernel(spec, read, results, sizes), None
    # The merge adds sinks.
    sinks = [whole(tensor) for tensor in read if tensor.role == Role.SINKS]
    sizes += [] if parts.count else ["parts"]
    sums = _part_results(spec, tile, parts)
    attending = _kernel(spec, [one for one in read if one.role != Role.SINKS], sums, sizes)
    merged = [*sums, *sinks]
    names = [value.name for value in merged]
    merging = CpuKernel(arguments=merged, sources=names, results=results, sizes=sizes, constants={})
    return attending, merging


def _kernel(
    spec: AttentionFeatures, read: list[TensorType], results: list[Value], sizes: list[str]
) -> CpuKernel:
    """A dispatch that reads these: a cache that the function has written as it left it."""
    left = {before: after for after, before in spec.updates.items()}
    return CpuKernel(
        arguments=[whole(tensor) for tensor in read],
        sources=[left.get(tensor.name, whole(tensor).name) for tensor in read],
        results=results,
        sizes=sizes,
        constants={},
    )


def _part_results(spec: AttentionFeatures, tile: BlockedTile, parts: Parts) -> list[Value]:
    """The results of the parts of the keys: weighted values, maxima and sums."""
    heads, count = spec.num_q_heads // tile.heads, parts.count or "parts"
    shape = (value_of(spec.size("batch")), heads, count, tile.rows)
    return [
        Value("part_acc", (*shape, tile.value_columns), "f32"),
        Value("part_max", shape, "f32"),
        Value("part_sum", shape, "f32"),
    ]
