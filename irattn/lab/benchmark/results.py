"""The results of a benchmark: a row for each spec, and what they add up to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from irattn.lab.benchmark.limits import Limits
from irattn.lab.benchmark.timing import Spread
from irattn.lab.benchmark.work import Work
from irattn.specs import Spec


@dataclass(frozen=True)
class Measured:
    """One side of a row: seconds of its calls turn by turn, and what a call takes in memory.

    `way` is the quickest of the ways that the side has, `ways` the seconds of them all in a trial.
    """

    turns: Sequence[Sequence[float]]
    way: str
    ways: Mapping[str, float]
    peak_bytes: int | None

    @property
    def spread(self) -> Spread:
        """Median and quartiles of all calls."""
        return Spread.of([seconds for turn in self.turns for seconds in turn])

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "seconds": asdict(self.spread),
            "way": self.way,
            "ways": dict(self.ways),
            "peak_bytes": self.peak_bytes,
        }


@dataclass(frozen=True)
class Row:
    """One spec: irattn's side, the peer's, and the least that a call computes and moves.

    `failure` says why nothing was timed: it does not compile or run, or its numbers are wrong.
    `note` says why there is no peer. `strain` is how far the outputs of the two sides are apart, or
    irattn's from the reference, in units of what is allowed.
    """

    name: str
    spec: Spec
    work: Work | None = None
    compile_seconds: float | None = None
    own: Measured | None = None
    peer: Measured | None = None
    strain: float | None = None
    failure: str | None = None
    note: str | None = None

    def with_(self, **changes: Any) -> "Row":
        """A row that knows more."""
        return replace(self, **changes)

    @property
    def dtype(self) -> str:
        """The storage type."""
        return self.spec.io_dtype

    @property
    def multiplies_whole_numbers(self) -> bool:
        """Whether hidden states are rounded to whole numbers before they are multiplied."""
        parts = (self.spec, getattr(self.spec, "experts", None))
        return any(getattr(part, "activation_format", None) for part in parts)

    @property
    def ratio(self) -> float | None:
        """The peer's median time over irattn's: above 1 irattn is faster."""
        if self.own is None or self.peer is None:
            return None
        return self.peer.spread.median / self.own.spread.median

    @property
    def ratio_quartiles(self) -> tuple[float, float] | None:
        """The quartiles of the ratios of turns that were taken one after the other."""
        if self.own is None or self.peer is None:
            return None
        pairs = zip(self.own.turns, self.peer.turns, strict=True)
        ratios = [float(np.median(peer) / np.median(own)) for own, peer in pairs]
        lower, upper = np.quantile(ratios, (0.25, 0.75))
        return float(lower), float(upper)

    @property
    def flops_per_second(self) -> float | None:
        """FLOP/s of irattn, counting what no mask hides."""
        return self.work.flops / self.own.spread.median if self.work and self.own else None

    @property
    def bytes_per_second(self) -> float | None:
        """Bytes per second of irattn, counting each byte that is needed once."""
        return self.work.bytes / self.own.spread.median if self.work and self.own else None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "name": self.name,
            "spec": self.spec.to_dict(),
            "ratio": self.ratio,
            "ratio_quartiles": self.ratio_quartiles,
            "own": self.own.to_dict() if self.own else None,
            "peer": self.peer.to_dict() if self.peer else None,
            "flops": self.work.flops if self.work else None,
            "bytes": self.work.bytes if self.work else None,
            "flops_per_second": self.flops_per_second,
            "bytes_per_second": self.bytes_per_second,
            "compile_seconds": self.compile_seconds,
            # JSON has no infinity: with a failure, null is an error without bound.
            "strain": self.strain
            if self.strain is not None and math.isfinite(self.strain)
            else None,
            "failure": self.failure,
            "note": self.note,
        }


@dataclass(frozen=True)
class Report:
    """Rows, and what they were measured on and with.

    `against` names the peer, None where irattn was timed alone. `measured` says in words what one
    time is the time of.
    """

    rows: tuple[Row, ...]
    target: str
    device: str
    against: str | None
    measured: str
    machine: Mapping[str, Any]
    limits: Limits | None
    notes: tuple[str, ...] = field(default=())

    @property
    def failed(self) -> list[Row]:
        """The rows that were not timed."""
        return [row for row in self.rows if row.failure]

    @property
    def ratios(self) -> dict[str, float]:
        """The ratios of the rows that have one."""
        ratios = {row.name: row.ratio for row in self.rows}
        return {name: ratio for name, ratio in ratios.items() if ratio is not None}

    @property
    def geometric_mean(self) -> float | None:
        """The geometric mean of the ratios."""
        return geometric_mean(self.ratios.values()) if self.ratios else None

    @property
    def worst(self) -> str | None:
        """The name of the row with the smallest ratio."""
        return min(self.ratios, key=self.ratios.__getitem__) if self.ratios else None

    def of_limit(self, row: Row) -> tuple[float | None, float | None]:
        """A row's FLOP/s and bytes/s as shares of what the machine can do.

        Products of whole numbers have no limit: those that are measured are of floats.
        """
        if self.limits is None or row.flops_per_second is None or row.bytes_per_second is None:
            return None, None
        read = row.bytes_per_second / self.limits.read
        if row.multiplies_whole_numbers:
            return None, read
        return row.flops_per_second / self.limits.flops[row.dtype], read

    def to_dict(self) -> dict[str, Any]:
        """JSON form: all figures, in seconds, bytes and FLOPs."""
        rows = []
        for row in self.rows:
            compute, read = self.of_limit(row)
            rows.append({**row.to_dict(), "of_flops_limit": compute, "of_read_limit": read})
        return {
            "machine": dict(self.machine),
            "target": self.target,
            "device": self.device,
            "against": self.against,
            "measured": self.measured,
            "notes": list(self.notes),
            "limits": self.limits.to_dict() if self.limits else None,
            "geometric_mean": self.geometric_mean,
            "worst": self.worst,
            "rows": rows,
        }


def geometric_mean(ratios: Any) -> float:
    """The mean that takes twice as fast and half as fast for opposites."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs))
