"""Search a spec's tiles: try them, several at a time, then verify and measure the best."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace

from irattn.compiling.several import build_pool
from irattn.core.errors import IrattnError
from irattn.lab.tuning.budget import Budget
from irattn.lab.tuning.entries import Tried, best_first
from irattn.lab.tuning.measuring import measure
from irattn.lab.tuning.timed import Timed
from irattn.lab.tuning.trials import Job, Tile, try_tile, verified

# Told after each step: all that was tried, in the order of trial, and what was done last.
Tell = Callable[[Sequence[Tried], Tried], object]

# The best so many by their estimates are verified on every case, and measured.
FINALISTS = 4

# Of an estimate: less is no gain.
_LEAST_GAIN = 0.99


@dataclass
class Trials:
    """Tiles in the order of trial, what became of those that were tried, and what stopped others.

    `failures` are no fault of a tile: a worker was lost, the disk is full.
    """

    tiles: Sequence[Tile]
    done: dict[int, Tried] = field(default_factory=dict)
    failures: dict[int, IrattnError] = field(default_factory=dict)

    @property
    def tried(self) -> list[Tried]:
        """The tiles that were tried, in the order of trial, whichever was done first."""
        return [self.done[number] for number in sorted(self.done)]

    def take_over(self, before: Sequence[Tried]) -> None:
        """Take over the trials of an earlier run."""
        self.done = {
            i: one for i, tile in enumerate(self.tiles) for one in before if one.tile == tile
        }


def try_tiles(job: Job, trials: Trials, budget: Budget, tell: Tell) -> None:
    """Try what was not tried before, as far as the budget goes."""
    left = iter([i for i in range(len(trials.tiles)) if i not in trials.done])
    under_way: dict[Future[Tried], int] = {}
    with build_pool(job.executor.jobs) as pool:
        while True:
            _fill(under_way, left, pool, job, trials, budget)
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                number = under_way.pop(future)
                try:
                    trials.done[number] = future.result()
                except IrattnError as error:
                    trials.failures[number] = error
                    continue
                tell(trials.tried, future.result())


def _fill(
    under_way: dict[Future[Tried], int],
    left: Iterator[int],
    pool: ThreadPoolExecutor,
    job: Job,
    trials: Trials,
    budget: Budget,
) -> None:
    """Begin as many as the executor takes at a time."""
    while len(under_way) < job.executor.jobs:
        if not budget.allows(len(trials.done) + len(trials.failures) + len(under_way)):
            return
        number = next(left, None)
        if number is None:
            return
        under_way[pool.submit(try_tile, job, trials.tiles[number])] = number


def verify_best(job: Job, tried: Sequence[Tried], tell: Tell) -> list[Tried]:
    """All that was tried, with the best by estimate verified on every case of inputs.

    What fails then is no longer sound, and the next one takes its place.
    """
    return _verify(job, tried, tell, lambda current: finalists(job, current))


def verify_quickest(job: Job, tried: Sequence[Tried], tell: Tell) -> list[Tried]:
    """Verify the tile that times, or their lack, would choose, and the tables' own."""

    def chosen(current: Sequence[Tried]) -> list[Tried]:
        sound = best_first(current, job.own_tile)
        best = _best(sound, job.own_tile)
        return [one for tile in (best, job.own_tile) for one in sound if one.tile == tile]

    return _verify(job, tried, tell, chosen)


def _verify(
    job: Job,
    tried: Sequence[Tried],
    tell: Tell,
    choose: Callable[[Sequence[Tried]], Sequence[Tried]],
) -> list[Tried]:
    """Verify those that are chosen, until all that are then chosen are verified."""
    current = list(tried)
    while True:
        doubtful = next((one for one in choose(current) if one.cases is None), None)
        if doubtful is None:
            return current
        after = verified(job, doubtful)
        current[current.index(doubtful)] = after
        tell(current, after)


def finalists(job: Job, tried: Sequence[Tried]) -> list[Tried]:
    """The best by estimate and the tables' own; all where there is no estimate."""
    ranked = best_first(tried, job.own_tile)
    chosen = ranked[: FINALISTS if job.ranks else None]
    return [one for one in ranked if one in chosen or one.tile == job.own_tile]


def measure_best(job: Job, tried: Sequence[Tried], device: str) -> list[Tried]:
    """All that was tried, with times of the finalists, taken in one go; no other has times.

    What does not run on the device, or computes something else there, is no longer sound.
    """
    chosen = finalists(job, tried)
    pairs = [(job.artifact(one.tile), job.small_artifact(one.tile)) for one in chosen]
    places = [tried.index(one) for one in chosen]
    timed = dict(zip(places, measure(pairs, device), strict=True))
    return [_timed(one, timed.get(i), device) for i, one in enumerate(tried)]


def _timed(one: Tried, outcome: Timed | None, device: str) -> Tried:
    if outcome is None:
        return replace(one, measured=None)
    why = outcome.why and f"on device {device}: {outcome.why}"
    return replace(one, outcome=outcome.outcome, why=why, measured=outcome.times)


def winner(tried: Sequence[Tried], own_tile: Tile) -> Tile:
    """The best of those that were verified on every case, if it is better than the tables' own.

    Where times were measured they decide: its quartiles lie below, as times of equal code differ
    too. Else its estimate is a hundredth less; no model is so exact that less would mean anything.
    """
    return _best([one for one in best_first(tried, own_tile) if one.cases is not None], own_tile)


def _best(sound: Sequence[Tried], own_tile: Tile) -> Tile:
    """The one of these that times choose, or else estimates."""
    own = next((one for one in sound if one.tile == own_tile), None)
    if own is None:
        timed = [one for one in sound if one.seconds is not None]
        best = min(timed, key=lambda one: one.seconds or 0.0, default=next(iter(sound), None))
        return best.tile if best else own_tile
    if own.measured:
        return _quickest(sound, own.tile, own.measured["lower"])
    if own.estimate is None or not sound[0].estimate:
        return own_tile
    return sound[0].tile if sound[0].estimate < _LEAST_GAIN * own.estimate else own_tile


def _quickest(sound: Sequence[Tried], own_tile: Tile, below: float) -> Tile:
    """The least median of those whose quartiles lie below a time, if any do."""
    timed: list[tuple[Tile, Mapping[str, float]]] = [
        (one.tile, one.measured) for one in sound if one.measured
    ]
    quicker = [pair for pair in timed if pair[1]["upper"] < below]
    return min(quicker, key=lambda pair: pair[1]["median"])[0] if quicker else own_tile
