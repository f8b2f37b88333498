"""Reads the code objects in a file: an ELF, or a bundle of several as clang writes it."""

import struct
from collections.abc import Iterator
from pathlib import Path

from irattn.binary.codeobject import CodeObject, read_code_object
from irattn.core.errors import ArtifactError

_ELF = b"\x7fELF"
_ZIP = b"PK"
_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"


def read_code_file(path: Path) -> list[CodeObject]:
    """The code objects in a file, `.hsaco` or `.co`; ArtifactError where it is none."""
    data = path.read_bytes()
    try:
        code_objects = [read_code_object(elf) for elf in _elfs(data)]
    except ArtifactError as error:
        raise ArtifactError(f"{path}: {error}") from error
    if not code_objects:
        raise ArtifactError(f"{path}: the bundle has no code for an AMD GPU")
    return code_objects


def _elfs(data: bytes) -> Iterator[bytes]:
    if data.startswith(_ELF):
        yield data
    elif data.startswith(_BUNDLE):
        yield from _bundled(data)
    elif data.startswith(_ZIP):
        raise ArtifactError(
            "a bundle of irattn's, or another ZIP file, as a module.vmfb is, too; "
            "`irattn bundle --list FILE` shows what is in a bundle, and `irattn run` runs it; an "
            "artifact is given as a folder"
        )
    else:
        raise ArtifactError(
            "expected an AMD code object, an ELF file, or a bundle of some as clang writes it "
            "(uncompressed), and it is neither; an artifact is given as a folder"
        )


def _bundled(data: bytes) -> Iterator[bytes]:
    """Entries are offset, size, and the name of what the code is for; the host's is empty."""
    try:
        (count,) = struct.unpack_from("<Q", data, len(_BUNDLE))
        at = len(_BUNDLE) + 8
        for _ in range(count):
            offset, size, letters = struct.unpack_from("<QQQ", data, at)
            at += 24 + letters
            elf = data[offset : offset + size]
            if elf.startswith(_ELF) and b"amdgcn" in data[at - letters : at]:
                yield elf
    except struct.error as error:
        raise ArtifactError(f"the bundle is damaged: {error}") from error
