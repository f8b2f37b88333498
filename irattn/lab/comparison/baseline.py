"""Baselines: what a repository keeps of its artifacts, as files that git can show."""

from collections.abc import Iterable
from pathlib import Path

from irattn.binary.manifest import CERTIFICATE_SUFFIX, is_certificate
from irattn.compiling.artifact import Artifact
from irattn.core.folders import new_file
from irattn.lab.comparison.subjects import baseline_text, of_artifact


def update_baseline(
    artifacts: Iterable[Artifact], root: Path, *, are_all: bool = True
) -> tuple[list[Path], list[Path]]:
    """Write `<root>/<target>/<name>.json` for each artifact; the files written and removed.

    Where these are all artifacts of their targets, files of others are removed. A file whose text
    is right already is not written; the certificate beside one that is written is of other code,
    and is removed.
    """
    texts: dict[Path, str] = {}
    for artifact in artifacts:
        subject = of_artifact(artifact)
        texts[root / artifact.target / f"{artifact.manifest.name}.json"] = baseline_text(subject)
    written = [path for path, text in texts.items() if _write(path, text)]
    folders = dict.fromkeys(path.parent for path in texts)
    others = [
        file
        for folder in folders
        for file in folder.glob("*.json")
        if _baseline_of(file) not in texts
    ]
    outdated = [
        certificate
        for path in written
        if (certificate := path.with_suffix(CERTIFICATE_SUFFIX)).exists()
    ]
    gone = [*outdated, *(others if are_all else ())]
    for file in gone:
        file.unlink()
    return written, gone


def _baseline_of(file: Path) -> Path:
    """A baseline itself, or the one that a certificate lies beside."""
    if not is_certificate(file):
        return file
    return file.with_name(f"{file.name.removesuffix(CERTIFICATE_SUFFIX)}.json")


def _write(path: Path, text: str) -> bool:
    """Whether the file had to be written; it appears whole or not at all."""
    if path.exists() and path.read_bytes() == text.encode():
        return False
    with new_file(path, makes_folder=True) as file:
        file.write(text.encode())
    return True
