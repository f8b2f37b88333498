"""Rendering of a spec through its template."""

import math
import re
from collections.abc import Iterable
from functools import cache
from types import SimpleNamespace

import jinja2
from jinja2.ext import Extension

from irattn.core.dtypes import dtype
from irattn.rendering.aliases import own_aliases
from irattn.rendering.attention.blocked import BlockedPlan
from irattn.rendering.attention.packed_parts import PackedPagedPlan
from irattn.rendering.attention.plan import FusedPlan
from irattn.rendering.compiled_templates import compiled_templates
from irattn.rendering.dynamic import dynamic_sizes, dynamic_values, extent, has_dynamic, sizes
from irattn.rendering.plans import attention_plan, plans
from irattn.rendering.request import GraphRequest
from irattn.rendering.template_root import template_root
from irattn.rendering.values import tensor_type
from irattn.specs import Spec

_ORIGIN = re.compile(r" //@(\S+:\d+)")
_TAG = re.compile(r"\{\{|\{%|\}\}|%\}")
_COMMENT = re.compile(r"((?:^[ \t]*\n)*)^[ \t]*//#(.*)((?:\n[ \t]*(?=\n))*)$", re.MULTILINE)


def render(request: GraphRequest) -> str:
    """The MLIR text of a request.

    It depends on the target only through the tile sizes of a kernel.
    """
    return _render(request)


def template_origin(request: GraphRequest, line: int) -> str | None:
    """`template:line` that produced a line (from 1) of the rendered text, if one did."""
    lines = _render(request, marked=True).splitlines()
    origin = _ORIGIN.search(lines[line - 1]) if 0 < line <= len(lines) else None
    return origin.group(1) if origin else None


def _render(request: GraphRequest, part_name: str | None = None, marked: bool = False) -> str:
    # With a name, as a private function of it: part of another graph's module.
    spec, target = request.spec.compiled, request.target
    plan = _plan(request)
    template = _environment(part_name, marked).select_template(_template_names(request, plan))

    def part(part_spec: Spec, name: str) -> str:
        return _render(request.part(part_spec), name, marked)

    tensors = SimpleNamespace(**{tensor.name: tensor for tensor in (*spec.inputs, *spec.outputs)})
    text = template.render(spec=spec, plan=plan, part=part, tensors=tensors)
    if part_name or request.dialect == "torch":
        # IREE makes the second function of torch's itself.
        return text
    queued = _environment(None, marked).get_template("shared/queued.mlir.j2")
    return text + queued.render(spec=spec, target=target)


def _template_names(request: GraphRequest, plan: object) -> list[str]:
    """Where a graph's template may be: that of its op, or the one that its plan names."""
    # A graph that differs only in its parts has one template for all formulations.
    op = request.spec.compiled.op
    of_op = [f"{request.layout}/{op}.mlir.j2", f"{request.dialect}/{op}.mlir.j2"]
    if isinstance(plan, BlockedPlan | FusedPlan | PackedPagedPlan):
        return [*of_op, plan.template]
    return of_op


def _plan(request: GraphRequest) -> object:
    """The plan of a request's graph; None where its template needs no numbers."""
    spec, target = request.spec.compiled, request.target
    if request.tile is not None:
        return attention_plan(spec, target, request.layout, request.tile)
    make_plan = plans().get((spec.op, request.layout))
    return make_plan(spec, target) if make_plan else None


@cache
def _environment(part_name: str | None, marked: bool) -> jinja2.Environment:
    own: list[type[Extension]] = [own_aliases(part_name)] if part_name else []
    marks: list[type[Extension]] = [_MarkOrigin] if marked else []
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_root()),
        line_statement_prefix="//%",
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # A macro's text ends its last line itself; the line that calls it must not do so again.
        finalize=lambda value: value.rstrip("\n") if isinstance(value, str) else value,
        extensions=[*own, *marks, _DropComments],
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
    environment.filters["each"] = _each
    environment.filters["chain"] = _chain
    environment.filters["product"] = math.prod
    environment.filters["real"] = _real
    environment.filters["log2e"] = lambda value: value * math.log2(math.e)
    return environment


def _tensor(*dims_and_element: int | list[int] | tuple[int, ...] | str) -> str:
    """A tensor type; a list stands for several dimensions."""
    *dims, element = dims_and_element
    groups = (part if isinstance(part, list | tuple) else [part] for part in dims)
    return tensor_type((size for group in groups for size in group), str(element))


def _each(names: Iterable[object], pattern: str) -> str:
    """A list of names, each put into a pattern in the place of `{}`."""
    return ", ".join(pattern.format(name) for name in names)


def _chain(items: Iterable[object], first: str, last: str) -> list[tuple[object, str, str]]:
    """The items of a fold, each with the value before it and the value after it.

    The fold begins with `first` and ends with `last`; values between them are numbered. Without
    items there is no fold.
    """
    folded = list(items)
    values = [first, *(f"{last}_{number}" for number in range(1, len(folded))), last]
    return list(zip(folded, values, values[1:], strict=False))


def _real(value: float) -> str:
    """An MLIR float literal: digits on both sides of a point, whatever the exponent."""
    mantissa, e, exponent = repr(float(value)).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


class _DropComments(Extension):
    """Comments of templates, `//#` to the end of a line: no line of theirs is left in the text.

    Nor are the empty lines around it, which tell sections of a template apart.
    """

    # After what tells these lines from others.
    priority = 200

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with Jinja's own comments, whose lines are trimmed as those of blocks are."""
        return _COMMENT.sub(r"{#\1\2 \3#}", source)


class _MarkOrigin(Extension):
    """Ends every template line with a comment that names it, so that output lines can be traced."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with the comments; a line that ends inside a tag of Jinja's has none."""
        is_inside, marked = False, []
        for number, line in enumerate(source.splitlines(keepends=True), 1):
            for tag in _TAG.findall(line):
                is_inside = tag in ("{{", "{%")
            is_text = line.strip() and not line.lstrip().startswith(("//%", "//#", "{#"))
            mark = f"{line.rstrip()} //@{name}:{number}\n"
            marked.append(mark if is_text and not is_inside else line)
        return "".join(marked)
