"""The order of packed causal tiles in which those of most keys of all sequences begin first."""

from dataclasses import dataclass

from irattn.core.tensors import largest
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.grid_order import lie_in_shared_cache
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.targets import Target
from irattn.targets.chips import dies_of

# Each workgroup counts the tiles of so many sequences in each step of its search, at most: of more
# that takes longer.
_MOST_SEQUENCES = 8
# Tiles of a sequence in the mean, at least: of fewer, all see nearly as many keys.
_LEAST_TILES = 3
# Workgroups for each compute unit, at least: of fewer, those of most keys would share one.
_LEAST_OF_UNIT = 2


@dataclass(frozen=True)
class PackedLevels:
    """How a workgroup finds its tile among those of all `sequences`.

    A tile's level is its number in its sequence. A search in `halvings`, of which the first leaves
    `widest` levels behind, finds that of a workgroup's place.
    """

    sequences: int
    halvings: int
    widest: int


def packed_levels(
    spec: AttentionFeatures, target: Target, grid: Grid, tile_rows: int
) -> PackedLevels | None:
    """The levels of packed tiles; None where tiles come in the order of their sequences.

    That order has the last sequences' tiles of most keys begin when most others are done: 4 prompts
    of 1,024 tokens with 32 heads, of 8 of keys, in bf16 took 38.6 us on gfx942, not 31.0, and 25.1
    on gfx950, not 21.5, by the model. Of lengths drawn at random, 32 heads of 2,048 to 8,192 tokens
    take 0.93 of the time in the mean, 16 heads of 2,048, which have 1.3 workgroups for a compute
    unit, 1.06.

    Of work that grows with a tile's keys, some 20 draws of 2 to 8 lengths each on gfx942: windows
    of 255 and 1,023 take 1.00, and 0.99 in the order of keys. Queries over pages, after contexts of
    up to 4,096, take 1.02 to 1.10, as a level does not tell their keys, and 0.91 to 0.93 in the
    order of keys. Where one sequence has half of all tokens, levels take 0.97 to 0.99 in the mean
    and 1.07 at worst; so does the order of keys, as two workgroups share a compute unit.
    """
    if not isinstance(spec, PackedAttentionSpec) or "batch" in spec.dynamic:
        return None
    if not spec.causal or spec.window_left is not None or dies_of(target.name) == 1:
        return None
    tokens = largest(spec.num_queries)
    tiles = tokens // tile_rows + 1
    if not 1 < spec.batch <= _MOST_SEQUENCES or tiles <= _LEAST_TILES * spec.batch:
        return None
    if grid.heads * (tiles + spec.batch) < _LEAST_OF_UNIT * _compute_units(target):
        return None
    if not lie_in_shared_cache(spec, target, largest(spec.num_keys)):
        return None
    halvings = tiles.bit_length()
    return PackedLevels(spec.batch, halvings, 1 << (halvings - 1))


def _compute_units(target: Target) -> int:
    """The compute units of a chip of several dies."""
    chip = target.chip
    return chip.peak.compute_units if chip and chip.peak else 0
