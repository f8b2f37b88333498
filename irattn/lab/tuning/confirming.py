"""Measure on a device what was ranked elsewhere, and see how well the order holds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from irattn.binary.manifest import sha256
from irattn.compiling.artifact import Artifact
from irattn.core.errors import TuningError
from irattn.core.folders import new_file
from irattn.lab.executors import versions
from irattn.lab.tuning.entries import Tried, TuningEntry, best_first
from irattn.lab.tuning.measuring import machine_of, measure
from irattn.lab.tuning.timed import Timed
from irattn.lab.tuning.trials import tile_artifact
from irattn.rendering import GraphRequest
from irattn.targets import get as get_target

REPORT_VERSION = 1

# So many tiles of an entry are measured: half of them the best, the others from all ranks.
DEFAULT_TILES = 12


@dataclass(frozen=True)
class ConfirmedTile:
    """A tile with its estimate, the times of a device, and what was measured.

    `strain` is the error on the cut in units of what is allowed.
    """

    tile: Mapping[str, int]
    estimate: float | None
    strain: float | None
    measured: Mapping[str, Any]
    key: str
    sha256: Mapping[str, str]


@dataclass(frozen=True)
class FailedTile:
    """A tile that does not run on the device, or computes something else: `outcome` and `why`."""

    tile: Mapping[str, int]
    outcome: str
    why: str | None
    key: str
    sha256: Mapping[str, str]


@dataclass(frozen=True)
class Confirmation:
    """An entry's tiles in the order that its estimates give, measured, and those that failed."""

    entry: TuningEntry
    device: str
    machine: Mapping[str, Any]
    tiles: Sequence[ConfirmedTile]
    failed: Sequence[FailedTile]

    @property
    def rank_correlation(self) -> float | None:
        """Spearman's: 1 where both orders are the same; None without at least three estimates."""
        pairs = [
            (one.estimate, one.measured["median"]) for one in self.tiles if one.estimate is not None
        ]
        return spearman(pairs) if len(pairs) > 2 else None

    @property
    def own_correlation(self) -> float | None:
        """Spearman's for two halves of the times: near 1 where they tell tiles apart."""
        halves = [one.measured["halves"] for one in self.tiles]
        return spearman([(one, other) for one, other in halves]) if len(halves) > 2 else None

    @property
    def top_loss(self) -> float | None:
        """How much longer the first in rank takes than the quickest: 0.1 is a tenth."""
        if not self.tiles or self.tiles[0].estimate is None:
            return None
        medians = [one.measured["median"] for one in self.tiles]
        return float(medians[0] / min(medians) - 1)

    @property
    def quickest(self) -> Mapping[str, int] | None:
        """The one with the least median."""
        best = min(self.tiles, key=lambda one: float(one.measured["median"]), default=None)
        return best.tile if best else None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        entry = self.entry
        return {
            "name": entry.name,
            "spec": entry.spec.to_dict(),
            "target": entry.target,
            "tile": dict(entry.tile),
            "own_tile": dict(entry.own_tile),
            "ranked_by": entry.ranked_by,
            "tuned_with": dict(entry.versions),
            "device": self.device,
            "machine": dict(self.machine),
            "tiles": [asdict(one) for one in self.tiles],
            "failed": [asdict(one) for one in self.failed],
            "quickest": self.quickest,
            "rank_correlation": self.rank_correlation,
            "own_correlation": self.own_correlation,
            "top_loss": self.top_loss,
        }


def confirm(entry: TuningEntry, device: str, tiles: int, root: Path) -> Confirmation:
    """Time an entry's tiles in turns on a device that runs its target's code."""
    target = get_target(entry.target)
    chosen = spread_over(best_first(entry.tried, entry.own_tile), tiles, entry.own_tile)
    if not chosen:
        raise TuningError("no tile was found sound")
    pairs = [
        (
            tile_artifact(entry.name, GraphRequest(entry.spec, target, tile=one.tile), root),
            tile_artifact(
                f"{entry.name}.cut", GraphRequest(entry.cut, target, tile=one.tile), root
            ),
        )
        for one in chosen
    ]
    timed = list(zip(chosen, pairs, measure(pairs, device), strict=True))
    return Confirmation(
        entry,
        device,
        machine_of(device),
        tuple(
            _confirmed(one, whole, outcome) for one, (whole, _), outcome in timed if outcome.times
        ),
        tuple(
            _failed(one, whole, outcome) for one, (whole, _), outcome in timed if not outcome.times
        ),
    )


def spread_over(ranked: Sequence[Tried], most: int, own_tile: Mapping[str, int]) -> list[Tried]:
    """The best half of `most`, and from the rest as many at equal distances, the last among them.

    The tables' own is there, whatever its rank.
    """
    if len(ranked) <= most:
        return list(ranked)
    best = -(-most // 2)
    others = (
        np.linspace(best - 1, len(ranked) - 1, most - best + 1)[1:].round().astype(int).tolist()
    )
    places = {*range(best), *others}
    return [one for i, one in enumerate(ranked) if i in places or one.tile == own_tile]


def spearman(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The correlation of ranks, equal numbers sharing theirs; None where one side is all equal."""
    ranks = [_ranks([pair[side] for pair in pairs]) for side in (0, 1)]
    if any(side.std() == 0 for side in ranks):
        return None
    return float(np.corrcoef(np.stack(ranks))[0, 1])


def write_report(
    path: Path, tuning: Path, confirmations: Sequence[Confirmation], command: str
) -> None:
    """Put a report in its place; StorageError where it cannot be written."""
    report = {
        "format_version": REPORT_VERSION,
        "tuning_sha256": sha256(tuning.read_bytes()),
        "versions": asdict(versions()),
        "date": datetime.now(UTC).date().isoformat(),
        "command": command,
        "entries": [one.to_dict() for one in confirmations],
    }
    with new_file(path, makes_folder=True) as file:
        file.write((json.dumps(report, indent=2, allow_nan=False) + "\n").encode())


def _confirmed(tried: Tried, artifact: Artifact, outcome: Timed) -> ConfirmedTile:
    manifest = artifact.manifest
    assert outcome.times
    return ConfirmedTile(
        tried.tile, tried.estimate, outcome.strain, outcome.times, manifest.key, manifest.sha256
    )


def _failed(tried: Tried, artifact: Artifact, outcome: Timed) -> FailedTile:
    manifest = artifact.manifest
    return FailedTile(tried.tile, outcome.outcome, outcome.why, manifest.key, manifest.sha256)


def _ranks(numbers: Sequence[float]) -> np.ndarray:
    values = np.array(numbers)
    below = (values[None, :] < values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    ranks: np.ndarray = below + (equal - 1) / 2
    return ranks
