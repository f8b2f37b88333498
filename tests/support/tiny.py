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

_OF_EACH_OP = {catalog.get(name).op: name for name in reversed(TINY)}.values()
_OF_KINDS = {*FEW, *("mha_full_tiny", "gqa_paged_decode_tiny")}
# For gfx1100 there are all. Waves of 64 lanes have the first of each op, and so have CPUs; RDNA 4,
# which differs from RDNA 3 in its encodings and waits, has that of every second op.
_CHOSEN = {
    "cpu": {*_OF_KINDS, *_OF_EACH_OP},
    "gfx942": {*_OF_KINDS, *_OF_EACH_OP},
    "gfx1201": {*_OF_KINDS, *[*_OF_EACH_OP][::2]},
    "gfx90a": {*FEW},
}


def tiny_names(target: str) -> list[str]:
    """The entries that there are for a target, in the catalogue's order."""
    wanted = _CHOSEN.get(target, TINY)
    return [name for name in TINY if name in wanted]


def tiny_artifact(name: str, target: str = "cpu") -> Artifact:
    """An entry's artifact, in memory; its program holds other entries too, if they are wanted."""
    names = tiny_names(target)
    together = names if name in names else [name]
    return artifact_of(catalog.get(name), map(catalog.get, together), target)
