"""The causal tiles that begin beside those of most keys, where compute units have two at once."""

from dataclasses import dataclass

from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.step import Step
from irattn.rendering.dynamic import has_dynamic
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# A workgroup leaves another one room: with wider heads lanes of CDNA take all registers, and with
# more waves those of RDNA.
_MOST_COLUMNS, _MOST_WAVES = 128, 8
# Of as many as each compute unit has one, the order of the next ones is the reverse of its own.
_LEAST_OF_ROUND = 2


@dataclass(frozen=True)
class SecondRound:
    """Numbers of tiles, as they begin, from `first` to before `end`: these come in reverse order.

    A number and its place among them add up to `both_ends`.
    """

    first: int
    end: int

    @property
    def both_ends(self) -> int:
        """The first number and the last."""
        return self.first + self.end - 1


def second_round(
    spec: AttentionFeatures, target: Target, step: Step, grid: Grid, sequences_are_inside: bool
) -> SecondRound | None:
    """The tiles that begin second on a compute unit, those of fewest keys beside those of most.

    None where all tiles begin in the order of their keys. A workgroup goes where fewest are: were
    the second ones in that order too, the first compute units would have most of both. Of a causal
    prompt of 1,024 tokens with 32 heads, of 8 of keys, in bf16 and tiles of 64 rows the last one
    would be done after 1.61 times the mean of all, 15.8 us by the model on gfx942, and is after
    1.19 times, 12.2 us; of 512 tokens in f16 on gfx90a after 1.26 and 1.17 times, 17.1 and 15.9 us.
    Where there are more than two for each, later ones fill what is left, in the order of their
    keys.
    """
    places = _places(target, step)
    if not places or not _differ(spec, grid) or (spec.batch > 1 and not sequences_are_inside):
        return None
    of_number = grid.heads * spec.batch
    first, tiles = places // of_number, -(-grid.most_rows // step.tile.rows)
    if first < _LEAST_OF_ROUND or tiles <= first:
        return None
    return SecondRound(first, min(2 * first, tiles))


def _places(target: Target, step: Step) -> int:
    """How many workgroups keep a chip busy; 0 where that is not known, or two have no room."""
    simd, peak = target.simd, target.chip.peak if target.chip else None
    lanes, brought = step.lanes, step.copied or step.direct or step.lds
    if not (simd and peak and lanes and brought) or lanes.waves > _MOST_WAVES:
        return 0
    if max(lanes.head_dim, lanes.value_dim) > _MOST_COLUMNS or 2 * brought.bytes > simd.lds_bytes:
        return 0
    units = peak.compute_units * simd.of_unit // simd.simds
    return units * max(1, simd.simds // lanes.waves)


def _differ(spec: AttentionFeatures, grid: Grid) -> bool:
    """Whether a head's tiles, as many as the grid is known to have, each see more keys than the
    one before.
    """
    is_known = not has_dynamic((spec.size("batch"), grid.rows_of_head))
    is_cut = grid.is_packed or grid.is_split or grid.has_head_rows
    return is_known and not is_cut and spec.causal and spec.window_left is None
