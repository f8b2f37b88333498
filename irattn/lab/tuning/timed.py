"""A tile on a device, in a process of its own: what it computes, then how long that takes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from irattn.compiling.artifact import Artifact
from irattn.core.errors import BenchmarkError, DeviceError
from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.process import SideProcess
from irattn.lab.benchmark.running import TURN_SECONDS
from irattn.lab.benchmark.timing import Spread
from irattn.lab.tuning.entries import SOUND, wrong_numbers
from irattn.lab.verification import KnownCase, strain


@dataclass(frozen=True)
class Timed:
    """The outcome of a tile on a device: its `times`, or `why` it has none.

    `strain` is the error on the cut in units of what is allowed.
    """

    outcome: str = SOUND
    why: str | None = None
    strain: float | None = None
    times: Mapping[str, Any] | None = None


class TimedTile:
    """The process of a tile, which takes no more turns once something is wrong."""

    def __init__(self, process: SideProcess) -> None:
        self._process = process
        self._way = ""
        self._outcome = Timed()

    def prepare(self, whole: Artifact, small: Artifact, known: KnownCase) -> None:
        """Compare what the cut computes of a timed call's tensors, then load what is timed."""
        with self._blamed():
            outputs = self._process.outputs(self._ready(small))
            self._outcome = _judged(float(strain(known.worst(outputs))))
            if self._outcome.outcome == SOUND:
                self._way = self._ready(whole)

    def turn(self) -> list[float]:
        """Seconds of calls in succession; of none where something is wrong."""
        if self._outcome.outcome == SOUND:
            with self._blamed():
                return self._process.turn(self._way, TURN_SECONDS)
        return []

    def after(self, turns: Sequence[Sequence[float]]) -> Timed:
        """The outcome that a trial ends with."""
        if self._outcome.outcome != SOUND:
            return self._outcome
        halves = [_spread(turns[n::2])["median"] for n in (0, 1)]
        return replace(self._outcome, times={**_spread(turns), "halves": halves})

    def _ready(self, artifact: Artifact) -> str:
        """The way to call an artifact, which has been called once."""
        self._process.load(str(artifact.path))
        (way,) = self._process.prepare(artifact.spec.calls[-1].to_json())
        return way

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Blame the tile for what a device refuses, and for a process that dies."""
        try:
            yield
        except (BenchmarkError, DeviceError, NoWayError) as error:
            why = (str(error) or type(error).__name__).splitlines()[0]
            self._outcome = Timed("does not run", why, self._outcome.strain)


def _judged(off: float) -> Timed:
    # JSON has no infinity.
    strain = off if off < float("inf") else None
    return Timed(strain=strain) if off <= 1 else Timed("wrong numbers", wrong_numbers(off), strain)


def _spread(turns: Sequence[Sequence[float]]) -> dict[str, Any]:
    return asdict(Spread.of([seconds for turn in turns for seconds in turn]))
