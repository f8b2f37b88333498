"""The policy: which changes count, and which verdicts fall short."""

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from irattn.core.declared import read_as
from irattn.core.errors import ArtifactError, PolicyError, shown
from irattn.lab.comparison.vocabulary import METRICS, VERDICTS

DEFAULT = Path(__file__).with_name("policy.toml")

_Limit: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1e300)]


@dataclass(frozen=True)
class MetricRule:
    """When a change of one metric counts.

    `worse` is `more` or `less`; `within` is the share of the baseline's figure that does not count.
    More is no worse up to `above`.
    """

    worse: str
    within: _Limit
    gains: bool = True
    above: _Limit = -math.inf

    def effect(self, before: float, after: float) -> str:
        """`worse`, `better` or `neutral`."""
        if abs(after - before) <= self.within * abs(before):
            return "neutral"
        if (after > before) == (self.worse == "more"):
            return "worse" if after > self.above else "neutral"
        return "better" if self.gains else "neutral"


@dataclass(frozen=True)
class _Verdicts:
    """The section of that name."""

    fall_short: tuple[str, ...]


@dataclass(frozen=True)
class _Numerics:
    """The section of that name."""

    most_flops: _Limit
    most_growth: _Limit
    ignored_share: _Limit


@dataclass(frozen=True)
class _Execution:
    """The section of that name."""

    most_flops: _Limit


@dataclass(frozen=True)
class _File:
    """The sections of a policy file."""

    verdicts: _Verdicts
    numerics: _Numerics
    execution: _Execution
    metrics: dict[str, MetricRule]


@dataclass(frozen=True)
class Policy:
    """The rules of `policy.toml`; see the comments there."""

    fall_short: tuple[str, ...]
    most_flops: float
    most_growth: float
    ignored_share: float
    most_executed_flops: float
    rules: Mapping[str, MetricRule]

    def effect(self, metric: str, before: float, after: float) -> str:
        """The meaning of a metric's change; `neutral` for a metric without a rule."""
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
    except (ArtifactError, PolicyError) as error:
        raise PolicyError(f"{path}: {error}; {DEFAULT} shows the form") from error


def _policy(fields: Mapping[str, Any]) -> Policy:
    stated = read_as(_File, fields)
    _check_known("verdicts.fall_short", stated.verdicts.fall_short, VERDICTS)
    _check_known("metrics", stated.metrics, tuple(METRICS))
    for name, rule in stated.metrics.items():
        if rule.worse not in ("more", "less"):
            got = shown(rule.worse)
            raise PolicyError(f'metrics.{name}.worse: expected "more" or "less", got {got}')
    return Policy(
        fall_short=stated.verdicts.fall_short,
        **vars(stated.numerics),
        most_executed_flops=stated.execution.most_flops,
        rules=stated.metrics,
    )


def _check_known(where: str, given: Iterable[str], known: tuple[str, ...]) -> None:
    unknown = sorted({*given} - {*known})
    if unknown:
        raise PolicyError(
            f"{where}: expected only {', '.join(known)}, got {', '.join(map(shown, unknown))}"
        )
