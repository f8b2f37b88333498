"""The vectors that a lane has."""

from irattn.rendering.fused.lanes.lanes import Lanes
from irattn.rendering.fused.lanes.lds import LdsTiles
from irattn.rendering.fused.lanes.own import Own

# Sizes of each, and elements: f32, i32, i16, i1, or None for storage.
Vectors = dict[str, tuple[list[int], str | None]]


def vectors_of(brought: LdsTiles | Own) -> Vectors:
    """All of them, by what a lane brings from memory."""
    lanes = brought.lanes
    shared = {**_operands(lanes), **_scores(lanes), **_sums(lanes)}
    return shared | (_fetched(brought) if isinstance(brought, LdsTiles) else _own(brought))


def _operands(lanes: Lanes) -> Vectors:
    halves, queries, tiles = lanes.layout.halves, lanes.layout.queries, lanes.query_tiles
    part = lanes.depth // halves
    head, keys = lanes.head_steps // len(lanes.head_chunks), lanes.value_steps
    return {
        "head_chunk": ([lanes.head_chunk], None),
        "query_columns": ([head, halves, part], None),
        "queries": ([tiles, queries, head, halves, part], None),
        "queries_turned": ([tiles, head, queries, halves, part], None),
        "query_operand": ([tiles, head, queries * halves, part], None),
        "key_operand": ([1, head, halves, part], None),
        "value_keys": ([lanes.value_keys], None),
        "value_operand": ([1, lanes.value_steps, halves, part], None),
        "weight_parts": ([tiles, queries, keys, halves, part], None),
        "weight_parts_turned": ([tiles, keys, queries, halves, part], None),
        "weights_operand": ([tiles, keys, queries * halves, part], None),
    }


def _scores(lanes: Lanes) -> Vectors:
    queries, tiles, own = len(lanes.queries), len(lanes.key_tiles), lanes.own
    tile, step = [queries, own], [tiles, queries, own]
    return {
        "row_scores": ([lanes.own], "f32"),
        "score_tile": (tile, "f32"),
        "scores": (step, "f32"),
        "scores_flat": ([lanes.score_count], "f32"),
        "score_bits": (step, "i32"),
        "is_seen": (step, "i1"),
        "weight_bits": (step, "i16"),
        "weights_by_key": (step, None),
        "weights_own": ([queries, tiles, own], None),
        "weights_flat": ([lanes.score_count], None),
        "pair": ([2], None),
        "pairs": ([lanes.bits_count, 2], None),
        "pair_bits": ([lanes.bits_count], "i32"),
        "all_bits": ([2 * lanes.bits_count], "i32"),
        "all_weights": ([4 * lanes.bits_count], None),
    }


def _sums(lanes: Lanes) -> Vectors:
    queries, tiles, own = len(lanes.queries), len(lanes.value_tiles), lanes.own
    sums = [1, lanes.query_tiles] if lanes.layout.turned else [lanes.query_tiles, 1]
    sums.append(lanes.layout.queries)
    return {
        "sums": ([*sums, own], "f32"),
        "sum_factors": ([*sums, 1], "f32"),
        "acc": ([tiles, *sums, own], "f32"),
        "acc_by_column": ([tiles, queries, own], "f32"),
        "acc_by_row": ([queries, tiles, own], "f32"),
        "acc_row": ([tiles, own], "f32"),
        "rows": ([queries, 1], "f32"),
        "row_bits": ([queries, 1], "i32"),
        "output_f32": ([lanes.value_columns], "f32"),
        "rows_f32": ([queries, lanes.value_columns], "f32"),
        "output_rows": ([queries, lanes.value_columns], None),
        "lse_rows": ([queries], "f32"),
    }


def _fetched(lds: LdsTiles) -> Vectors:
    access = lds.lanes.access
    return {
        "access": ([access], None),
        "keys": ([len(lds.key_reads), access], None),
        "values": ([lds.block, access], None),
        "column": ([lds.block], None),
        "columns": ([access, lds.block], None),
    }


def _own(own: Own) -> Vectors:
    lanes, piece = own.lanes, own.piece
    tiles, keys, queries = len(lanes.value_tiles), len(own.value_reads), len(lanes.queries)
    return {
        "access": ([own.access], None),
        "access_bits": ([own.access // 2], "i32"),
        "column_bits": ([keys // 2], "i32"),
        "acc_by_row": ([queries, lanes.own, tiles], "f32"),
        "acc_row": ([lanes.own, tiles], "f32"),
        "waves": ([lanes.waves], "f32"),
        "piece": ([piece], "f32"),
        "part_acc_rows": ([1, piece], "f32"),
        "part_max_rows": ([1], "f32"),
        "part_sum_rows": ([1], "f32"),
        "output_rows": ([1, piece], None),
        "lse_rows": ([1], "f32"),
    }
