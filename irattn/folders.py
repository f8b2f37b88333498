"""New folders that appear complete or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from irattn.errors import UsageError


@contextmanager
def new_folder(folder: Path, option: str) -> Iterator[Path]:
    """A folder to fill, which becomes `folder` when all went well and vanishes otherwise.

    UsageError, which names the `option` that chose the folder, where it holds anything already.
    """
    _check_empty(folder, option)
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
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
