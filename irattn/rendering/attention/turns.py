"""Turns of tiles of queries: lanes make weights of one while matrices of another are multiplied."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias

from irattn.rendering.attention.lanes import LanesPlan, Pair
from irattn.rendering.attention.lds import LdsPlan

_Step: TypeAlias = Literal[
    "largest", "question", "best", "limit", "logits", "even", "odd", "pack", "sum"
]


_STEPS_OF_PAIR: tuple[_Step, ...] = ("logits", "even", "odd", "pack")


@dataclass(frozen=True)
class Weighing:
    """A step from a query's scores to its weights.

    It is the lane's `largest` score, a `question` about it to the lanes at a `distance`, by number,
    the `best` of both, the `limit` which follows, the `logits` of a `pair` of weights, its `even`
    and its `odd` weight where these are made apart, both of them in a `pack`, or its part of their
    `sum`.
    """

    query: int
    step: _Step
    pair: Pair | None = None
    distance: int = 0


# What is done beside one turn, and another; nothing of an empty one.
_Weighings: TypeAlias = list[list[Weighing]]


@dataclass(frozen=True)
class Bringing:
    """A part of what brings the next step's keys and values to LDS, and fetches those after them.

    A lane `waits` until all have read this step's, places `keys`, turns two `columns` of values
    from one on, places all `values`, and begins to `fetch`.
    """

    part: Literal["waits", "keys", "columns", "values", "fetch"]
    column: int = 0


@dataclass(frozen=True)
class Turn:
    """One matrix instruction for one tile of queries, and what lanes do for another beside it.

    It adds the products of `depth` to those of a tile of keys, or of value columns.
    """

    tile: int
    depth: int
    beside: list[Weighing]
    brings: list[Bringing]


@dataclass(frozen=True)
class Order:
    """The order of a step: the products of scores, what lanes do after all of them, and those of
    values, both by query.
    """

    scores: list[list[Turn]]
    between: list[Weighing]
    values: list[list[Turn]]


@dataclass(frozen=True)
class TurnsPlan:
    """The order of a step whose scores are weighed as they are, and of one with rules for them.

    `weights` are the pairs that a matrix instruction multiplies, by query and depth, `brought` all
    that is done for the next steps beside the scores of the first query. Weights are made
    `one_by_one` where there are turns enough: an exponential takes as long as a turn.
    """

    plain: Order
    ruled: Order
    weights: list[list[list[Pair]]]
    brought: list[Bringing]
    one_by_one: bool


def plan_turns(lanes: LanesPlan, lds: LdsPlan | None) -> TurnsPlan | None:
    """The turns of lanes that have one query of each tile, by way of registers with an `lds`."""
    if lanes.layout.queries > 1:
        return None
    # On CDNA 4, whose lanes have more to do than its matrix units, what this takes of instructions
    # is longer than the waits that it saves: 1.06 times the time of paged and dynamic prompts.
    brought = _brought(lanes) if lds and not lanes.swaps_lanes else []
    weights = [_weights(lanes, query) for query in lanes.queries]
    of_queries = list(zip(lanes.queries, weights, strict=True))
    turns = len(lanes.key_tiles) * _depths(lanes)
    sums: _Weighings = [[Weighing(pair.query, "sum", pair)] for pair in lanes.pairs]
    # Weights of a later depth must be there by its first product, so as much follows them.
    has_room = lanes.value_steps == 1 or len(sums) >= len(_made(0, weights[0][:1], True))
    alone = has_room and all(
        len(_first(lanes, query, of[0], True)) <= turns for query, of in of_queries
    )
    # What leads to a query's first product with values, and weights that may come later.
    firsts = [_first(lanes, query, of[0], alone) for query, of in of_queries]
    rests = [_made(query, of[1:], alone) for query, of in of_queries]
    none: _Weighings = []
    # Rules want the scores of all queries.
    beside = [rest + first for rest, first in zip(rests, [*firsts[1:], sums], strict=True)]
    ruled = _order(lanes, [none for _ in firsts], firsts[0], beside, brought)
    if len(firsts) == 1:
        return TurnsPlan(ruled, ruled, weights, brought, alone)
    before = [
        rest + first for rest, first in zip([none, none, *rests[:-1]], [none, *firsts], strict=True)
    ]
    after = [before.pop(), rests[-1], *(none for _ in firsts[2:])]
    after[-1] = after[-1] + sums
    plain = _order(lanes, before, none, after, brought)
    return TurnsPlan(plain, ruled, weights, brought, alone)


def _brought(lanes: LanesPlan) -> list[Bringing]:
    """Two columns at a time are turned by as many instructions as fit beside a product."""
    columns = [Bringing("columns", column) for column in range(0, lanes.access, 2)]
    return [
        Bringing("waits"),
        Bringing("keys"),
        *columns,
        Bringing("values"),
        Bringing("fetch"),
    ]


def _weights(lanes: LanesPlan, query: int) -> list[list[Pair]]:
    """A query's pairs of weights that a matrix instruction multiplies, by depth."""
    pairs = [pair for pair in lanes.pairs if pair.query == query]
    count = len(pairs) // lanes.value_steps
    return [pairs[start : start + count] for start in range(0, len(pairs), count)]


