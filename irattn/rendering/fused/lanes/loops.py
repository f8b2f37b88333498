"""The loops over the keys of a tile."""

from dataclasses import dataclass

from irattn.rendering.logits import LogitRules


@dataclass(frozen=True)
class KeyLoop:
    """Steps from the key `begin` to the key `end`, both values; masked where some are hidden."""

    begin: str
    end: str
    is_masked: bool


def loops_of(rules: LogitRules, cuts_keys: bool, begin: str, end: str) -> list[KeyLoop]:
    """From `begin` to `end`: what is hidden from no row of the tile apart from the rest."""
    behind = rules.most_behind is not None
    ahead = rules.last_ahead is not None or cuts_keys
    full = KeyLoop("%full_begin" if behind else begin, "%full_end", False)
    first = [KeyLoop(begin, "%full_begin", True)] if behind else []
    return [*first, full, *([KeyLoop("%full_end", end, True)] if ahead else [])]


def wave_limits(rules: LogitRules) -> dict[str, str]:
    """Which steps a wave skips: how a step's first key stands to the limits of what it sees."""
    limits = {"last": (rules.last_ahead, "sle"), "first": (rules.most_behind, "sge")}
    return {name: order for name, (limit, order) in limits.items() if limit is not None}
