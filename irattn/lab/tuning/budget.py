"""How much a search may take: so many tiles, or so much time."""

import re
import time
from dataclasses import dataclass, field, replace

from irattn.core.errors import UsageError, shown

_SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600}
_TIME = re.compile(r"([0-9]{1,6})(s|m|min|h)")
_COUNT = re.compile(r"[1-9][0-9]{0,6}")


@dataclass(frozen=True)
class Budget:
    """`tiles` counts those of earlier runs too; `seconds` begin with this run. None: no limit."""

    tiles: int | None = None
    seconds: float | None = None
    begun: float = field(default_factory=time.monotonic)

    def allows(self, tried: int) -> bool:
        """Whether one more may be tried after so many."""
        if self.seconds is not None and time.monotonic() - self.begun >= self.seconds:
            return False
        return self.tiles is None or tried < self.tiles

    def share(self, specs: int) -> "Budget":
        """The budget of the first of so many specs: an equal part of the time left, from now on.

        What that spec leaves of it, later specs get.
        """
        if self.seconds is None:
            return self
        now = time.monotonic()
        left = self.begun + self.seconds - now
        return replace(self, seconds=max(0.0, left) / specs, begun=now)


def budget_of(words: str | None) -> Budget:
    """`40` tiles, `90s`, `10m` or `2h`; UsageError for anything else."""
    if words is None:
        return Budget()
    if _COUNT.fullmatch(words):
        return Budget(tiles=int(words))
    given = _TIME.fullmatch(words)
    if given is None or int(given[1]) == 0:
        raise UsageError(
            f"budget: expected how many tiles, as 40, or how long, as 90s, 10m or 2h, got "
            f"{shown(words)}"
        )
    return Budget(seconds=int(given[1]) * _SECONDS[given[2]])
