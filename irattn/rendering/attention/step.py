"""A step of keys: what lanes, or products of tensors, do of it."""

from dataclasses import dataclass, replace
from math import prod

from irattn.rendering.attention.arguments import has_table, keys_and_values
from irattn.rendering.attention.choose import Choice
from irattn.rendering.attention.columns import HEAD_LETTERS, VALUE_LETTERS, Columns, columns_of
from irattn.rendering.attention.copied import CopiedPlan, are_copied, plan_copied
from irattn.rendering.attention.direct import DirectPlan, goes_to_lds, plan_direct, swaps_accesses
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.rendering.attention.lds import LdsPlan, plan_lds
from irattn.rendering.attention.own import OwnPlan, plan_own
from irattn.rendering.attention.plan_lanes import plan_lanes
from irattn.rendering.attention.tiles import TilesPlan, plan_tiles
from irattn.rendering.attention.wide import WidePlan, plan_wide
from irattn.rendering.cache_formats import quantised_cache
from irattn.rendering.dynamic import has_dynamic
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

_BYTES, _MOST_BYTES = 2, 1 << 31


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of keys, at the level of lanes or, where these are None, of tensors.

    Lanes share keys and values in LDS, `lds`, where these come by way of registers, or are `copied`
    or come `direct`, or waves have keys of their own, `own`, or value columns of their own, `wide`.
    """

    lanes: LanesPlan | None
    lds: LdsPlan | None
    copied: CopiedPlan | None
    direct: DirectPlan | None
    own: OwnPlan | None
    wide: WidePlan | None
    tile: LanesPlan | TilesPlan
    head: Columns
    value_columns: Columns


def step_of(spec: AttentionFeatures, target: Target, choice: Choice) -> Step:
    """The step of a tile at its level."""
    if not isinstance(choice.tile, LanesTile):
        tile = plan_tiles(choice.tile)
        return Step(
            lanes=None,
            lds=None,
            copied=None,
            direct=None,
            own=None,
            wide=None,
            tile=tile,
            head=tile.head,
            value_columns=tile.value,
        )
    lanes, splits_keys = plan_lanes(spec, target, choice.tile), choice.tile.splits_keys
    is_wide = lanes.column_waves > 1
    is_shared = not (splits_keys or is_wide)
    goes_direct = is_shared and _is_brought(spec) and goes_to_lds(lanes)
    cache = quantised_cache(spec)
    is_copied = is_shared and are_copied(lanes, cache)
    goes_by_registers = is_shared and not (is_copied or goes_direct)
    if (goes_by_registers or (goes_direct and swaps_accesses(lanes))) and _writes_pieces(
        lanes, choice.grid
    ):
        lanes = replace(lanes, pieces=list(range(0, lanes.value_columns, lanes.access)))
    return Step(
        lanes=lanes,
        lds=plan_lds(lanes) if goes_by_registers else None,
        copied=plan_copied(lanes, has_table(spec)) if is_copied else None,
        direct=plan_direct(lanes) if goes_direct else None,
        own=plan_own(lanes, choice.grid, target.lds_bytes, cache) if splits_keys else None,
        wide=plan_wide(lanes) if is_wide else None,
        tile=lanes,
        head=columns_of(spec.head_dim, HEAD_LETTERS),
        value_columns=columns_of(spec.v_dim, VALUE_LETTERS),
    )


def _writes_pieces(lanes: LanesPlan, grid: Grid) -> bool:
    """Whether waves write whole lines of rows that no other kernel reads or completes."""
    return lanes.instruction.family == "MFMA" and not (grid.is_split or grid.is_packed)


def _is_brought(spec: AttentionFeatures) -> bool:
    """Whether AMD's instructions bring a spec's keys and values right into LDS.

    They want numbers as they are multiplied, whose place is no table's: that would be waited for
    between steps. Tiles then take turns, which dropout does not. IREE 3.13.0 describes memory
    to such instructions where its size is known, and less than 2 GiB.
    """
    if has_table(spec) or quantised_cache(spec) is not None or spec.dropout_p is not None:
        return False
    tensors = keys_and_values(spec)
    if has_dynamic(size for tensor in tensors for size in tensor.shape):
        return False
    return all(_BYTES * prod(tensor.largest_shape) < _MOST_BYTES for tensor in tensors)
