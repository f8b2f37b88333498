"""What a tile's steps take of a core's vector units: cycles, counted from the plan.

A core has no emulator. This counts what is executed, hidden positions and rows that are not full
included, one vector in a cycle: products, whose sums and loads go side by side; keys and values
that are copied; and what happens to each score. It sees no cache, no memory and no waits: it ranks
tiles, and is no time.
"""

from irattn.rendering.blocked.plan import Blocked
from irattn.rendering.blocked.tiles import Tile
from irattn.tensors import largest

# Of a register of scores: scale, mask, maximum, exponential (range reduction, five terms), sum.
_OF_SCORES = 16
# Of a register of weighted values in a step: load, scale, store.
_OF_SUMS = 3


def vector_cycles(plan: Blocked) -> float:
    """Of all cores together, for one call of the largest sizes."""
    spec, tile = plan.spec, plan.tile
    queries, keys = largest(plan.queries_of_head), largest(spec.num_keys)
    first = 0 if spec.alignment == "top_left" else keys - queries
    steps = sum(
        _steps(plan, at + first, min(at + tile.queries, queries) + first, keys)
        for at in range(0, queries, tile.queries)
    )
    tiles = largest(spec.size("batch")) * (spec.num_q_heads // tile.heads)
    return tiles * steps * _of_step(tile)


def _steps(plan: Blocked, begin: int, end: int, keys: int) -> int:
    """Steps of a tile whose queries stand from `begin` to before `end` among the keys."""
    spec, step = plan.spec, plan.tile.keys
    right = 0 if spec.causal else spec.window_right
    last = keys if right is None else min(keys, end + right)
    left = 0 if spec.window_left is None else max(0, begin - spec.window_left)
    return max(0, -(-last // step) - left // step)


def _of_step(tile: Tile) -> float:
    lanes, rows, keys = tile.registers.lanes, tile.rows, tile.keys
    scores = _products(tile, tile.score_block, rows * keys * tile.head_steps, tile.block_rows)
    columns = tile.value_columns
    weighted = _products(
        tile, tile.value_block, rows * columns * keys // tile.at_once, tile.value_rows
    )
    logits = rows * keys / lanes * _OF_SCORES + rows * columns / lanes * _OF_SUMS
    return scores + weighted + logits + tile.kv_heads * _copied(tile)


def _products(tile: Tile, columns: int, factors: int, rows: int) -> float:
    """Sums of so many products in blocks of registers, or the loads for them if these take longer.

    Blocks of 8 x 32 multiply at 97% of the peak rate (`tiles`), with 10 loads for 16 sums.
    """
    lanes = tile.registers.lanes
    # Each register of columns is loaded for all rows, each number of a row for all columns.
    return factors / lanes * max(1.0, 1 / rows + lanes / columns)


def _copied(tile: Tile) -> float:
    """Keys that are turned, and values that are made f32: loads, interleavings, stores."""
    if tile.reads_rows:
        return 0.0
    lanes = tile.registers.lanes
    turned = tile.keys * tile.key_columns / lanes * (2 + (lanes.bit_length() - 1))
    values = tile.keys * tile.value_columns / lanes * 2 if tile.places_values else 0.0
    return turned + values
