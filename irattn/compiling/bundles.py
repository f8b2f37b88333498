"""The bundle: one file with several artifacts of several specs, a ZIP that common tools open.

Its first member, `bundle.json`, lists the entries, their variants in order of preference, and the
hash of every other member; these are the artifacts, as `<target>/<name>/module.mlir` and so on.
"""

import json
import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import msgspec

from irattn.binary.manifest import MANIFEST, MLIR, VMFB, sha256
from irattn.compiling.artifact import PLAIN_NAME, Artifact, artifact_of, read_manifest_bytes
from irattn.core.declared import read_as
from irattn.core.errors import (
    ArgumentError,
    ArtifactError,
    IrattnError,
    MissingArtifactError,
    printable,
    shown,
)
from irattn.core.folders import new_file
from irattn.core.stored_zip import MAX_BYTES, read_stored, write_stored
from irattn.core.strict_json import check_format, parse_json
from irattn.targets import Target
from irattn.targets import get as get_target

FORMAT_VERSION = 1
INDEX = "bundle.json"
SUFFIX = ".irattn"
_FILES = (MANIFEST, MLIR, VMFB)
_SOME = msgspec.Meta(min_length=1)

# How a bundle begins: a local header's magic, and its first path 30 bytes in.
_MAGIC = b"PK\x03\x04"
_PATH_AT = 30


@dataclass(frozen=True)
class _Index:
    """The first member: the targets of each entry, the preferred ones first, and all hashes."""

    format_version: int
    entries: Annotated[dict[str, Annotated[list[str], _SOME]], _SOME]
    sha256: dict[str, str]


@dataclass(frozen=True, repr=False)
class Bundle:
    """A bundle in memory.

    `entries` are the targets of each entry's variants, the preferred ones first. The bytes have
    the hashes that the index states; the artifacts themselves are checked when they are asked for.
    """

    path: Path
    entries: dict[str, list[str]]
    members: dict[str, bytes]

    def __repr__(self) -> str:
        return f"<Bundle {self.path} of {', '.join(self.entries)}>"

    def artifact(self, name: str, target: str) -> Artifact:
        """A variant of an entry; ArtifactError where its parts do not belong together."""
        artifact = self._artifact(name, target)
        first = self._artifact(name, self.entries[name][0])
        if artifact.spec != first.spec:
            raise ArtifactError(
                f"{self.path}: {name}: {target} has another spec than {first.target}; {self.remedy}"
            )
        return artifact

    def _artifact(self, name: str, target: str) -> Artifact:
        folder = f"{target}/{name}"
        data, mlir, vmfb = (self.members[f"{folder}/{file}"] for file in _FILES)
        try:
            manifest = read_manifest_bytes(data)
            stated = (manifest.name, manifest.target)
            if stated != (name, target):
                raise ArtifactError(f"expected {name} for {target}, got {' for '.join(stated)}")
            return artifact_of(manifest, mlir, vmfb, self.path / target / name)
        except ArtifactError as error:
            raise ArtifactError(f"{self.path}: {folder}: {error}; {self.remedy}") from error

    def entry(self, name: str | None) -> str:
        """The entry of this name, or the only one; ArgumentError names those that there are."""
        names = ", ".join(self.entries)
        if name is None and len(self.entries) == 1:
            return next(iter(self.entries))
        if name is None:
            raise ArgumentError(f"name: expected one of {names}, which {self.path} holds; got none")
        if name not in self.entries:
            raise ArgumentError(f"name: expected one of {names}, got {name}")
        return name

    def variant(self, name: str, target: str) -> str:
        """The variant of an entry for a target or alias; ArgumentError names those there are."""
        wanted = get_target(target).name
        if wanted not in self.entries[name]:
            there = ", ".join(self.entries[name])
            raise ArgumentError(f"target: expected one of {there}, got {target}")
        return wanted

    @cached_property
    def remedy(self) -> str:
        """The command that makes this bundle again."""
        targets = dict.fromkeys(target for variants in self.entries.values() for target in variants)
        return bundle_again(self.path, self.entries, targets)


def bundle_again(path: Path, names: Iterable[str], targets: Iterable[str]) -> str:
    """The advice to make a bundle again, with the command."""
    words = ["irattn", "bundle", "-o", str(path), *names]
    words += [word for target in targets for word in ("--target", target)]
    return f"bundle it again: `{shlex.join([*words, '--cpu', 'none'])}`"


def is_bundle(name: str | Path) -> bool:
    """Whether a user's word names a bundle."""
    return Path(name).suffix == SUFFIX and not os.path.isdir(name)


