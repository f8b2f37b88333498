"""From a spec to an artifact: render, look up, compile, publish."""

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TypeAlias

from irattn import targets
from irattn.binary.manifest import FORMAT_VERSION, MLIR, VMFB, Manifest, compilation_key, sha256
from irattn.compiling.artifact import Artifact
from irattn.compiling.compiler import (
    DiagnosticsError,
    command_line,
    compile_mlir,
    compiler_version,
)
from irattn.compiling.store import Store
from irattn.core.errors import ArgumentError, CompileError, StorageError, shown
from irattn.core.packages import COMPILER
from irattn.core.progress import step
from irattn.rendering import GraphRequest, render, request_digest, template_origin
from irattn.specs import Spec

# Text and flags to a vmfb; DiagnosticsError where the compiler fails.
Compile: TypeAlias = Callable[[str, tuple[str, ...]], bytes]

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,199}")


def build(
    request: GraphRequest, store: Store | None = None, *, name: str | None = None
) -> Artifact:
    """The artifact of a request, from the store if it is there, else compiled.

    `store` is by default the user's, `name` one made from the spec's digest. CompileError where the
    compiler fails: the text, the command and the full diagnostics are kept, and the message says
    where. StorageError where the store cannot be written.
    """
    return find_or_compile(request, store, name=name)[0]


def find_or_compile(
    request: GraphRequest,
    store: Store | None = None,
    *,
    name: str | None = None,
    compile: Compile | None = None,
) -> tuple[Artifact, bool]:
    """The artifact that `build` gives, and whether it was in the store already.

    `compile` is called if not; None is the compiler on this machine.
    """
    store = store or Store()
    found = _found_or_rendered(request, store, name)
    if isinstance(found, Artifact):
        return found, True
    manifest, text = found
    store.check_writable(manifest)
    with store.making(manifest):
        # Another thread or process may have made it in the meantime.
        artifact = store.find(manifest)
        was_found = artifact is not None
        artifact = artifact or _compiled(request, manifest, text, store, compile or compile_mlir)
    store.remember_text(request_digest(request), manifest.sha256[MLIR])
    return artifact, was_found


def find(
    request: GraphRequest, store: Store | None = None, *, name: str | None = None
) -> Artifact | None:
    """The artifact that `build` would find; None where it would compile."""
    found = _found_or_rendered(request, store or Store(), name)
    return found if isinstance(found, Artifact) else None


def _found_or_rendered(
    request: GraphRequest, store: Store, name: str | None
) -> Artifact | tuple[Manifest, str]:
    """An artifact that the store has, or the manifest and text of one to be made.

    Only what the store was not asked for before, by this very code, is rendered.
    """
    digest = request_digest(request)
    text_hash = store.text_hash(digest)
    artifact = store.find(_manifest(request, name, text_hash)) if text_hash else None
    if artifact:
        return artifact
    text = render(request)
    manifest = _manifest(request, name, sha256(text.encode()))
    artifact = store.find(manifest)
    if artifact is None:
        return manifest, text
    store.remember_text(digest, manifest.sha256[MLIR])
    return artifact


def request_of(artifact: Artifact) -> GraphRequest:
    """The request that an artifact was made from."""
    manifest = artifact.manifest
    said = manifest.formulation, manifest.dialect
    return GraphRequest(artifact.spec, targets.get(manifest.target), *said, manifest.tile)


def _compiled(
    request: GraphRequest, manifest: Manifest, text: str, store: Store, compile: Compile
) -> Artifact:
    try:
        with step(f"compiling {manifest.name} for {manifest.target}"):
            vmfb = compile(text, request.target.flags)
    except DiagnosticsError as diagnostics:
        message = _explain(diagnostics, request, manifest, text, store)
        raise CompileError(message, diagnostics.text) from None
    manifest.sha256[VMFB] = sha256(vmfb)
    return store.publish(manifest, text, vmfb)


def spec_name(spec: Spec) -> str:
    """The name of the artifact of a spec that is given none."""
    return f"{spec.op}-{spec.digest}"


def artifact_name(request: GraphRequest, name: str | None) -> str:
    """The folder name: the given name or the spec's digest, and what differs from the default.

    ArgumentError for a name that is not a plain folder name.
    """
    if name is not None and not (isinstance(name, str) and _PLAIN_NAME.fullmatch(name)):
        raise ArgumentError(
            "name: expected at most 200 letters, digits and . _ + = - that begin with a letter or "
            f"digit, got {shown(name)}"
        )
    parts = [name or spec_name(request.spec)]
    if request.dialect != "linalg":
        parts.append(request.dialect)
    elif request.formulation and request.formulation != request.target.formulation:
        parts.append(request.formulation)
    if request.tile:
        parts.append("tuned")
    return ".".join(parts)


def _manifest(request: GraphRequest, name: str | None, text_hash: str) -> Manifest:
    """The manifest but for the vmfb's hash, which is known only after compilation."""
    spec, target, tile = request.spec, request.target, request.tile
    manifest = Manifest(
        format_version=FORMAT_VERSION,
        name=artifact_name(request, name),
        spec=spec.to_dict(),
        target=target.name,
        target_identity=target.identity,
        entry_points=[spec.op],
        inputs=[tensor.to_dict() for tensor in spec.compiled.inputs],
        outputs=[tensor.to_dict() for tensor in spec.compiled.outputs],
        formulation=request.formulation,
        dialect=request.dialect,
        irattn_version=version("irattn"),
        compiler=COMPILER,
        compiler_version=compiler_version(),
        flags=list(target.flags),
        key="",
        sha256={MLIR: text_hash},
        tile=dict(tile) if tile else None,
    )
    return replace(manifest, key=compilation_key(asdict(manifest)))


def _explain(
    diagnostics: DiagnosticsError,
    request: GraphRequest,
    manifest: Manifest,
    text: str,
    store: Store,
) -> str:
    command = command_line(request.target.flags)
    try:
        folder = store.keep_failure(manifest.key, text, command, diagnostics.text)
        kept = f"kept in {folder}: {MLIR}, command.txt, diagnostics.txt"
    except StorageError as error:
        kept = f"not kept: {error}"
    origin = template_origin(request, diagnostics.line) if diagnostics.line else None
    lines = [
        f"{manifest.name} does not compile for {manifest.target}: {diagnostics.first_error}",
        f"  spec: {request.spec.to_json()}",
        f"  template: {origin or 'the compiler names no line'}",
        f"  {kept}",
    ]
    return "\n".join(lines)
