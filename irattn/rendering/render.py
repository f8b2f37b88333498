"""Rendering of a spec through its template."""

import importlib
import math
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TypeAlias

import jinja2
from jinja2.ext import Extension

from irattn.core.dtypes import dtype
from irattn.core.errors import RenderError, shown
from irattn.rendering.aliases import own_aliases
from irattn.rendering.attention_plan import AttentionPlan
from irattn.rendering.blocked import work
from irattn.rendering.blocked.plan import Blocked
from irattn.rendering.compiled_templates import compiled_templates
from irattn.rendering.dynamic import dynamic_sizes, dynamic_values, extent, has_dynamic, sizes
from irattn.rendering.limits import check_columns, check_sizes
from irattn.rendering.torch import unsayable
from irattn.rendering.values import tensor_type
from irattn.specs import Spec
from irattn.specs.base import MAX_HEAD_DIM
from irattn.targets import Target

FORMULATIONS = ("fused", "blocked")
DIALECTS = ("linalg", "torch")

# What is chosen of a tile, by name.
TileNumbers: TypeAlias = Mapping[str, int]


_ORIGIN = re.compile(r" //@(\S+:\d+)")
_TAG = re.compile(r"\{\{|\{%|\}\}|%\}")


def render(
    spec: Spec,
    target: Target,
    *,
    formulation: str | None = None,
    dialect: str = "linalg",
    tile: TileNumbers | None = None,
) -> str:
    """The MLIR text of a spec for a target.

    `formulation` is `fused` (one attention kernel, for GPUs), `blocked` (query blocks, for CPUs)
    or None for the target's own; the torch dialect leaves that choice to the compiler. The text
    depends on the target only through the tile sizes of a kernel: those of irattn's tables, or the
    numbers of `tile`, one of `allowed_tiles`. RenderError where the dialect cannot say the spec, or
    the templates not the tile.
    """
    return _render(spec, target, formulation, dialect, tile=tile)


def tile_numbers(spec: Spec, target: Target) -> dict[str, int]:
    """What irattn's tables say of the tile of a spec's own graph; RenderError if it has none."""
    return _attention_plan(spec, target, target.formulation, "linalg").tile_numbers


def allowed_tiles(spec: Spec, target: Target) -> list[dict[str, int]]:
    """The tiles that may take its place; RenderError for a graph that has none."""
    return _attention_plan(spec, target, target.formulation, "linalg").allowed_tiles


def vector_cycles(spec: Spec, target: Target, tile: TileNumbers) -> float:
    """Cycles of a CPU's vector units for a call with a tile, counted from the plan: a model's.

    RenderError where there is none.
    """
    plan = _with_tile(_attention_plan(spec, target, "blocked", "linalg"), tile)
    assert isinstance(plan, Blocked)
    return work.vector_cycles(plan)


def template_origin(
    spec: Spec,
    target: Target,
    line: int,
    *,
    formulation: str | None,
    dialect: str,
    tile: TileNumbers | None = None,
) -> str | None:
    """`template:line` that produced a line (from 1) of the rendered text, if one did."""
    lines = _render(spec, target, formulation, dialect, tile=tile, marked=True).splitlines()
    origin = _ORIGIN.search(lines[line - 1]) if 0 < line <= len(lines) else None
    return origin.group(1) if origin else None


def check_sayable(spec: Spec, target: Target, formulation: str | None, dialect: str) -> None:
    """RenderError for what a dialect or formulation cannot say; renders nothing."""
    if formulation not in (None, *FORMULATIONS):
        raise RenderError(
            f"formulation: expected {' or '.join(FORMULATIONS)}, got {shown(formulation)}"
        )
    if dialect not in DIALECTS:
        raise RenderError(f"dialect: expected {' or '.join(DIALECTS)}, got {shown(dialect)}")
    if formulation and _has_one_formulation(spec):
        raise RenderError(f"formulation: {spec.op} has only one; leave it out")
    if dialect == "torch" and formulation:
        raise RenderError("formulation: the torch dialect leaves it to the compiler; leave it out")
    if dialect == "torch" and (spec.op, "torch") not in _plans():
        raise RenderError(
            f"dialect: torch has no word for {spec.op}, so it is rendered in linalg only"
        )
    if dialect == "torch" and (field := unsayable(spec)):
        raise RenderError(
            f"{field}: torch's scaled_dot_product_attention has no word for it; use the linalg "
            "dialect"
        )
    check_sizes(spec.compiled)
    if formulation_of(spec, target, formulation, dialect) == "fused":
        check_columns(spec)
    if dialect == "torch" and spec.inputs[0].largest_shape[-1] > MAX_HEAD_DIM:
        raise RenderError(
            f"dialect: torch attention is rendered up to head_dim {MAX_HEAD_DIM}; use the linalg "
            "dialect"
        )
    if dialect == "torch" and not target.is_gpu and spec.inputs[0].largest_shape[-1] > 128:
        raise RenderError(
            "dialect: for CPUs, the pinned compiler turns torch attention with head_dim above 128 "
            "into wrong numbers; use the linalg dialect"
        )


def formulation_of(spec: Spec, target: Target, formulation: str | None, dialect: str) -> str | None:
    """The formulation that is rendered; None where a graph has only one."""
    if dialect == "torch" or _has_one_formulation(spec):
        return None
    return formulation or target.formulation


def _has_one_formulation(spec: Spec) -> bool:
    return not any((spec.op, f"linalg/{name}") in _plans() for name in FORMULATIONS)


