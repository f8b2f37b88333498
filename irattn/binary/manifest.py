"""The manifest of an artifact, and the names of the files that it describes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from irattn.core.declared import FromOne

FORMAT_VERSION = 2
MANIFEST = "manifest.json"
MLIR = "module.mlir"
VMFB = "module.vmfb"
# What is proved of an artifact has its name, and lies beside its baseline.
CERTIFICATE_SUFFIX = ".certificate.json"

# The numbers that attention is cut by, by their names.
Tile: TypeAlias = Annotated[Mapping[str, FromOne], msgspec.Meta(min_length=1)]


@dataclass(frozen=True)
class Manifest:
    """The description of an artifact: enough to check it, run it and build it again.

    It holds no time, host or path: equal inputs give equal manifests. `target_identity` tells
    processors apart where the target is `cpu`, the machine that compiled. `tile` has the numbers
    that a tuning file chose, None where they are those of irattn's tables.
    """

    format_version: int
    name: str
    spec: dict[str, Any]
    target: str
    target_identity: str | None
    entry_points: list[str]
    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]
    formulation: str | None
    dialect: str
    irattn_version: str
    compiler: str
    compiler_version: str
    flags: list[str]
    key: str
    sha256: dict[str, str]
    tile: Tile | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `tile` is there only where it was chosen."""
        fields = asdict(self)
        if self.tile is None:
            del fields["tile"]
        return fields

    def to_json(self) -> str:
        """Readable JSON with sorted keys."""
        return json.dumps(self.to_dict(), indent=2, sort_keys=True) + "\n"


def is_certificate(file: Path) -> bool:
    """Whether a file is a certificate, by its name."""
    return file.name.endswith(CERTIFICATE_SUFFIX)


def sha256(data: bytes) -> str:
    """Hex digest."""
    return hashlib.sha256(data).hexdigest()


def compilation_key(fields: Mapping[str, Any]) -> str:
    """The content hash of all inputs of a compilation, from the other fields of its manifest.

    What the compiler made, and the name, have no part in it.
    """
    inputs = {
        "format_version": fields["format_version"],
        "spec": fields["spec"],
        "mlir": fields["sha256"][MLIR],
        "formulation": [fields["dialect"], fields["formulation"]],
        "flags": fields["flags"],
        "target": [fields["target"], fields["target_identity"]],
        "compiler": [fields["compiler"], fields["compiler_version"]],
        "irattn": fields["irattn_version"],
    }
    if tile := fields.get("tile"):
        inputs["tile"] = tile
    return sha256(json.dumps(inputs, sort_keys=True).encode())
