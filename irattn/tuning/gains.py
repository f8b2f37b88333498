"""What tiles of their own gain over one tile for all entries of a target."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from irattn.tuning.entries import Entry, Tried

Tile = Mapping[str, int]


@dataclass(frozen=True)
class Gain:
    """Of several entries whose tiles are the same numbers: the best `tile` for all of them.

    `own` and `chosen` are how many times as fast the tables' tiles, and those chosen, are by their
    estimates than that one; `measured` says by times instead. Both are geometric means.
    """

    target: str
    names: tuple[str, ...]
    tile: Tile
    own: float
    chosen: float
    measured: bool


def gains(entries: Sequence[Entry]) -> list[Gain]:
    """A gain for each target and kind of tile that several entries have."""
    kinds: dict[tuple[str, tuple[str, ...]], list[Entry]] = {}
    for entry in entries:
        kinds.setdefault((entry.target, tuple(entry.own_tile)), []).append(entry)
    several = [alike for alike in kinds.values() if len(alike) > 1]
    return [gain for alike in several for gain in _gains(alike)]


def _gains(alike: Sequence[Entry]) -> Iterator[Gain]:
    """By estimates, and by times where tiles of all were measured."""
    for figure, measured in ((_estimate, False), (_seconds, True)):
        costs = [_costs(entry, figure) for entry in alike]
        shared = set.intersection(*(set(cost) for cost in costs))
        own = [_key(entry.own_tile) for entry in alike]
        chosen = [_key(entry.tile) for entry in alike]
        pairs = zip(costs, own, chosen, strict=True)
        if not shared or not all(a in cost and b in cost for cost, a, b in pairs):
            continue
        best = min(sorted(shared), key=lambda tile: _mean([cost[tile] for cost in costs]))
        for_all = _mean([cost[best] for cost in costs])
        yield Gain(
            alike[0].target,
            tuple(entry.name for entry in alike),
            dict(best),
            for_all / _mean([cost[tile] for cost, tile in zip(costs, own, strict=True)]),
            for_all / _mean([cost[tile] for cost, tile in zip(costs, chosen, strict=True)]),
            measured,
        )


_Key = tuple[tuple[str, int], ...]


def _key(tile: Tile) -> _Key:
    return tuple(tile.items())


def _costs(entry: Entry, figure: Callable[[Tried], float | None]) -> dict[_Key, float]:
    found = {_key(one.tile): figure(one) for one in entry.tried if one.is_sound}
    return {tile: cost for tile, cost in found.items() if cost}


def _estimate(one: Tried) -> float | None:
    return one.estimate


def _seconds(one: Tried) -> float | None:
    return one.seconds


def _mean(numbers: Sequence[float]) -> float:
    """The geometric one: twice and half as much are opposites."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers))