def _render(
    spec: Spec,
    target: Target,
    formulation: str | None,
    dialect: str,
    *,
    tile: TileNumbers | None = None,
    part_name: str | None = None,
    marked: bool = False,
) -> str:
    # With a name, as a private function of it: part of another graph's module.
    check_sayable(spec, target, formulation, dialect)
    chosen = formulation_of(spec, target, formulation, dialect)
    layout = f"{dialect}/{chosen}" if chosen else dialect
    # A graph that differs only in its parts has one template for all formulations.
    places = [f"{layout}/{spec.op}.mlir.j2", f"{dialect}/{spec.op}.mlir.j2"]
    template = _environment(part_name, marked).select_template(places)
    spec = spec.compiled
    make_plan = _plans().get((spec.op, layout))
    plan = make_plan(spec, target) if make_plan else None
    if tile is not None:
        plan = _with_tile(_attention_plan(spec, target, chosen, dialect), tile)

    def part(part_spec: Spec, name: str) -> str:
        how = None if _has_one_formulation(part_spec) else chosen
        return _render(part_spec, target, how, dialect, part_name=name, marked=marked)

    tensors = SimpleNamespace(**{tensor.name: tensor for tensor in (*spec.inputs, *spec.outputs)})
    text = template.render(spec=spec, plan=plan, part=part, tensors=tensors)
    if part_name or dialect == "torch":
        # IREE makes the second function of torch's itself.
        return text
    queued = _environment(None, marked).get_template("lib/queued.mlir.j2")
    return text + queued.render(spec=spec, target=target)


def _attention_plan(
    spec: Spec, target: Target, formulation: str | None, dialect: str
) -> AttentionPlan:
    """The plan whose tile can be chosen; RenderError where there is none."""
    make_plan = _plans().get((spec.op, f"{dialect}/{formulation}"))
    plan = make_plan(spec.compiled, target) if make_plan else None
    if not isinstance(plan, AttentionPlan):
        raise RenderError(
            f"tile: {spec.op} in {dialect} has none to choose; graphs of attention in linalg have"
        )
    return plan


def _with_tile(plan: AttentionPlan, tile: TileNumbers) -> AttentionPlan:
    own = plan.tile_numbers
    if set(tile) != set(own):
        raise RenderError(f"tile: expected {', '.join(own)}, got {', '.join(tile) or 'nothing'}")
    if tile != own and tile not in plan.allowed_tiles:
        said = ", ".join(f"{name} {value}" for name, value in tile.items())
        raise RenderError(f"tile: {plan.spec.op} for {plan.target.name} cannot be cut into {said}")
    return replace(plan, chosen=dict(tile))


@cache
def _plans() -> dict[tuple[str, str], Callable[[Spec, Target], object]]:
    """What gives templates their numbers, by op and layout of the template.

    `linalg` alone is the layout of a graph that GPUs and CPUs share. Modules of this package list
    theirs as PLANS; a template without a plan reads the spec alone.
    """
    package = __name__.rpartition(".")[0]
    modules = (
        importlib.import_module(f"{package}.{module.name}")
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    )
    return {key: plan for module in modules for key, plan in getattr(module, "PLANS", {}).items()}


@cache
def _environment(part_name: str | None, marked: bool) -> jinja2.Environment:
    own: list[type[Extension]] = [own_aliases(part_name)] if part_name else []
    marks: list[type[Extension]] = [_MarkOrigin] if marked else []
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_root()),
        line_statement_prefix="//%",
        line_comment_prefix="//#",
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # A macro's text ends its last line itself; the line that calls it must not do so again.
        finalize=lambda value: value.rstrip("\n") if isinstance(value, str) else value,
        extensions=[*own, *marks],
        autoescape=False,
        bytecode_cache=compiled_templates(f"{part_name or ''}{'_marked' if marked else ''}"),
    )
    environment.globals["part_name"] = part_name
    environment.globals["tensor"] = _tensor
    environment.globals["dynamic_sizes"] = dynamic_sizes
    environment.filters["has_dynamic"] = has_dynamic
    environment.filters["sizes"] = sizes
    environment.filters["dynamic"] = dynamic_values
    environment.filters["extent"] = extent
    environment.filters["type"] = lambda tensor: _tensor(*tensor.shape, dtype(tensor.dtype).mlir)
    environment.filters["element"] = lambda tensor: dtype(tensor.dtype).mlir
    environment.filters["product"] = math.prod
    environment.filters["real"] = _real
    environment.filters["log2e"] = lambda value: value * math.log2(math.e)
    return environment


def template_root() -> Path:
    """The folder of all templates: in an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def _tensor(*dims_and_element: int | list[int] | tuple[int, ...] | str) -> str:
    """A tensor type; a list stands for several dimensions."""
    *dims, element = dims_and_element
    groups = (part if isinstance(part, list | tuple) else [part] for part in dims)
    return tensor_type((size for group in groups for size in group), str(element))


def _real(value: float) -> str:
    """An MLIR float literal: digits on both sides of a point, whatever the exponent."""
    mantissa, e, exponent = repr(float(value)).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


class _MarkOrigin(Extension):
    """Ends every template line with a comment that names it, so that output lines can be traced."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with the comments; a line that ends inside a tag of Jinja's has none."""
        is_inside, marked = False, []
        for number, line in enumerate(source.splitlines(keepends=True), 1):
            for tag in _TAG.findall(line):
                is_inside = tag in ("{{", "{%")
            is_text = line.strip() and not line.lstrip().startswith(("//%", "//#"))
            mark = f"{line.rstrip()} //@{name}:{number}\n"
            marked.append(mark if is_text and not is_inside else line)
        return "".join(marked)
