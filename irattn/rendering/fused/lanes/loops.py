"""The loops over the keys of a tile: what is hidden from some row apart from the rest."""

from typing import Literal, TypeAlias

from irattn.rendering.logits import LogitRules

Steps: TypeAlias = Literal["all", "behind", "full", "ahead"]


def loops_of(rules: LogitRules, cuts_keys: bool, masks_windows: bool) -> list[Steps]:
    """Which steps they have, in order.

    `behind` and `ahead` hide keys behind and ahead of some query, `full` none; `all` are all steps,
    where those of a window are all masked.
    """
    behind = rules.most_behind is not None
    if masks_windows and behind:
        return ["all"]
    ahead = rules.last_ahead is not None or cuts_keys
    hidden: dict[Steps, bool] = {"behind": behind, "full": True, "ahead": ahead}
    return [steps for steps, are_there in hidden.items() if are_there]
