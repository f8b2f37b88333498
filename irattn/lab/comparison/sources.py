"""Reading one side of a comparison: artifacts, folders of them, baselines, and both from git."""

import io
import os
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from irattn.binary.manifest import MANIFEST, is_certificate
from irattn.compiling.artifact import Artifact, artifacts_in, read_artifact
from irattn.compiling.bundles import is_bundle
from irattn.core.errors import SourceError, shown
from irattn.lab.comparison.subjects import Key, Subject, of_artifact, read_baseline


@dataclass(frozen=True)
class ComparedSource:
    """One side: what it is called, its subjects, and whether it is one artifact or many."""

    words: str
    subjects: dict[Key, Subject]
    is_single: bool


def read_source(
    side: str, where: Artifact | Path | str, revision: str | None = None
) -> ComparedSource:
    """The subjects of an artifact, a folder or baseline file, or `REVISION:PATH` of git.

    `side` names the argument. With `revision` the path is read as it was then. SourceError where
    nothing is found.
    """
    if isinstance(where, Artifact):
        return _single(str(where.path), of_artifact(where))
    if not isinstance(where, str | Path):
        raise SourceError(
            f"{side}: expected an artifact, a path or REVISION:PATH, got {shown(where)}"
        )
    path = Path(where)
    if revision is not None:
        return _read_revision(revision, path, f"{revision}:{where}")
    before, colon, inside = str(where).partition(":")
    if colon and not path.exists():
        # As in git: from the root of the repository, unless it begins with a dot.
        path = Path(inside) if inside.startswith(".") else _root(Path()) / inside
        return _read_revision(before, path, str(where))
    return _read(path, str(where))


def _read(path: Path, words: str) -> ComparedSource:
    if (path / MANIFEST).exists():
        return _single(words, of_artifact(read_artifact(path)))
    if path.is_file() and is_bundle(path):
        raise SourceError(
            f"{words}: expected an artifact or a folder, got a bundle; `irattn compile` makes "
            "folders of its entries"
        )
    if path.is_file():
        return _single(words, read_baseline(path))
    if not path.is_dir():
        raise SourceError(
            f"{words}: expected an artifact, a folder of artifacts or of baselines, or "
            "REVISION:PATH of git, and found nothing there"
        )
    subjects = [of_artifact(artifact) for artifact in artifacts_in(path)]
    files = [
        file
        for file in sorted(path.glob("[!.]*/[!.]*.json"))
        if file.name != MANIFEST and not is_certificate(file)
    ]
    subjects += map(read_baseline, files)
    if not subjects:
        raise SourceError(
            f"{words}: expected artifacts in <target>/<name>/ or baselines in <target>/<name>.json,"
            " and found none; `irattn compile` makes the first, `irattn baseline update` the second"
        )
    return ComparedSource(words, {subject.key: subject for subject in subjects}, is_single=False)


def _single(words: str, subject: Subject) -> ComparedSource:
    return ComparedSource(words, {subject.key: subject}, is_single=True)


def _read_revision(revision: str, path: Path, words: str) -> ComparedSource:
    """The file or folder that lay at a path at a git revision."""
    if not isinstance(revision, str) or revision.startswith("-"):
        raise SourceError(f"{words}: expected a revision of git, got {shown(revision)}")
    root = _root(next(folder for folder in path.absolute().parents if folder.is_dir()))
    inside = Path(os.path.relpath(path.resolve(), root)).as_posix()
    # Of a root, `REVISION:` is the whole tree.
    archive = _git(root, "archive", "--format=tar", f"{revision}:{'' if inside == '.' else inside}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(folder, filter="data")
        except tarfile.TarError as error:
            raise SourceError(f"{words}: does not unpack: {error}") from error
        return _read(Path(folder), words)


def _root(folder: Path) -> Path:
    """The root of the repository that a folder is in."""
    return Path(_git(folder, "rev-parse", "--show-toplevel").decode().rstrip("\n")).resolve()


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        result = subprocess.run(["git", *arguments], cwd=folder, capture_output=True)
    except FileNotFoundError as error:
        raise SourceError("a revision: expected git, and it is not installed") from error
    if result.returncode:
        said = result.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise SourceError(f"git {arguments[0]} {arguments[-1]}: {said}")
    return result.stdout
