"""Artifacts: compiled specs as folders, read and checked before anything trusts them."""

from irattn.compiling.artifact.checked_manifest import (
    PLAIN_NAME,
    read_manifest_bytes,
    read_manifest_fields,
)
from irattn.compiling.artifact.folder import (
    Artifact,
    artifact_of,
    artifacts_in,
    is_artifact,
    read_artifact,
)
from irattn.compiling.artifact.remedies import remedy

__all__ = [
    "PLAIN_NAME",
    "Artifact",
    "artifact_of",
    "artifacts_in",
    "is_artifact",
    "read_artifact",
    "read_manifest_bytes",
    "read_manifest_fields",
    "remedy",
]
