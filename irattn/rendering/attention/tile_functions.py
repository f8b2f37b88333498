"""Functions of scores where a step is of tensors: bodies of elements, and what they read first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from irattn.core.errors import RenderError
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import NumberPlace, ScoreStep
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# All numbers of a body are elements.
_LEVEL = "element"
_PLACES = {
    "score": "%logit0",
    "batch": "%batch_i32",
    "head": "%head_i32",
    "query": "%query_i32",
    "first_key": "%t0_i32",
    "offset": "%t_i32",
}


@dataclass(frozen=True, kw_only=True)
class TileBody:
    """Steps on elements of a tile: the name of the result, what they ask, and what was read."""

    steps: list[ScoreStep]
    result: str
    asks: set[str]
    takes: list["TileRead"]


@dataclass(frozen=True, kw_only=True)
class TileRead:
    """Elements of an array that a function reads for a tile, along rows m, keys t or both.

    `place` tells of each where it lies in the array's row. The tensor has the name of the step.
    """

    step: ScoreStep
    dims: tuple[str, ...]
    place: TileBody

    @property
    def name(self) -> str:
        """The name of the tensor."""
        return self.step.name.removeprefix("%")

    @property
    def element(self) -> str:
        """The type of its elements in memory."""
        assert self.step.array
        return self.step.array.value.element


@dataclass(frozen=True, kw_only=True)
class TileFunction:
    """A function of scores: what it reads, in order, and its body."""

    reads: list[TileRead]
    body: TileBody


def tile_functions(
    spec: AttentionFeatures, target: Target, has_head_rows: bool
) -> dict[str, TileFunction]:
    """The functions of a spec by field; the rows of a tile may belong to several heads."""
    places = {name: NumberPlace(place, _LEVEL) for name, place in _PLACES.items()}
    functions = score_functions(
        spec, places, (_LEVEL,), has_neighbours=False, multiplies_shares=target.multiplies_shares
    )
    return {
        field: _Reading(field, function.steps, has_head_rows).function(function.result)
        for field, function in functions.items()
    }


class _Reading:
    """A function's steps on their way to bodies."""

    def __init__(self, field: str, steps: Iterable[ScoreStep], has_head_rows: bool) -> None:
        self.field = field
        self.steps = {step.name: step for step in steps}
        self.reads: dict[str, TileRead] = {}
        self.dims = {"%query_i32": "m", "%t_i32": "t", "%t0_i32": "t"}
        if has_head_rows:
            self.dims["%head_i32"] = "m"

    def function(self, result: str) -> TileFunction:
        """All reads in their order, and the body that gives the result."""
        for step in self.steps.values():
            if step.op == "read":
                self.reads[step.name] = self._read(step)
        return TileFunction(reads=list(self.reads.values()), body=self._body(result))

    def _read(self, step: ScoreStep) -> TileRead:
        place = self._body(step.operands[0])
        if "score" in place.asks:
            raise RenderError(
                f"{self.field}: in fused attention of tensors no index may depend on the score"
            )
        own = {self.dims.get(_PLACES[name], "") for name in place.asks}
        own |= {dim for read in place.takes for dim in read.dims}
        # What is the same for a tile is read for each row.
        dims = tuple(dim for dim in "mt" if dim in own) or ("m",)
        return TileRead(step=step, dims=dims, place=place)

    def _body(self, result: str) -> TileBody:
        """The steps that a result needs, reads as such."""
        needed: set[str] = set()
        wanted = [result]
        while wanted:
            name = wanted.pop()
            if name not in needed:
                needed.add(name)
                step = self.steps.get(name)
                wanted += step.operands if step and step.op != "read" else []
        asked = _asked(needed, _PLACES)
        return TileBody(
            steps=[step for name, step in self.steps.items() if name in needed],
            result=result,
            asks=asked,
            takes=[read for name, read in self.reads.items() if name in needed],
        )


def _asked(names: set[str], places: Mapping[str, str]) -> set[str]:
    return {name for name, place in places.items() if place in names}
