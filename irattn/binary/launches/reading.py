"""Read a launch plan from its JSON form, with every field checked."""

from dataclasses import dataclass, fields
from typing import Any

from irattn.binary.launches.plan import (
    FORMAT_VERSION,
    STEP_KINDS,
    DescribedPlan,
    LaunchPlan,
    LaunchStep,
)
from irattn.binary.vmfb import Size, size_from_json
from irattn.core.declared import FromZero, read_as
from irattn.core.errors import ArtifactError, printable, quoted, shown
from irattn.core.strict_json import check_format, parse_json

# A layer with sizes that calls choose has thousands of formulas.
_MOST_BYTES = 1 << 24


def read_launch_plan(text: bytes) -> LaunchPlan:
    """The plan that `LaunchPlan.to_json` wrote; ArtifactError names what is wrong."""
    try:
        data = parse_json(text, _MOST_BYTES)
        check_format(data, FORMAT_VERSION)
        return _plan(data)
    except ArtifactError as error:
        raise ArtifactError(f"not a description of launches: {printable(error)}") from error
    except RecursionError as error:
        raise ArtifactError("not a description of launches: nested too deep") from error


@dataclass(frozen=True)
class _File(DescribedPlan):
    """The file: steps are of several kinds, which each tells by its `what`."""

    format_version: int
    notes: dict[str, str]
    steps: tuple[dict[str, Any], ...]
    barriers: tuple[FromZero, ...]


def _plan(data: dict[str, Any]) -> LaunchPlan:
    stated = read_as(_File, _with_formulas(data, ""))
    plan = LaunchPlan(
        **{field.name: getattr(stated, field.name) for field in fields(DescribedPlan)},
        steps=tuple(_step(one, f"steps[{i}]") for i, one in enumerate(stated.steps)),
        barriers=stated.barriers,
    )
    _check_distinct(plan)
    return plan


def _check_distinct(plan: LaunchPlan) -> None:
    """Refuse two of a kind by one name: hosts look them up by it."""
    for where, names in (
        ("sizes", [one.name for one in plan.sizes]),
        ("inputs", [one.name for one in plan.inputs]),
        ("outputs", [one.name for one in plan.outputs]),
        ("buffers", [one.id for one in plan.buffers]),
        ("code_objects", [one.file for one in plan.code_objects]),
        ("kernels", [one.name for one in plan.kernels]),
    ):
        if len(set(names)) < len(names):
            raise ArtifactError(f"{where}: one name is there twice")


def _step(given: dict[str, Any], where: str) -> LaunchStep:
    what = given.get("what")
    if not isinstance(what, str) or what not in STEP_KINDS:
        raise ArtifactError(f"{where}.what: expected {' or '.join(STEP_KINDS)}, got {shown(what)}")
    rest = {name: value for name, value in given.items() if name != "what"}
    step: LaunchStep = read_as(STEP_KINDS[what], rest, where)
    return step


def _with_formulas(value: Any, where: str) -> Any:
    """The plain values, with formulas in place of the objects that say them."""
    if isinstance(value, list):
        return [_with_formulas(one, f"{where}[{i}]") for i, one in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if "formula" in value:
        return _formula(read_as(_Formula, value, where), where)
    if "operation" in value:
        raise ArtifactError(f"{where}: expected a number or a formula, got {shown(value)}")
    return {
        name: _with_formulas(one, f"{where}.{quoted(name[:40])}".removeprefix("."))
        for name, one in value.items()
    }


@dataclass(frozen=True)
class _Formula:
    """A formula as a tree, and as C."""

    formula: list[Any]
    c: str


def _formula(stated: _Formula, where: str) -> Size:
    try:
        size = size_from_json(stated.formula)
    except ValueError as error:
        raise ArtifactError(f"{where}.formula: {error}") from error
    if stated.c != str(size):
        raise ArtifactError(f"{where}.c: expected {size!s:.200}, got {shown(stated.c)}")
    return size
