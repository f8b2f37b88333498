"""The compilation that a reproduction is about: a graph, the flags, and how it ended."""

from dataclasses import dataclass

from irattn.compiling.artifact import Artifact
from irattn.compiling.build import artifact_name, build, request_of
from irattn.compiling.compiler import compiler_version
from irattn.compiling.store import Store
from irattn.core.errors import CompileError
from irattn.rendering import GraphRequest, render
from irattn.specs import Spec
from irattn.targets import Target


@dataclass(frozen=True)
class Compilation:
    """A graph as it is compiled; `diagnostics` is what the compiler said where it failed."""

    name: str
    request: GraphRequest
    mlir: str
    flags: tuple[str, ...]
    compiler_version: str
    diagnostics: str | None = None

    @property
    def spec(self) -> Spec:
        """The spec of the graph."""
        return self.request.spec

    @property
    def target(self) -> Target:
        """The target of the compilation."""
        return self.request.target


def compilation_of_artifact(artifact: Artifact) -> Compilation:
    """The graph of an artifact, with the flags and the compiler that its manifest names."""
    manifest = artifact.manifest
    return Compilation(
        name=manifest.name,
        request=request_of(artifact),
        mlir=artifact.mlir,
        flags=tuple(manifest.flags),
        compiler_version=manifest.compiler_version,
    )


def compilation_of_spec(
    request: GraphRequest, store: Store | None = None, *, name: str | None = None
) -> Compilation:
    """The graph of a spec, compiled to see whether that works; a failure is one too."""
    try:
        return compilation_of_artifact(build(request, store, name=name))
    except CompileError as error:
        return Compilation(
            name=artifact_name(request, name),
            request=request,
            mlir=render(request),
            flags=request.target.flags,
            compiler_version=compiler_version(),
            diagnostics=error.diagnostics,
        )
