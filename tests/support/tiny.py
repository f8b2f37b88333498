"""The tiny entries of the catalogue, which many tests want: several are compiled together."""

from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact
from support.joined import artifact_of

TINY = catalog.names(["tiny"])

# Those for gfx90a: formulations that differ, and matrix instructions of f32.
FEW = (
    "gqa_causal_tiny",
    "gqa_decode_tiny",
    "gqa_paged_prefill_tiny",
    "keep_mask_tiny",
    "layer_decode_tiny",
    "packed_causal_tiny",
    "softmax_tiny",
)


def tiny_artifact(name: str, target: str = "cpu") -> Artifact:
    """An entry's artifact, in memory; its program holds other entries too."""
    names = FEW if target == "gfx90a" else TINY
    return artifact_of(catalog.get(name), map(catalog.get, names), target)