def write_bundle(path: Path, artifacts: Iterable[Artifact]) -> Bundle:
    """Write artifacts to a bundle, whole or not at all; variants are preferred in this order.

    Equal artifacts give equal bytes. ArgumentError where something else lies there already.
    """
    check_place(path)
    entries: dict[str, list[str]] = {}
    members: dict[str, bytes] = {}
    for artifact in artifacts:
        name, target = artifact.manifest.name, artifact.target
        entries.setdefault(name, []).append(target)
        contents = (artifact.manifest.to_json().encode(), artifact.mlir.encode(), artifact.vmfb)
        members |= {f"{target}/{name}/{f}": data for f, data in zip(_FILES, contents, strict=True)}
    members = dict(sorted(members.items()))
    with new_file(path, makes_folder=True) as file:
        file.write(write_stored({INDEX: _index(entries, members), **members}))
    return read_bundle(path)


def bundle_targets(names: Iterable[str], cpu: str | None) -> list[Target]:
    """The targets of a bundle's variants, each once: the preferred ones first, the CPU last."""
    chosen = [get_target(name) for name in names] + ([] if cpu is None else [get_target(cpu)])
    if not chosen:
        raise ArgumentError("target: expected at least one, or a CPU to fall back to")
    if cpu is not None and chosen[-1].is_gpu:
        raise ArgumentError(f"cpu: expected the target of a CPU, got {cpu}")
    return list(dict.fromkeys(chosen))


def check_place(path: Path) -> None:
    """Refuse a path where a bundle cannot go: ArgumentError."""
    if path.suffix != SUFFIX:
        raise ArgumentError(f"{path}: expected a file named …{SUFFIX}")
    if path.is_dir() or (path.exists() and not _begins_like_a_bundle(path)):
        raise ArgumentError(
            f"{path}: is there and is no bundle, and is not replaced; move it or choose another -o"
        )


def read_bundle(path: Path) -> Bundle:
    """Read a bundle and check that it is whole; ArtifactError says what is wrong."""
    if not path.exists():
        raise MissingArtifactError(f"{path}: no such bundle")
    try:
        if path.stat().st_size > MAX_BYTES or not path.is_file():
            raise ArtifactError(f"expected a file of at most {MAX_BYTES} bytes")
        return bundle_of(path, path.read_bytes())
    except OSError as error:
        raise ArtifactError(f"{path}: not readable: {error.strerror or error}") from error
    except ArtifactError as error:
        again = "bundle it again: `irattn bundle -o FILE NAME… --target …`"
        raise ArtifactError(f"{path}: {printable(error)}; {again}") from error


def bundle_of(path: Path, data: bytes) -> Bundle:
    """The bundle that these bytes are; ArtifactError where they are none."""
    if not data.startswith(_MAGIC):
        raise ArtifactError("not a bundle: it does not begin as a ZIP file does")
    members = read_stored(data)
    if next(iter(members), None) != INDEX:
        raise ArtifactError(f"not a bundle: expected {INDEX} as its first member")
    try:
        index = _read_index(members.pop(INDEX))
    except IrattnError as error:
        raise ArtifactError(f"{INDEX}: {printable(error)}") from error
    for member in sorted(set(members) ^ set(index.sha256)):
        here = "missing" if member in index.sha256 else f"not listed in {INDEX}"
        raise ArtifactError(f"member {member}: {here}")
    for member, contents in members.items():
        if sha256(contents) != index.sha256[member]:
            raise ArtifactError(
                f"member {member}: altered or truncated (its sha256 differs from {INDEX}'s)"
            )
    return Bundle(path, index.entries, members)


def _index(entries: dict[str, list[str]], members: dict[str, bytes]) -> bytes:
    fields = {
        "format_version": FORMAT_VERSION,
        "entries": entries,
        "sha256": {path: sha256(data) for path, data in members.items()},
    }
    return (json.dumps(fields, indent=2, sort_keys=True) + "\n").encode()


def _read_index(data: bytes) -> _Index:
    """The index, if its entries and hashes list exactly the same artifacts."""
    fields = parse_json(data)
    check_format(fields, FORMAT_VERSION)
    index = read_as(_Index, fields)
    for name, variants in index.entries.items():
        _check_entry(name, variants)
    listed = {
        f"{target}/{name}/{file}"
        for name, variants in index.entries.items()
        for target in variants
        for file in _FILES
    }
    if set(index.sha256) != listed:
        raise ArtifactError("sha256: expected the hash of each member of each variant")
    return index


def _check_entry(name: str, variants: list[str]) -> None:
    if not PLAIN_NAME.fullmatch(name):
        raise ArtifactError(f"entries: expected plain names, got {shown(name)}")
    if len(set(variants)) < len(variants):
        raise ArtifactError(f"entries.{name}: expected targets, each once, got {shown(variants)}")
    for target in variants:
        known = get_target(target[:64]).name
        if known != target:
            raise ArtifactError(f"entries.{name}: expected {known}, got {shown(target)}")


def _begins_like_a_bundle(path: Path) -> bool:
    """Whether irattn may replace a file: a bundle that was damaged is still one."""
    with path.open("rb") as file:
        head = file.read(_PATH_AT + len(INDEX))
    return head.startswith(_MAGIC) and head[_PATH_AT:] == INDEX.encode()
