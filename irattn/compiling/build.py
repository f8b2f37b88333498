"""From a spec to an artifact: render, look up, compile, publish."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

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
from irattn.rendering import TileNumbers, check_sayable, formulation_of, render, template_origin
from irattn.specs import Spec
from irattn.targets import Target

# Text and flags to a vmfb; DiagnosticsError where the compiler fails.
Compile: TypeAlias = Callable[[str, tuple[str, ...]], bytes]

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,199}")


@dataclass(frozen=True)
class Built:
    """An artifact under the name that was asked for, and what it took to have it."""

    name: str
    artifact: Artifact
    was_found: bool
    seconds: float

    @property
    def outcome(self) -> str:
        """In a word."""
        return "found" if self.was_found else "compiled"


def build(
    spec: Spec,
    target: Target,
    *,
    name: str | None = None,
    formulation: str | None = None,
    dialect: str = "linalg",
    tile: TileNumbers | None = None,
    root: Path | None = None,
) -> Artifact:
    """The artifact of a spec for a target, from the store if it is there, else compiled.

    `name` defaults to one made from the spec's digest. `tile` takes the place of what irattn's
    tables say; the artifact then has a name, and a key, of its own. CompileError where the compiler
    fails: the text, the command and the full diagnostics are kept, and the message says where.
    StorageError where the store cannot be written.
    """
    how: dict[str, Any] = {"name": name, "formulation": formulation, "dialect": dialect}
    return find_or_compile(spec, target, **how, tile=tile, root=root)[0]


def find_or_compile(
    spec: Spec,
    target: Target,
    *,
    name: str | None = None,
    formulation: str | None = None,
    dialect: str = "linalg",
    tile: TileNumbers | None = None,
    root: Path | None = None,
    compile: Compile | None = None,
) -> tuple[Artifact, bool]:
    """What `build` gives, and whether it was in the store already.

    `compile` is called if not; None is the compiler on this machine.
    """
    manifest, text = _wanted(spec, target, name, formulation, dialect, tile)
    store = Store(root)
    artifact = store.find(manifest)
    if artifact:
        return artifact, True
    store.check_writable(manifest)
    with store.making(manifest):
        # Another thread or process may have made it in the meantime.
        artifact = store.find(manifest)
        if artifact:
            return artifact, True
        return _compiled(spec, target, manifest, text, store, compile or compile_mlir), False


def find(spec: Spec, target: Target, root: Path | None = None) -> Artifact | None:
    """The artifact that `build` would find, under the name that it has by default."""
    return Store(root).find(_wanted(spec, target, None, None, "linalg", None)[0])


def timed_build(asked: str, spec: Spec, target: Target, **how: Any) -> Built:
    """What `find_or_compile` gives, under the name that it was asked for by, with its time."""
    start = time.monotonic()
    artifact, was_found = find_or_compile(spec, target, **how)
    return Built(asked, artifact, was_found, time.monotonic() - start)


@contextmanager
def build_pool(jobs: int | None) -> Iterator[ThreadPoolExecutor]:
    """Threads that after a failure, or Ctrl-C, do not start what has not started."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _wanted(
    spec: Spec,
    target: Target,
    name: str | None,
    formulation: str | None,
    dialect: str,
    tile: TileNumbers | None,
) -> tuple[Manifest, str]:
    """The manifest of what is asked for, and its MLIR text."""
    check_sayable(spec, target, formulation, dialect)
    formulation = formulation_of(spec, target, formulation, dialect)
    text = render(spec, target, formulation=formulation, dialect=dialect, tile=tile)
    return _manifest(spec, target, name, formulation, dialect, tile, text), text


def _compiled(
    spec: Spec, target: Target, manifest: Manifest, text: str, store: Store, compile: Compile
) -> Artifact:
    try:
        with step(f"compiling {manifest.name} for {target.name}"):
            vmfb = compile(text, target.flags)
    except DiagnosticsError as diagnostics:
        message = _explain(diagnostics, spec, target, manifest, text, store)
        raise CompileError(message, diagnostics.text) from None
    manifest.sha256[VMFB] = sha256(vmfb)
    return store.publish(manifest, text, vmfb)


def artifact_name(
    spec: Spec,
    target: Target,
    name: str | None,
    formulation: str | None,
    dialect: str,
    tile: TileNumbers | None = None,
) -> str:
    """The folder name: the given name or the spec's digest, and what differs from the default.

    ArgumentError for a name that is not a plain folder name.
    """
    if name is not None and not (isinstance(name, str) and _PLAIN_NAME.fullmatch(name)):
        raise ArgumentError(
            "name: expected at most 200 letters, digits and . _ + = - that begin with a letter or "
            f"digit, got {shown(name)}"
        )
    parts = [name or f"{spec.op}-{spec.digest}"]
    if dialect != "linalg":
        parts.append(dialect)
    elif formulation and formulation != target.formulation:
        parts.append(formulation)
    if tile:
        parts.append("tuned")
    return ".".join(parts)


def _manifest(
    spec: Spec,
    target: Target,
    name: str | None,
    formulation: str | None,
    dialect: str,
    tile: TileNumbers | None,
    text: str,
) -> Manifest:
    """The manifest but for the vmfb's hash, which is known only after compilation."""
    manifest = Manifest(
        format_version=FORMAT_VERSION,
        name=artifact_name(spec, target, name, formulation, dialect, tile),
        spec=spec.to_dict(),
        target=target.name,
        target_identity=target.identity,
        entry_points=[spec.op],
        inputs=[tensor.to_dict() for tensor in spec.compiled.inputs],
        outputs=[tensor.to_dict() for tensor in spec.compiled.outputs],
        formulation=formulation,
        dialect=dialect,
        irattn_version=version("irattn"),
        compiler=COMPILER,
        compiler_version=compiler_version(),
        flags=list(target.flags),
        key="",
        sha256={MLIR: sha256(text.encode())},
        tile=dict(tile) if tile else None,
    )
    return replace(manifest, key=compilation_key(asdict(manifest)))


def _explain(
    diagnostics: DiagnosticsError,
    spec: Spec,
    target: Target,
    manifest: Manifest,
    text: str,
    store: Store,
) -> str:
    command = command_line(target.flags)
    try:
        folder = store.keep_failure(manifest.key, text, command, diagnostics.text)
        kept = f"kept in {folder}: {MLIR}, command.txt, diagnostics.txt"
    except StorageError as error:
        kept = f"not kept: {error}"
    origin = None
    if diagnostics.line:
        origin = template_origin(
            spec,
            target,
            diagnostics.line,
            formulation=manifest.formulation,
            dialect=manifest.dialect,
            tile=manifest.tile,
        )
    lines = [
        f"{manifest.name} does not compile for {target.name}: {diagnostics.first_error}",
        f"  spec: {spec.to_json()}",
        f"  template: {origin or 'the compiler names no line'}",
        f"  {kept}",
    ]
    return "\n".join(lines)
