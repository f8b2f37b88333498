"""What a reproduction is about: a graph, the flags, and how its compilation ended."""

from dataclasses import dataclass
from pathlib import Path

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import artifact_name, build
from irattn.compiling.compiler import compiler_version
from irattn.core.errors import CompileError
from irattn.rendering import formulation_of, render
from irattn.specs import Spec
from irattn.targets import Target


@dataclass(frozen=True)
class Compilation:
    """A graph as it is compiled; `diagnostics` is what the compiler said where it failed."""

    name: str
    spec: Spec
    target: Target
    formulation: str | None
    dialect: str
    mlir: str
    flags: tuple[str, ...]
    compiler_version: str
    diagnostics: str | None = None


def compilation_of_artifact(artifact: Artifact) -> Compilation:
    """The graph of an artifact, with the flags and the compiler that its manifest names."""
    manifest = artifact.manifest
    return Compilation(
        name=manifest.name,
        spec=artifact.spec,
        target=targets.get(manifest.target),
        formulation=manifest.formulation,
        dialect=manifest.dialect,
        mlir=artifact.mlir,
        flags=tuple(manifest.flags),
        compiler_version=manifest.compiler_version,
    )


def compilation_of_spec(
    spec: Spec,
    target: Target,
    *,
    name: str | None = None,
    formulation: str | None = None,
    dialect: str = "linalg",
    root: Path | None = None,
) -> Compilation:
    """The graph of a spec, compiled to see whether that works; a failure is one too."""
    try:
        return compilation_of_artifact(
            build(spec, target, name=name, formulation=formulation, dialect=dialect, root=root)
        )
    except CompileError as error:
        return Compilation(
            name=artifact_name(spec, target, name, formulation, dialect),
            spec=spec,
            target=target,
            formulation=formulation_of(spec, target, formulation, dialect),
            dialect=dialect,
            mlir=render(spec, target, formulation=formulation, dialect=dialect),
            flags=target.flags,
            compiler_version=compiler_version(),
            diagnostics=error.diagnostics,
        )
