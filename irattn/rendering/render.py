"""Rendering of a spec through its template."""

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING

from irattn.core.errors import RenderError
from irattn.rendering.aliases import with_own_aliases
from irattn.rendering.attention.blocked import BlockedPlan
from irattn.rendering.attention.fused_plan import FusedPlan
from irattn.rendering.attention.packed_parts import PackedPagedPlan
from irattn.rendering.kernels_apart import with_kernels_apart
from irattn.rendering.plans import attention_plan, plans
from irattn.rendering.request import GraphRequest
from irattn.specs import Spec

if TYPE_CHECKING:
    import jinja2

# Of the marks that a line ends with, the first is that of the macro whose last line it is. One that
# stands within is that of a macro in an expression.
_ORIGIN = re.compile(r" //@(\S+:\d+)(?: //@\S+:\d+)*$")


def render(request: GraphRequest) -> str:
    """The MLIR text of a request.

    It depends on the target only through the tile sizes of a kernel.
    """
    return _render(request)


def template_origin(request: GraphRequest, line: int) -> str | None:
    """`template:line` that produced a line (from 1) of the rendered text, if one did."""
    origins = template_origins(request)
    return origins[line - 1] if 0 < line <= len(origins) else None


def template_origins(request: GraphRequest) -> list[str | None]:
    """The `template:line` that produced it, for each line of the rendered text."""
    found = map(_ORIGIN.search, _render(request, marked=True).splitlines())
    return [origin and origin.group(1) for origin in found]


def _render(request: GraphRequest, part_name: str | None = None, marked: bool = False) -> str:
    # With a name, as a private function of it: part of another graph's module.
    spec, target = request.spec.compiled, request.target
    plan = _plan(request)
    template = _template(_environment(part_name, marked), request, plan)

    def part(part_spec: Spec, name: str) -> str:
        return _render(request.part(part_spec), name, marked)

    tensors = SimpleNamespace(**{tensor.name: tensor for tensor in (*spec.inputs, *spec.outputs)})
    text = with_kernels_apart(template.render(spec=spec, plan=plan, part=part, tensors=tensors))
    if part_name:
        return with_own_aliases(text, part_name)
    if request.dialect == "torch":
        # IREE makes the second function of torch's itself.
        return text
    queued = _environment(None, marked).get_template("shared/queued.mlir.j2")
    return text + queued.render(spec=spec, target=target)


def _template(
    environment: "jinja2.Environment", request: GraphRequest, plan: object
) -> "jinja2.Template":
    """A graph's template; RenderError where the author of its op has not written it yet."""
    # Rendering has imported it by now.
    from jinja2 import TemplatesNotFound

    names = _template_names(request, plan)
    try:
        return environment.select_template(names)
    except TemplatesNotFound:
        shown = " or ".join(dict.fromkeys(f"templates/{name}" for name in names))
        op = request.spec.compiled.op
        raise RenderError(f"{op}: expected a template {shown}, and there is none") from None


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


def _environment(part_name: str | None, marked: bool) -> "jinja2.Environment":
    # What is compiled already runs without Jinja.
    from irattn.rendering.environment import environment

    return environment(part_name, marked)
