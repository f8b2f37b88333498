"""The policy: which changes count, and which verdicts fall short."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irattn.core.errors import PolicyError, shown
from irattn.core.numbers import real
from irattn.lab.comparison.vocabulary import METRICS, VERDICTS

DEFAULT = Path(__file__).with_name("policy.toml")

_SECTIONS = ("verdicts", "numerics", "execution", "metrics")


@dataclass(frozen=True)
class MetricRule:
    """When a change of one metric counts.

    `worse` is `more` or `less`; `within` is the share of the baseline's figure that does not count.
    More is no worse up to `above`.
    """

    worse: str
    within: float
    gains: bool = True
    above: float = -math.inf

    def effect(self, before: float, after: float) -> str:
        """`worse`, `better` or `neutral`."""
        if abs(after - before) <= self.within * abs(before):
            return "neutral"
        if (after > before) == (self.worse == "more"):
            return "worse" if after > self.above else "neutral"
        return "better" if self.gains else "neutral"


@dataclass(frozen=True)
class Policy:
    """What `policy.toml` says; see the comments there."""

    fall_short: tuple[str, ...]
    most_flops: float
    most_growth: float
    ignored_share: float
    most_executed_flops: float
    rules: Mapping[str, MetricRule]

    def effect(self, metric: str, before: float, after: float) -> str:
        """What a change of a metric means; `neutral` for one without a rule."""
        rule = self.rules.get(metric)
        return rule.effect(before, after) if rule else "neutral"


def read_policy(path: Path | None = None) -> Policy:
    """Read and check a policy file, the one that ships by default; PolicyError if it is wrong."""
    path = path or DEFAULT
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PolicyError(f"{path}: not readable as TOML: {error}") from error
    try:
        return _policy(fields)
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}; {DEFAULT} shows the form") from None


def _policy(fields: Mapping[str, Any]) -> Policy:
    _check_names("sections", fields, _SECTIONS)
    for section in _SECTIONS:
        if not isinstance(fields.get(section), dict):
            raise PolicyError(f"{section}: expected a table, got {shown(fields.get(section))}")
    verdicts, numerics, execution, metrics = (fields[name] for name in _SECTIONS)
    _check_names("verdicts", verdicts, ("fall_short",))
    fall_short = verdicts.get("fall_short")
    if not isinstance(fall_short, list):
        raise PolicyError(
            f"verdicts.fall_short: expected a list of verdicts, got {shown(fall_short)}"
        )
    _check_names("verdicts.fall_short", fall_short, VERDICTS)
    numbers = ("most_flops", "most_growth", "ignored_share")
    _check_names("numerics", numerics, numbers)
    _check_names("execution", execution, ("most_flops",))
    _check_names("metrics", metrics, tuple(METRICS))
    return Policy(
        fall_short=tuple(fall_short),
        **{name: _number(f"numerics.{name}", numerics.get(name)) for name in numbers},
        most_executed_flops=_number("execution.most_flops", execution.get("most_flops")),
        rules={name: _rule(f"metrics.{name}", table) for name, table in metrics.items()},
    )


def _rule(where: str, table: object) -> MetricRule:
    if not isinstance(table, dict):
        raise PolicyError(f"{where}: expected a table, got {shown(table)}")
    _check_names(where, table, ("worse", "within", "gains", "above"))
    if table.get("worse") not in ("more", "less"):
        raise PolicyError(
            f'{where}.worse: expected "more" or "less", got {shown(table.get("worse"))}'
        )
    gains = table.get("gains", True)
    if not isinstance(gains, bool):
        raise PolicyError(f"{where}.gains: expected true or false, got {shown(gains)}")
    above = _number(f"{where}.above", table["above"]) if "above" in table else -math.inf
    return MetricRule(table["worse"], _number(f"{where}.within", table.get("within")), gains, above)


def _number(where: str, value: object) -> float:
    return real(where, value, 0, 1e300, expected="a number of at least 0", error=PolicyError)


def _check_names(where: str, given: Any, known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            raise PolicyError(f"{where}: expected only {', '.join(known)}, got {shown(name)}")
