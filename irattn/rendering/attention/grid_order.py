"""The order of workgroups in the grid: heads, tiles and sequences."""

from irattn.core.dtypes import dtype
from irattn.core.tensors import largest
from irattn.rendering.attention.arguments import has_table
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.step import Step
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target
from irattn.targets.chips import dies_of, infinity_cache_of

# Workgroups along the second and the third axis of a grid, at most.
MOST_OF_AXIS = 65535

# Of the cache that dies share, the share that keys and values of all sequences may take which are
# read side by side.
_SHARE_OF_CACHE = 0.5


def heads_first(
    spec: AttentionFeatures, target: Target, step: Step, grid: Grid, most_tiles: int
) -> bool:
    """Whether heads come before tiles, so that dies have the same work, and keys of their own, and
    so that causal tiles of most keys begin first.

    Tiles first, those of one number, which have the same work in all heads, would be one die's:
    1.85 times the mean on MI300X, for a causal prompt of 1024 tokens and 32 heads. The last head's
    tiles of most keys would begin when most others are done: of a causal prompt of 4096
    multiprocessors worked 0.84 of the time on an H100, and by the model the last work-group
    processor of gfx1100 would be done after 1.22 times the mean of all, of 1024 tokens and 32
    heads, not 1.005. Keys of all heads are read at once: where those do not fit an L2, that reads
    some steps again, 240 MiB in 5.2 ms of 8192 tokens, of which 32 MiB are distinct.
    """
    batch = largest(spec.size("batch"))
    # Packed sequences have their tiles along the same axis.
    tiles = most_tiles * grid.parts + (batch + 1 if grid.is_packed else 0)
    if grid.is_of_few:
        tiles = most_tiles * grid.parts * batch
    of_tiles = step.lanes is not None and step.lanes.is_tight
    copies = step.copied is not None
    gains = dies_of(target.name) > 1 or copies or of_tiles or _tiles_differ(spec, grid)
    return gains and tiles <= MOST_OF_AXIS


def sequences_inside(spec: AttentionFeatures, target: Target, grid: Grid) -> bool:
    """Whether the tiles of one number of all sequences come before those of the next, so that the
    causal tiles of most keys of all sequences begin first.

    Sequence by sequence, the last one's tiles of most keys would begin when most others are done:
    of 4 causal prompts of 1,024 tokens and 32 heads in bf16, the last compute unit of gfx942 would
    be done after 1.26 times the mean of all, not 1.06; of 8 of 512 after 1.30, not 1.19. It takes
    a chip of nearly as many compute units as workgroups: on gfx1100 and gfx1201 both are 1.01. The
    keys of all sequences are read at once: these lie in the cache that dies share. Where a call
    tells lengths, tiles of one number are not alike: 4 sequences of up to 512 tokens took 10.1 us,
    not 9.8.
    """
    has_lengths = getattr(spec, "ragged", False) or has_table(spec)
    are_alike = not (grid.is_packed or has_lengths)
    batch = largest(spec.size("batch")) if are_alike else 1
    if batch == 1 or dies_of(target.name) == 1 or not _tiles_differ(spec, grid):
        return False
    return lie_in_shared_cache(spec, target, batch * largest(spec.num_keys))


def lie_in_shared_cache(spec: AttentionFeatures, target: Target, keys: int) -> bool:
    """Whether so many keys, and their values, take no more than their share of the cache of all
    dies.
    """
    columns = spec.num_kv_heads * (spec.head_dim + spec.v_dim)
    read = keys * columns * dtype(spec.io_dtype).numpy.itemsize
    return read <= _SHARE_OF_CACHE * infinity_cache_of(target.name) * 2**20


def _tiles_differ(spec: AttentionFeatures, grid: Grid) -> bool:
    """Whether tiles of rows of one head see more keys than others."""
    return spec.causal and not (grid.has_head_rows or grid.is_of_few)
