"""Finds and publishes artifacts under one root folder: `<root>/<target>/<name>/`."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import filelock
import platformdirs

from irattn.binary.manifest import MANIFEST, MLIR, VMFB, Manifest
from irattn.compiling.artifact import Artifact, read_artifact
from irattn.core.errors import ArtifactError, StorageError
from irattn.core.folders import keeping, new_file

_STAGING = ".staging-"
_FAILED = ".failed"
_TEXTS = ".texts"
_HASH = re.compile("[0-9a-f]{64}")
_STALE_SECONDS = 24 * 3600


def default_root() -> Path:
    """`IRATTN_CACHE`, or irattn's folder in the user's cache folder."""
    given = os.environ.get("IRATTN_CACHE")
    # Not every file of settings knows `~` as a shell does.
    return Path(os.path.expanduser(given) if given else platformdirs.user_cache_dir("irattn"))


class Store:
    """Artifacts under one root.

    A folder appears under its name complete or not at all: it is written beside its place and
    renamed into it under a lock that other processes respect.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or default_root()
        self._hint = "" if root else "; IRATTN_CACHE names another folder"

    def folder(self, target: str, name: str) -> Path:
        """The folder of the artifact of this name, whether it exists or not."""
        return self.root / target / name

    def find(self, wanted: Manifest) -> Artifact | None:
        """The artifact of a manifest if it is there, whole, and made from exactly these inputs.

        `wanted` need not know the hash of the vmfb; everything else must be equal, so that a
        manifest that was edited by hand counts as damaged too.
        """
        try:
            artifact = read_artifact(self.folder(wanted.target, wanted.name))
        except ArtifactError:
            # Missing, older or damaged: all three mean that it has to be made.
            return None
        stored = artifact.manifest
        hashes = {**stored.sha256, **wanted.sha256}
        return artifact if stored == replace(wanted, sha256=hashes) else None

    def text_hash(self, request: str) -> str | None:
        """The hash of the text of a request, by the digest of that, if one was built here."""
        try:
            found = (self.root / _TEXTS / request).read_text()
        except (OSError, UnicodeDecodeError):
            return None
        return found if _HASH.fullmatch(found) else None

    def remember_text(self, request: str, text_hash: str) -> None:
        """Let the next who asks find an artifact without rendering."""
        # Where nothing can be written, the text is rendered again.
        with (
            suppress(StorageError),
            new_file(self.root / _TEXTS / request, makes_folder=True) as file,
        ):
            file.write(text_hash.encode())

    def publish(self, manifest: Manifest, mlir: str, vmfb: bytes) -> Artifact:
        """Put an artifact in its place; one already there with the same key stays.

        StorageError where it cannot be written.
        """
        with self._staging(manifest) as staging:
            new = staging / "new"
            new.mkdir()
            (new / MLIR).write_bytes(mlir.encode())
            (new / VMFB).write_bytes(vmfb)
            (new / MANIFEST).write_bytes(manifest.to_json().encode())
            with filelock.FileLock(self.root / ".lock"):
                return self.find(manifest) or self._swap_in(new, manifest, staging / "old")

    @contextmanager
    def making(self, manifest: Manifest) -> Iterator[None]:
        """Make an artifact alone among threads and processes: the others wait here."""
        path = self.root / f".making-{manifest.key[:12]}-{manifest.name}"
        with keeping(f"{manifest.name} for {manifest.target}", self.root, self._hint):
            lock = filelock.FileLock(path)
            lock.acquire()
        try:
            yield
        finally:
            # Who waits holds the file, and then finds the artifact.
            path.unlink(missing_ok=True)
            lock.release()

    @contextmanager
    def alone(self, what: str) -> Iterator[None]:
        """Write alone among processes under a name that all of them use, wherever it lies."""
        with keeping(what, self.root, self._hint):
            self.root.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.root / f".{what}.lock")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def check_writable(self, manifest: Manifest) -> None:
        """StorageError where nothing can be written for an artifact, before it is made."""
        with self._staging(manifest):
            pass

    @contextmanager
    def _staging(self, manifest: Manifest) -> Iterator[Path]:
        """A folder beside the artifacts for the time of writing one."""
        with keeping(f"{manifest.name} for {manifest.target}", self.root, self._hint):
            self.root.mkdir(parents=True, exist_ok=True)
            self._sweep()
            staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=self.root))
            try:
                yield staging
            finally:
                shutil.rmtree(staging)

    def keep_failure(self, key: str, mlir: str, command: str, diagnostics: str) -> Path:
        """Keep what is needed to look into a failed compilation; returns the folder.

        StorageError where it cannot be written.
        """
        folder = self.root / _FAILED / key[:12]
        files = {MLIR: mlir, "command.txt": command + "\n", "diagnostics.txt": diagnostics}
        with keeping(", ".join(files), folder):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                for name, text in files.items():
                    (folder / name).write_text(text, encoding="utf-8")
            except OSError:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        return folder

    def _swap_in(self, new: Path, manifest: Manifest, old: Path) -> Artifact:
        place = self.folder(manifest.target, manifest.name)
        place.parent.mkdir(exist_ok=True)
        if place.exists():
            foreign = {path.name for path in place.iterdir()} - {MLIR, VMFB, MANIFEST}
            if foreign:
                raise ArtifactError(
                    f"{place}: holds {min(foreign)}, which is no part of an artifact, and is not "
                    "replaced; move it or choose another --store"
                )
            place.rename(old)
        try:
            new.rename(place)
        except OSError:
            # The staging folder is swept: what lay here would go with it.
            if old.exists():
                old.rename(place)
            raise
        return read_artifact(place)

    def _sweep(self) -> None:
        """Remove what killed processes left half written."""
        for staging in self.root.glob(f"{_STAGING}*"):
            try:
                age = time.time() - staging.stat().st_mtime
            except FileNotFoundError:
                # Its owner has just finished.
                continue
            if age > _STALE_SECONDS:
                shutil.rmtree(staging, ignore_errors=True)
