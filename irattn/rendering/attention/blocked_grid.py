"""The grid of the blocked graphs: tiles of rows, parts of the keys, and sizes by name."""

from irattn.core.tensors import AnySize, DynamicSize, Role, largest
from irattn.rendering.attention.blocked_choose import tile_for
from irattn.rendering.attention.blocked_kernels import Parts
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.attention.kernel import told_lengths
from irattn.rendering.attention.packed_parts import FewQueriesSpec
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences
from irattn.specs.packed_paged_attention import FEW_QUERIES, PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.targets import Target

# A few rows against many keys leave most cores idle: keys are cut into parts of so many, which are
# attended to apart and merged. It is the same number for every length, so that the bits of a
# sequence do not depend on how long others may be.
_PART_KEYS = 1024
# Where a workgroup has all heads of a block, there are as many fewer.
_PART_KEYS_OF_HEADS = 512
# Calls of so many queries of each sequence have no parts.
_MANY_QUERIES = 8


def block_size_of(spec: AttentionFeatures) -> int | None:
    """Keys of a block of the cache; None where keys lie in a row of memory."""
    if isinstance(spec, PagedAttentionSpec | PackedPagedAttentionSpec):
        return spec.block_size
    return None


def own_tile(spec: AttentionFeatures, target: Target) -> BlockedTile:
    """The tables' tile for a spec.

    That of sequences of few queries is one query's. Where others are told apart from these, it does
    not depend on how many queries there may be, nor do then the bits of a sequence.
    """
    queries = known_size(spec.num_queries)
    if isinstance(spec, PackedPagedAttentionSpec):
        queries = 1 if isinstance(spec, FewQueriesSpec) else None
    return tile_for(target, spec, queries, block_size_of(spec))


def parts_of(spec: AttentionFeatures, tile: BlockedTile, chosen_keys: int | None) -> Parts | None:
    """The parts of the keys of few queries, which make one tile."""
    keys = chosen_keys or _PART_KEYS
    if chosen_keys is None and tile.kv_heads > 1:
        keys = max(_PART_KEYS_OF_HEADS, tile.keys)
    if not _has_parts(spec, tile, keys):
        return None
    count = known_size(spec.num_keys)
    return Parts(
        keys=keys,
        count=None if count is None else -(-count // keys),
        rows=_part_rows(spec, tile),
    )


def _has_parts(spec: AttentionFeatures, tile: BlockedTile, keys: int) -> bool:
    """Whether keys are cut: those of sequences of few queries are, be it into one part."""
    if isinstance(spec, PackedSequences):
        return isinstance(spec, FewQueriesSpec)
    queries = known_size(spec.num_queries)
    is_few = queries is not None and queries <= tile.queries and queries < _MANY_QUERIES
    return is_few and largest(spec.num_keys) > keys


def _part_rows(spec: AttentionFeatures, tile: BlockedTile) -> int | None:
    """The most rows of sequences of few queries; None where a call chooses it."""
    queries, sequences = known_size(spec.num_queries), known_size(spec.size("batch"))
    if queries is None or sequences is None or not isinstance(spec, FewQueriesSpec):
        return None
    return min(queries, FEW_QUERIES * sequences) * tile.rows


def queries_of(spec: AttentionFeatures, tile: BlockedTile) -> int:
    """Queries of a workgroup at most; those of a sequence of few have a tile for each."""
    return FEW_QUERIES if isinstance(spec, FewQueriesSpec) else tile.queries


def tile_count(spec: AttentionFeatures, tile: BlockedTile) -> int | None:
    """Tiles of all queries of a head, None where it follows from the call.

    Each packed sequence, and the padding after the last one, may have a tile that is not full.
    """
    queries, sequences = known_size(spec.num_queries), known_size(spec.size("batch"))
    if not isinstance(spec, PackedSequences):
        return None if queries is None else -(-queries // tile.queries)
    if queries is None or sequences is None:
        return None
    if isinstance(spec, PackedPagedAttentionSpec):
        sequences = min(sequences, queries // (FEW_QUERIES + 1))
    return queries // tile.queries + sequences + 1


def named_sizes(spec: AttentionFeatures, tile: BlockedTile) -> dict[str, AnySize]:
    """Sizes that the kernel asks for by name."""
    heads = spec.num_q_heads // tile.heads
    if isinstance(spec, PackedSequences):
        is_paged, is_few = (
            isinstance(spec, kind) for kind in (PackedPagedAttentionSpec, FewQueriesSpec)
        )
        return {
            "sequences": spec.size("batch") if is_few else 1,
            "heads": heads,
            **_packed(spec),
            "q_tokens": spec.num_queries,
            "keys_of_axis": spec.num_keys,
            **({"few": FEW_QUERIES} if is_paged else {}),
        }
    lengths = {"q_len": spec.num_queries, "context_len": spec.num_keys}
    told = told_lengths(spec)
    return {
        "sequences": spec.size("batch"),
        "heads": heads,
        "queries_of_head": spec.num_queries,
        "keys_of_axis": spec.num_keys,
        **{name: size for name, size in lengths.items() if name not in told},
    }


def _packed(spec: PackedSequences) -> dict[str, AnySize]:
    """How many sequences are packed: where a call chooses it, by the number of their bounds."""
    bounds = next(one.shape[0] for one in spec.inputs if one.role == Role.QUERY_BOUNDS)
    return {"bounds": bounds} if isinstance(bounds, DynamicSize) else {"packed": spec.batch}


def known_size(size: AnySize) -> int | None:
    """The size, None where a call chooses it."""
    return None if isinstance(size, DynamicSize) else size
