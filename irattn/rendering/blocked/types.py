"""The types of a workgroup's tensors and vectors: m row, t key, k head column, n value column.

Where products take pairs of bf16, a pair counts as one i32: k and t then count pairs.
"""

from irattn.rendering.blocked.tiles import BlockedTile
from irattn.rendering.values import tensor_type, vector_type


def types_of(tile: BlockedTile, element: str, run: int) -> dict[str, str]:
    """Types by the name that the graph gives them; `run` keys are turned at once."""
    types = _tensors(tile, element) | _vectors(tile) | _rows(tile, element, run)
    if run == tile.registers.lanes:
        types["half_run"] = vector_type((run // 2, run), _factor(tile))
        types["pairs"] = vector_type((run // 2, 2 * run), _factor(tile))
    types |= _pairs(tile) if tile.pairs else {}
    return types | (_few_rows(tile, element) if tile.reads_rows else {})


def _factor(tile: BlockedTile) -> str:
    """What products take."""
    return "i32" if tile.pairs else "f32"


def _tensors(tile: BlockedTile, element: str) -> dict[str, str]:
    m, t, k, n = tile.block_rows, tile.keys, tile.key_columns, tile.value_columns
    factor, steps = _factor(tile), t // tile.at_once
    return {
        "queries": tensor_type((m, tile.query_columns), factor),
        "keys": tensor_type((k, t), factor),
        "values": tensor_type((steps, n), factor),
        "run_rows": tensor_type(("?", tile.head_dim), element),
        "scores": tensor_type((m, t), "f32"),
        "weights": tensor_type((m, steps), factor),
        "factors": tensor_type((m,), "f32"),
        "row_lanes": tensor_type((m, tile.registers.lanes), "f32"),
        "acc": tensor_type((tile.rows, n), "f32"),
        "row": tensor_type((tile.rows,), "f32"),
    }


def _vectors(tile: BlockedTile) -> dict[str, str]:
    keys = (tile.keys,)
    return {
        "score_block": vector_type((tile.block_rows, tile.score_block), "f32"),
        "score_row": vector_type((tile.score_block,), "f32"),
        "value_block": vector_type((tile.value_rows, tile.value_block), "f32"),
        "logits": vector_type(keys, "f32"),
        "logit_bits": vector_type(keys, "i32"),
        "logit_flags": vector_type(keys, "i1"),
        "lanes_f32": vector_type((tile.registers.lanes,), "f32"),
        "block_bits": vector_type((tile.block_rows,), "i32"),
        "block_flags": vector_type((tile.block_rows,), "i1"),
        "key_indices": vector_type(keys, "index"),
        "key_numbers": vector_type(keys, "i32"),
    }


def _rows(tile: BlockedTile, element: str, run: int) -> dict[str, str]:
    lanes, factor = tile.registers.lanes, _factor(tile)
    query, values = tile.query_columns, (tile.read_columns,)
    return {
        "given_query": vector_type((query * tile.at_once,), element),
        "query_row": vector_type((query,), factor),
        "given_run": vector_type((run, lanes * tile.at_once), element),
        "run": vector_type((run, lanes), factor),
        "turned_run": vector_type((lanes, run), factor),
        "given_value": vector_type(values, element),
        "value_row": vector_type(values, factor),
        "acc_row": vector_type((tile.value_columns,), "f32"),
        "output_f32": vector_type((tile.value_dim,), "f32"),
        "output_row": vector_type((tile.value_dim,), element),
    }


def _pairs(tile: BlockedTile) -> dict[str, str]:
    lanes, rows = tile.registers.lanes, tile.block_rows
    return {
        "lanes_i32": vector_type((lanes,), "i32"),
        "lane_pairs": vector_type((2 * lanes,), "bf16"),
        "score_left": vector_type((rows, lanes), "i32"),
        "value_left": vector_type((tile.value_rows, lanes), "i32"),
        "score_right": vector_type((tile.score_block,), "i32"),
        "value_right": vector_type((tile.value_block,), "i32"),
        "score_sums": vector_type((rows, tile.score_block // lanes, lanes), "f32"),
        "value_sums": vector_type((tile.value_rows, tile.value_block // lanes, lanes), "f32"),
        "value_pairs": vector_type((2 * tile.read_columns,), "bf16"),
    }


def _few_rows(tile: BlockedTile, element: str) -> dict[str, str]:
    """Lanes are columns of a key, and sums for each row of a block."""
    rows, keys, lanes = tile.block_rows, tile.scored_keys, tile.registers.lanes
    types = {
        "given_key": vector_type((lanes * tile.at_once,), element),
        "key_lanes": vector_type((lanes,), _factor(tile)),
        "row_sums": vector_type((rows, lanes), "f32"),
        "score_sums": vector_type((keys, rows, lanes), "f32"),
        "scores_of_keys": vector_type((keys, rows), "f32"),
        "scores_of_rows": vector_type((rows, keys), "f32"),
    }
    if tile.pairs:
        types["query_lanes"] = vector_type((rows, lanes), "i32")
        types["score_left"] = vector_type((keys, lanes), "i32")
        types["score_right"] = vector_type((rows * lanes,), "i32")
    return types
