"""The loops over the keys of a tile: what is hidden from some row apart from the rest."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.rules import Rules

Steps: TypeAlias = Literal["all", "behind", "full", "ahead", "listed partial", "listed"]


@dataclass(frozen=True)
class StepLimits:
    """How far from queries steps may lie; None where nothing ahead, or behind, is hidden.

    Those that hide no key are within `full_ahead` of the tile's first query and `full_behind` of
    its end. Those with a key that some query of a wave sees begin `wave_ahead` after the wave's
    first query at most, and `wave_behind` before it; None too where rows are those of several
    heads.
    """

    full_ahead: int | None
    full_behind: int | None
    wave_ahead: int | None
    wave_behind: int | None


def step_limits(rules: Rules, lanes: LanesPlan, has_head_rows: bool) -> StepLimits:
    """The limits of a tile's steps, whose rows may be those of several heads."""
    ahead, behind = rules.last_ahead, rules.most_behind
    full_ahead = None if ahead is None else ahead + 1
    full_behind = None if behind is None else behind + 1
    if has_head_rows:
        return StepLimits(full_ahead, full_behind, wave_ahead=None, wave_behind=None)
    return StepLimits(
        full_ahead,
        full_behind,
        wave_ahead=None if ahead is None else ahead + lanes.wave_rows - 1,
        wave_behind=None if behind is None else behind + lanes.keys - 1,
    )


def loops_of(
    rules: Rules, cuts_keys: bool, lanes: LanesPlan, blocks: tuple[int, int] | None
) -> list[Steps]:
    """Which steps each loop has, in order.

    `behind` and `ahead` hide keys behind and ahead of some query, `full` none; `all` are all steps,
    where those of a window are all masked. Where `blocks` are listed, `listed` are the steps of
    these, `listed partial` those of which a mask function hides some.
    """
    if blocks is not None:
        return ["listed partial", "listed"] if "mask_mod" in rules.functions else ["listed"]
    behind = rules.most_behind is not None
    if behind and _masks_windows(lanes):
        return ["all"]
    ahead = rules.last_ahead is not None or cuts_keys
    hidden: dict[Steps, bool] = {"behind": behind, "full": True, "ahead": ahead}
    return [steps for steps, are_there in hidden.items() if are_there]


def _masks_windows(lanes: LanesPlan) -> bool:
    """Whether all steps of a window are masked, also those that hide nothing.

    Heads of 256 leave no registers on RDNA 4 for the addresses of three loops: prompts behind a
    context spilled up to 51. A mask takes 48 of the 1,100 cycles of a step.
    """
    is_rdna4 = lanes.instruction.family == "WMMAR4"
    return is_rdna4 and lanes.value_dim == 256 and not lanes.splits_keys
