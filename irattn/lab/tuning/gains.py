"""The gains of tiles of their own over one tile for all entries of a target."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from irattn.lab.tuning.entries import Tried, TuningEntry

Tile = Mapping[str, int]
Key = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Gain:
    """The gain of several entries by tiles of their own, beside the one `tile` best for all.

    `own` and `chosen` are how many times as fast the tables' tiles, and those chosen, are by their
    estimates than that one; `measured` says by times instead. `own_work` and `chosen_work` are how
    many times its instructions they execute, where these were counted. All are geometric means.
    """

    target: str
    names: tuple[str, ...]
    tile: Tile
    own: float
    chosen: float
    measured: bool
    own_work: float | None
    chosen_work: float | None


def gains(entries: Sequence[TuningEntry]) -> list[Gain]:
    """A gain for each target and kind of tile that several entries have."""
    kinds: dict[tuple[str, tuple[str, ...]], list[TuningEntry]] = {}
    for entry in entries:
        kinds.setdefault((entry.target, tuple(entry.own_tile)), []).append(entry)
    several = [alike for alike in kinds.values() if len(alike) > 1]
    return [gain for alike in several for gain in _gains(alike)]


def _gains(alike: Sequence[TuningEntry]) -> Iterator[Gain]:
    """By estimates, and by times where tiles of all were measured."""
    own = [key_of(entry.own_tile) for entry in alike]
    chosen = [key_of(entry.tile) for entry in alike]
    work = [costs_of(entry, instructions) for entry in alike]
    for figure, measured in ((_estimate, False), (_seconds, True)):
        costs = [costs_of(entry, figure) for entry in alike]
        best = best_for_all(costs)
        if best is None:
            continue
        by_own, by_chosen = (cost_ratio(costs, best, tiles) for tiles in (own, chosen))
        own_work, chosen_work = (cost_ratio(work, best, tiles) for tiles in (own, chosen))
        if by_own is None or by_chosen is None:
            continue
        yield Gain(
            alike[0].target,
            tuple(entry.name for entry in alike),
            dict(best),
            by_own,
            by_chosen,
            measured,
            own_work and 1 / own_work,
            chosen_work and 1 / chosen_work,
        )


def best_for_all(costs: Sequence[Mapping[Key, float]]) -> Key | None:
    """The tile with the least mean of those that all have."""
    shared = set.intersection(*(set(cost) for cost in costs))
    return min(sorted(shared), key=lambda tile: _mean([cost[tile] for cost in costs]), default=None)


def cost_ratio(
    costs: Sequence[Mapping[Key, float]], one: Key, others: Sequence[Key]
) -> float | None:
    """The cost of one tile for all over that of the others; None where that is not known."""
    pairs = list(zip(costs, others, strict=True))
    if not all(one in cost and other in cost for cost, other in pairs):
        return None
    return _mean([cost[one] / cost[other] for cost, other in pairs])


def key_of(tile: Tile) -> Key:
    """A tile as what costs are listed by."""
    return tuple(tile.items())


def costs_of(entry: TuningEntry, figure: Callable[[Tried], float | None]) -> dict[Key, float]:
    """A figure of each sound tile that was tried and has it."""
    costs = {key_of(one.tile): figure(one) for one in entry.tried if one.is_sound}
    return {tile: cost for tile, cost in costs.items() if cost}


def _estimate(one: Tried) -> float | None:
    return one.estimate


def instructions(one: Tried) -> float | None:
    """How many instructions were executed."""
    return one.figures.get("executed_instructions")


def _seconds(one: Tried) -> float | None:
    return one.seconds


def _mean(numbers: Sequence[float]) -> float:
    """The geometric one: twice and half as much are opposites."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers))
