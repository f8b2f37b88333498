"""How many heads of a group the waves of a workgroup have the rows of."""

from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target
from irattn.targets.chips import dies_of

# As many as a tile may have, those first that ask memory for less.
_HEADS = (4, 2)

# What follows the head of a query: a workgroup knows it for one head.
_OF_HEADS = ("alibi", "bias", "keep_mask", "sinks", "functions", "mask_blocks")


def heads_of_tile(spec: AttentionFeatures, target: Target, grid: Grid, tile: LanesTile) -> int:
    """The heads of a group whose rows, the same of each, are those of a workgroup's waves.

    They share keys, and fewer rows of each see nearly the same ones, where some of 128 rows of one
    head see those of its last row. On chips of several dies, whose caches are small beside what
    all workgroups ask for: on gfx942 a causal prompt of 1024 tokens with 32 heads and 8 KV heads
    asks for 1.34 million lines of 64 bytes, not 1.51, and takes as long by the model.
    """
    dies = dies_of(target.name)
    if dies == 1 or not _share_keys(spec, grid, tile):
        return 1
    fitting = (n for n in _HEADS if spec.group_size % n == 0 and tile.waves % n == 0)
    # Dies take workgroups in turn: with fewer of a tile, some would have longer tiles than others.
    return next((n for n in fitting if grid.heads // n % dies == 0), 1)


def _share_keys(spec: AttentionFeatures, grid: Grid, tile: LanesTile) -> bool:
    """Whether waves share keys, and have rows of a head each, of which no rule asks the number."""
    has_own_keys = tile.splits_keys or tile.column_waves > 1
    if has_own_keys or grid.is_packed or grid.has_head_rows:
        return False
    hides_keys = spec.causal or spec.window_left is not None
    return hides_keys and not any(getattr(spec, name, None) for name in _OF_HEADS)
