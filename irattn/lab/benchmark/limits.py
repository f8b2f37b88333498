"""The machine's limits, measured in the same run: products of matrices, and reading memory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from irattn.lab.benchmark.process import SideProcess


@dataclass(frozen=True)
class Limits:
    """FLOP/s of the quickest product of large matrices by storage type, and bytes/s of reading.

    A type whose own product is slower than that in f32, or was not measured, has that of f32.
    """

    flops: Mapping[str, float]
    read: float

    def seconds(self, dtype: str, flops: float, moved: float) -> float:
        """The least time for so many FLOPs and bytes: the roofline."""
        return max(flops / self.flops[dtype], moved / self.read)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {"flops_per_second": dict(self.flops), "read_bytes_per_second": self.read}


def measure_limits(
    sides: Iterable[str], threads: int, device: str, dtypes: Iterable[str]
) -> Limits | None:
    """The best that any of these sides reaches; None where there is none."""
    wanted = list(dict.fromkeys(["f32", *dtypes]))
    best: dict[str, float] = {}
    for side in sides:
        with SideProcess(side, threads, device) as process:
            for what, rate in process.limits(wanted).items():
                best[what] = max(rate, best.get(what, 0.0))
    if not best:
        return None
    flops = {name: max(best["f32"], best.get(name, 0.0)) for name in wanted}
    return Limits(flops, best["read"])


def better_of(one: Limits | None, other: Limits | None) -> Limits | None:
    """The higher of two measurements: a machine can do what it did once."""
    if one is None or other is None:
        return one or other
    flops = {name: max(rate, other.flops[name]) for name, rate in one.flops.items()}
    return Limits(flops, max(one.read, other.read))
