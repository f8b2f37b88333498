"""Read a manifest and check that every field of it can be true."""

import json
import re
from typing import Any

from irattn.binary.manifest import FORMAT_VERSION, MLIR, VMFB, Manifest, compilation_key
from irattn.core.declared import read_as
from irattn.core.errors import ArtifactError, IrattnError, printable, shown
from irattn.core.strict_json import check_format, parse_json
from irattn.specs import Spec, spec_from_dict
from irattn.targets import get as get_target

# Names that are safe as a folder's, with a suffix for the formulation or dialect.
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,219}")


def read_manifest_bytes(data: bytes) -> Manifest:
    """The manifest that these bytes are; ArtifactError where any field cannot be true."""
    return read_manifest_fields(parse_json(data))


def read_manifest_fields(fields: dict[str, Any]) -> Manifest:
    """The manifest of these fields; ArtifactError where any of them cannot be true."""
    check_format(fields, FORMAT_VERSION)
    try:
        manifest = _checked_manifest(fields)
        if manifest.key != compilation_key(fields):
            raise ArtifactError(
                "key: differs from the hash of the other fields: the manifest was edited"
            )
        return manifest
    except (IrattnError, RecursionError) as error:
        raise ArtifactError(f"not a manifest: {printable(error)}") from error


def _checked_manifest(fields: dict[str, Any]) -> Manifest:
    manifest = read_as(Manifest, fields)
    if not PLAIN_NAME.fullmatch(manifest.name):
        raise ArtifactError(f"name: expected a plain folder name, got {shown(manifest.name)}")
    if set(manifest.sha256) != {MLIR, VMFB}:
        raise ArtifactError(f"sha256: expected the hashes of {MLIR} and {VMFB}")
    if "tile" in fields and manifest.tile is None:
        raise ArtifactError("tile: expected none at all where none was chosen, got null")
    _check_target(manifest)
    _check_derived(manifest, _checked_spec(manifest.spec))
    return manifest


def _check_target(manifest: Manifest) -> None:
    name = manifest.target[:64]
    if get_target(name).name != manifest.target:
        raise ArtifactError(f"target: expected {get_target(name).name}, got {shown(name)}")
    if (manifest.target_identity is None) != (name != "cpu"):
        raise ArtifactError("target_identity: only the target cpu has one, and it must")


def _checked_spec(fields: dict[str, Any]) -> Spec:
    try:
        return spec_from_dict(fields)
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError) as error:
        raise ArtifactError(f"spec: {error}") from error


def _check_derived(manifest: Manifest, spec: Spec) -> None:
    """Compare as JSON what follows from the spec: to Python, 1 and true are equal."""
    derived = {
        "entry_points": [spec.op],
        "inputs": [tensor.to_dict() for tensor in spec.compiled.inputs],
        "outputs": [tensor.to_dict() for tensor in spec.compiled.outputs],
    }
    for name, expected in derived.items():
        stated = getattr(manifest, name)
        if json.dumps(stated, sort_keys=True) != json.dumps(expected, sort_keys=True):
            raise ArtifactError(
                f"{name}: expected {expected}, as the spec has it, got {shown(stated)}"
            )