def _first(lanes: LanesPlan, query: int, pairs: list[Pair], one_by_one: bool) -> _Weighings:
    """All that leads to a query's first weights. Sums of a last turn are there after the next."""
    numbers = [n + 1 for n in range(len(lanes.distances))]
    return [
        *([[]] if one_by_one else []),
        [Weighing(query, "largest")],
        *(one for n in numbers for one in _best(lanes, query, n)),
        [Weighing(query, "limit")],
        *_made(query, [pairs], one_by_one),
    ]


def _made(query: int, weights: list[list[Pair]], one_by_one: bool) -> _Weighings:
    """Pairs of weights or, `one_by_one`, each, with what is short between two pairs."""
    pairs = list(chain.from_iterable(weights))
    logits, even, odd, pack = (
        [Weighing(query, step, pair) for pair in pairs] for step in _STEPS_OF_PAIR
    )
    if not one_by_one:
        return [list(steps) for steps in zip(logits, pack, strict=True)]
    begins = [logits[:1], *([] for _ in pairs[1:])]
    ends = [
        [here, *after]
        for here, after in zip(pack, [*([one] for one in logits[1:]), []], strict=True)
    ]
    return [
        one
        for begin, *weights_of, end in zip(begins, even, odd, ends, strict=True)
        for one in ([*begin, weights_of[0]], [weights_of[1]], end)
    ]


def _best(lanes: LanesPlan, query: int, distance: int) -> _Weighings:
    """Where an answer comes through LDS, a question goes two turns before."""
    best = Weighing(query, "best", distance=distance)
    if lanes.swaps_lanes:
        return [[best]]
    return [[Weighing(query, "question", distance=distance)], [], [best]]


def _depths(lanes: LanesPlan) -> int:
    """Matrix instructions of a tile of scores."""
    return len(lanes.head_chunks) * lanes.chunk_steps


def _order(
    lanes: LanesPlan,
    beside_scores: list[_Weighings],
    between: _Weighings,
    beside_values: list[_Weighings],
    brought: list[Bringing],
) -> Order:
    depths = _depths(lanes)
    brings = [brought, *([] for _ in beside_scores[1:])]
    return Order(
        [
            _turns(lanes.key_tiles, depths, beside, brings_here)
            for beside, brings_here in zip(beside_scores, brings, strict=True)
        ],
        list(chain.from_iterable(between)),
        [_turns(lanes.value_tiles, lanes.value_steps, beside) for beside in beside_values],
    )


def _turns(
    tiles: list[int], depths: int, beside: _Weighings, brings: Sequence[Bringing] = ()
) -> list[Turn]:
    """Turns through all tiles for each depth, with as much beside each as beside another.

    What an instruction adds to is there by its next turn; so are weights that a later depth
    multiplies, which are the first of what is beside, and no greater part of it. What is brought
    comes late, when all have read.
    """
    places = [(tile, depth) for depth in range(depths) for tile in tiles]
    counts = [n * len(beside) // len(places) for n in range(len(places) + 1)]
    first = len(places) - min(len(places), len(brings))
    starts = [
        max(0, n - first) * len(brings) // (len(places) - first or 1)
        for n in range(len(places) + 1)
    ]
    return [
        Turn(
            *place,
            list(chain.from_iterable(beside[counts[n] : counts[n + 1]])),
            list(brings[starts[n] : starts[n + 1]]),
        )
        for n, place in enumerate(places)
    ]
