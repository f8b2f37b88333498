"""The questions that the process of a side answers; answers travel between processes."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from irattn.lab.benchmark.memory import peak_bytes
from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.timing import take_turn
from irattn.specs import Spec, spec_from_json

Call = Callable[[], object]


class Side(ABC):
    """One side of a benchmark.

    `ways` are different calls that compute the same, by name; what a way returns, `arrays` turns
    into the outputs of the spec. `wait` is None where a call is done when it returns.
    """

    def __init__(self, threads: int, device: str) -> None:
        self.threads = threads
        self.device = device
        self.ways: dict[str, Call] = {}
        self.problems: dict[str, str] = {}
        self.peaks: dict[str, int | None] = {}
        self.wait: Callable[[], object] | None = None

    @abstractmethod
    def set_up(self, spec: Spec) -> None:
        """Fill `ways` for a spec of static sizes; NoWayError where there is none."""

    @abstractmethod
    def arrays(self, way: str, result: object) -> list[np.ndarray]:
        """The outputs that a way's result stands for."""

    def version(self) -> str:
        """The library that runs, with its version."""
        raise NotImplementedError

    def limits(self, dtypes: Sequence[str]) -> dict[str, float]:
        """Measured FLOP/s of a matrix product by storage type, and bytes/s of `read`."""
        raise NotImplementedError

    def prepare(self, spec_json: str) -> list[str]:
        """Set up a spec and try every way once: the names of those that work, none with a reason.

        NoWayError with the reasons where none does.
        """
        self.set_up(spec_from_json(spec_json))
        for name, call in list(self.ways.items()):
            try:
                self._try(name, call)
            # A library says in its own ways that it cannot; the reasons are handed on.
            except (RuntimeError, ValueError, TypeError, NotImplementedError) as error:
                del self.ways[name]
                self.problems[name] = (str(error).strip() or type(error).__name__).splitlines()[0]
        if not self.ways:
            reasons = "; ".join(f"{name}: {why}" for name, why in self.problems.items())
            raise NoWayError(reasons)
        return list(self.ways)

    def _try(self, name: str, call: Call) -> None:
        """Call once; the memory of a GPU is not seen."""
        if self.wait is None:
            self.peaks[name] = peak_bytes(call)
            return
        call()
        self.wait()
        self.peaks[name] = None

    def outputs(self, way: str) -> list[np.ndarray]:
        """The outputs that a way computes."""
        return self.arrays(way, self.ways[way]())

    def turn(self, way: str, seconds: float) -> list[float]:
        """Seconds of calls in succession; see `take_turn`."""
        return take_turn(self.ways[way], seconds, self.wait)

    def peak(self, way: str) -> int | None:
        """Bytes that a call took beyond its inputs; None where the system does not tell."""
        return self.peaks[way]


def best_rate(work: float, call: Call, seconds: float = 0.5) -> float:
    """Work per second of the quickest of the calls that fit into `seconds`."""
    call()
    return work / min(take_turn(call, seconds, clock=time.perf_counter))
