"""The work of a tile's steps for a core's vector units: cycles, counted from the plan.

A core has no emulator. This counts what is executed, one vector in a cycle: products of the keys
that a block of rows sees, whose sums and loads go side by side; keys and values that are copied for
a tile; and what happens to each score, and to each block in a step. It sees no cache, no memory and
no waits: it ranks tiles, and is no time.
"""

from irattn.core.tensors import largest
from irattn.rendering.attention.blocked import BlockedPlan
from irattn.rendering.attention.blocked_tile import BlockedTile

# Of a register of scores: scale, mask, maximum, exponential (range reduction, five terms), sum.
_OF_SCORES = 16
# Of a register of weighted values in a step: load, scale, store.
_OF_SUMS = 3
# Of a block of rows in a step: loops, and what goes across lanes. Fitted to times of one Zen 4 core
# for 24 tiles of `causal_512_f32_bench`: a rank correlation of 0.63, without it 0.26.
_OF_BLOCK = 120


def vector_cycles(plan: BlockedPlan) -> float:
    """The cycles of all cores together, for one call of the largest sizes."""
    spec, tile = plan.spec, plan.tile
    firsts = range(0, largest(plan.spec.num_queries), tile.queries)
    tiles = largest(spec.size("batch")) * (spec.num_q_heads // tile.heads)
    return tiles * sum(_of_tile(plan, first) for first in firsts)


def _of_tile(plan: BlockedPlan, first: int) -> float:
    """One tile, whose queries begin with this one."""
    tile = plan.tile
    keys = _seen(plan, first, tile.queries)
    copied = _cuts(keys, tile.keys) * tile.kv_heads * _copied(tile)
    if tile.mixes_heads:
        return copied + tile.rows // tile.block_rows * _of_block(tile, keys)
    blocks = range(first, first + tile.queries, tile.block_rows)
    each = (_of_block(tile, _seen(plan, block, tile.block_rows)) for block in blocks)
    return copied + tile.heads * sum(each)


def _seen(plan: BlockedPlan, first: int, count: int) -> range:
    """The keys that some of so many queries see."""
    spec = plan.spec
    queries, keys = largest(plan.spec.num_queries), largest(spec.num_keys)
    at = first + (0 if spec.alignment == "top_left" else keys - queries)
    right = 0 if spec.causal else spec.window_right
    end = keys if right is None else min(keys, at + count + right)
    begin = 0 if spec.window_left is None else at - spec.window_left
    return range(max(0, begin), max(0, begin, end))


def _cuts(keys: range, size: int) -> int:
    """How many pieces of a size have some of the keys."""
    return -(-keys.stop // size) - keys.start // size if keys else 0


def _of_block(tile: BlockedTile, keys: range) -> float:
    """A block of rows with the keys that it sees; scores are made for whole blocks of them."""
    lanes, rows, columns = tile.registers.lanes, tile.block_rows, tile.value_columns
    scored = _cuts(keys, tile.score_block) * tile.score_block
    scores = scored * rows * tile.head_steps * _slowed(tile, tile.score_block, rows)
    weighted = len(keys) * rows * columns / tile.at_once
    weighted *= _slowed(tile, tile.value_block, tile.value_rows)
    vectors = (scores + weighted + scored * rows * _OF_SCORES) / lanes
    return vectors + _cuts(keys, tile.keys) * (rows * columns / lanes * _OF_SUMS + _OF_BLOCK)


def _slowed(tile: BlockedTile, columns: int, rows: int) -> float:
    """How much longer the loads of a block of registers take than its sums; 1 if they do not.

    Blocks of 8 x 32 multiply at 97% of the peak rate (`choose`), with 10 loads for 16 sums.
    """
    # Each register of columns is loaded for all rows, each number of a row for all columns.
    return max(1.0, 1 / rows + tile.registers.lanes / columns)


def _copied(tile: BlockedTile) -> float:
    """Keys that are turned, and values that are made f32: loads, interleavings, stores."""
    if tile.reads_rows:
        return 0.0
    lanes = tile.registers.lanes
    turned = tile.keys * tile.key_columns / lanes * (2 + (lanes.bit_length() - 1))
    values = tile.keys * tile.value_columns / lanes * 2 if tile.places_values else 0.0
    return turned + values
