"""Several specs as functions of one module: the compiler starts and links once for all of them."""

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from irattn import targets
from irattn.binary.manifest import VMFB, sha256
from irattn.compiling import build, prebuilt, several
from irattn.compiling.artifact import Artifact
from irattn.compiling.compiler import DiagnosticsError
from irattn.compiling.store import Store
from irattn.core.errors import RenderError
from irattn.lab.verification import Verdict, verify_artifact
from irattn.rendering import GraphRequest, render
from irattn.runtime import Kernel, load_artifact
from irattn.specs import Spec
from irattn.targets import Target
from support.compiled_once import compiled_once

# More in a module save little, and whoever wants one waits for all.
MOST = 17


@dataclass(frozen=True)
class Graph:
    """A spec, and the graph that says it: by default the target's own."""

    spec: Spec
    formulation: str | None = None
    dialect: str = "linalg"

    def request(self, target: Target) -> GraphRequest:
        """The graph for a target."""
        return GraphRequest(self.spec, target, self.formulation, self.dialect)


@dataclass(frozen=True)
class Joined:
    """One of several graphs that are compiled together when the first is wanted."""

    graph: Graph
    all: tuple[Graph, ...]
    target: str = "cpu"

    def __str__(self) -> str:
        """The name of a test: how it differs from the first."""
        spec, first = self.graph.spec, self.all[0].spec
        values = {field.name: getattr(spec, field.name) for field in fields(spec)}
        changes = [f"{n}={v}" for n, v in values.items() if getattr(first, n, None) != v]
        how = self.graph.formulation or self.graph.dialect
        return "-".join([spec.op, how, *changes])

    def artifact(self) -> Artifact:
        """The graph's artifact, compiled alone if the group does not compile together."""
        artifacts = _together(self.all, self.target)
        if artifacts:
            return artifacts[self.all.index(self.graph)]
        return build.build(self.graph.request(targets.get(self.target)))

    def load(self, device: str = "cpu") -> Kernel:
        return load_artifact(self.artifact(), device)

    def verdict(self) -> Verdict:
        """How the graph meets the reference."""
        return verify_artifact(self.artifact(), device="cpu")


def together(
    specs: Iterable[Spec], formulation: str | None = None, dialect: str = "linalg"
) -> list[Joined]:
    """Graphs for a test that takes one each."""
    return joined_graphs(Graph(spec, formulation, dialect) for spec in specs)


def joined_graphs(graphs: Iterable[Graph]) -> list[Joined]:
    """Each graph, of whatever kind, joined with all others."""
    group = tuple(graphs)
    return [Joined(graph, group) for graph in group]


def artifact_of(
    spec: Spec, specs: Iterable[Spec], target: str, formulation: str | None = None
) -> Artifact:
    """The artifact of one of several specs; those beside it are compiled with it."""
    graphs = tuple(Graph(one, formulation) for one in specs)
    first = graphs.index(Graph(spec, formulation)) // MOST * MOST
    return Joined(Graph(spec, formulation), graphs[first : first + MOST], target).artifact()


@cache
def _together(graphs: tuple[Graph, ...], target: str) -> list[Artifact] | None:
    """None where they do not compile: which of them it is shows when each is compiled alone.

    So is what the compiler refuses or does not end in time, and a graph that cannot be said.
    """
    from iree.compiler import ir

    try:
        return compiled_together(graphs, targets.get(target))
    except (DiagnosticsError, RenderError, ir.MLIRError) as error:
        why = error.first_error if isinstance(error, DiagnosticsError) else error
        which = f"{len(graphs)} graphs, {graphs[0].spec.op} first"
        warnings.warn(f"{which}, are compiled alone, not together: {why}", stacklevel=2)
        return None


def compiled_together(
    graphs: Sequence[Graph],
    target: Target,
    texts: list[str] | None = None,
    *,
    with_queues: bool = False,
) -> list[Artifact]:
    """An artifact of each graph, in memory; all hold the same program.

    `texts` are theirs unless others are given.

    They can be called and verified. Only their entry points tell them apart, so that no store would
    take them.
    """
    texts = texts or [text_of(graph, target) for graph in graphs]
    vmfb = compiled_once(joined(texts, with_queues=with_queues), target.flags)
    artifacts = []
    for number, (graph, text) in enumerate(zip(graphs, texts, strict=True)):
        text_hash = sha256(text.encode())
        manifest = build._manifest(graph.request(target), None, text_hash)
        manifest.sha256[VMFB] = sha256(vmfb)
        manifest = replace(manifest, entry_points=[numbered(number, graph.spec.op)])
        artifacts.append(Artifact(manifest, text, vmfb, Path("joined")))
    return artifacts


def build_together(patch: pytest.MonkeyPatch, specs: Iterable[Spec]) -> None:
    """What a test builds of these specs for the CPU is compiled together; all else as ever."""
    group = {one.graph.spec: one for one in together(dict.fromkeys(specs))}
    alone = build.find_or_compile

    def find_or_compile(
        request: GraphRequest, store: Store | None = None, **how: Any
    ) -> tuple[Artifact, bool]:
        if request.spec in group and request == GraphRequest(request.spec, targets.get("cpu")):
            return group[request.spec].artifact(), False
        return alone(request, store, **how)

    for room in (build, prebuilt, several):
        patch.setattr(room, "find_or_compile", find_or_compile)


def artifacts_of(
    specs: Iterable[Spec], target: str, formulation: str | None = None
) -> dict[Spec, Artifact]:
    """The artifacts of specs compiled together, by spec."""
    specs = list(specs)
    graphs = [Graph(spec, formulation) for spec in specs]
    return dict(zip(specs, compiled_together(graphs, targets.get(target)), strict=True))


def text_of(graph: Graph, target: Target) -> str:
    return render(graph.request(target))


def joined(texts: list[str], *, with_queues: bool = False) -> str:
    """One module with the symbols of all, each named by the number of its text as well.

    Without the functions for queues, which few tests call, unless they are wanted.
    """
    from iree.compiler import ir

    with ir.Context(), ir.Location.unknown():
        together = ir.Module.create()
        for number, text in enumerate(texts):
            named = re.sub(r"@\w+", lambda name, n=number: numbered(n, name.group()), text)
            module = ir.Module.parse(named)
            for symbol in list(module.body.operations):
                if with_queues or symbol.operation.name != "util.func":
                    together.body.append(symbol)
        return str(together)


def numbered(number: int, name: str) -> str:
    return f"{name}_{number}"
