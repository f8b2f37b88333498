"""Files and folders that appear complete or not at all, and what is said where they cannot."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

from irattn.core.errors import MissingPathError, StorageError, UsageError


@contextmanager
def keeping(what: str, folder: Path, hint: str = "") -> Iterator[None]:
    """StorageError, in one line that names what was to be written and where, for an OSError.

    `hint` stands at its end, and says what can be done.
    """
    try:
        yield
    except StorageError:
        # It is an OSError too, and names something already.
        raise
    except OSError as error:
        where = folder.absolute()
        raise StorageError(f"{what}: not written to {where}: {_reason(error)}{hint}") from error


def check_new_file(path: Path, option: str) -> None:
    """Before a file is made: UsageError for a folder, and where its own folder is not there."""
    if path.is_dir():
        raise UsageError(f"{option}: expected a file, and {path} is a folder")
    if not path.parent.is_dir():
        where = path.parent.absolute()
        raise MissingPathError(f"{option}: {path.name} cannot go to {where}: it is no folder")


@contextmanager
def new_file(path: Path, *, makes_folder: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which becomes `path` when all went well and vanishes otherwise.

    `makes_folder` says that its folder need not be there. A device or a pipe that is there takes
    what it is given. StorageError where it cannot be written.
    """
    with keeping(path.name, path.parent):
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        # Behind a link, the file itself is replaced.
        place = path.resolve()
        staging = place.parent / f".{uuid.uuid4().hex}"
        with _made_for(place) if makes_folder else nullcontext():
            try:
                with staging.open("wb") as file:
                    yield file
                os.replace(staging, place)
            finally:
                staging.unlink(missing_ok=True)


@contextmanager
def _made_for(file: Path) -> Iterator[None]:
    """The folders that a file needs, of which those that were made vanish where it fails."""
    missing = [folder for folder in file.parents if not folder.exists()]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        # Another process may have put something there.
        with suppress(OSError):
            for folder in missing:
                folder.rmdir()
        raise


@contextmanager
def new_folder(folder: Path, option: str, what: str) -> Iterator[Path]:
    """A folder to fill, which becomes `folder` when all went well and vanishes otherwise.

    UsageError, which names the `option` that chose the folder, where it holds anything already.
    StorageError, which names `what` is in it, where it cannot be written.
    """
    with keeping(what, folder):
        _check_empty(folder, option)
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
        try:
            yield staging
            # A folder made for one's own eyes only is opened like any other.
            staging.chmod(0o755)
            staging.rename(folder)
        except BaseException:
            shutil.rmtree(staging)
            raise


def _check_empty(folder: Path, option: str) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if os.path.lexists(folder):
        raise UsageError(f"{folder}: expected a new or an empty folder; name another with {option}")


def _reason(error: OSError) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"{error.filename} is no folder"
    # NumPy counts bytes where it should say that the disk is full.
    return error.strerror or f"the disk may be full: {error}"
