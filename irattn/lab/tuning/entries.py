"""An entry of a tuning file, of one spec and target: the tile, and the evidence for it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from irattn.specs import spec_from_dict
from irattn.specs.features import AttentionFeatures

# What became of a tile that was tried. Only those that are sound can be chosen.
SOUND = "sound"
OUTCOMES = (
    SOUND,
    "does not compile",
    "spills",
    "does not fit",
    "does not run",
    "wrong numbers",
)


@dataclass(frozen=True)
class Tried:
    """One tile: its outcome, with `why` in words where that is not `sound`.

    `figures` are those of its code. `estimate` is what tiles are ranked by: microseconds of the
    emulator's model, or counted vector cycles; None where nothing tells. `strain` is the error on
    the cut in units of what is allowed. `cases` counts the inputs that a finalist was verified on.
    `measured` has the times of a device.
    """

    tile: Mapping[str, int]
    outcome: str
    why: str | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    estimate: float | None = None
    strain: float | None = None
    cases: int | None = None
    measured: Mapping[str, Any] | None = None

    @property
    def is_sound(self) -> bool:
        """Whether it may be chosen."""
        return self.outcome == SOUND

    @property
    def words(self) -> str:
        """The tile in words."""
        return tile_words(self.tile)

    @property
    def seconds(self) -> float | None:
        """The median that was measured."""
        return self.measured["median"] if self.measured else None


@dataclass(frozen=True)
class TuningEntry:
    """A spec, a target, the `tile` chosen for them, and the evidence.

    `own_tile` is that of irattn's tables. `ranked_by` says what estimates are, `cut` is the spec
    that was executed, with its `copies` and `work`. `device` and `machine` are None where nothing
    was timed.
    """

    name: str
    spec: AttentionFeatures
    target: str
    target_identity: str | None
    tile: Mapping[str, int]
    own_tile: Mapping[str, int]
    ranked_by: str
    cut: AttentionFeatures
    copies: int
    work: float
    tried: Sequence[Tried]
    device: str | None
    machine: Mapping[str, Any] | None
    versions: Mapping[str, str]
    date: str
    command: str

    @property
    def is_finished(self) -> bool:
        """Whether the search came to its end: the best were verified on every case."""
        return any(one.cases is not None for one in self.tried)

    def of(self, tile: Mapping[str, int]) -> Tried | None:
        """The trial of a tile; None where it was not tried."""
        return next((one for one in self.tried if one.tile == tile), None)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            **asdict(self),
            "spec": self.spec.to_dict(),
            "cut": self.cut.to_dict(),
            "tried": [asdict(one) for one in self.tried],
        }


def tile_words(tile: Mapping[str, int]) -> str:
    """`waves 8, keys 64, query_tiles 1`."""
    return ", ".join(f"{name} {number}" for name, number in tile.items())


def wrong_numbers(off: float) -> str:
    """How far off numbers are, in units of what is allowed."""
    return f"{off:.3g} times what is allowed"


def best_first(tried: Sequence[Tried], own_tile: Mapping[str, int]) -> list[Tried]:
    """The sound ones by their estimates: with all units at work at the same time, then apart.

    Where nothing tells two apart, the tables' own comes first, else the order of trial.
    """

    def rank(one: Tried) -> tuple[Any, ...]:
        estimate = float("inf") if one.estimate is None else one.estimate
        return estimate, one.figures.get("apart", 0.0), one.tile != own_tile

    return sorted((one for one in tried if one.is_sound), key=rank)


def spec_of(fields: object) -> AttentionFeatures:
    """The spec of a file's fields; SpecError, or ValueError for one that has no tile."""
    spec = spec_from_dict(fields)
    if not isinstance(spec, AttentionFeatures):
        raise ValueError(f"spec: {spec.op} has no tile")
    return spec
