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
# Those for chips of each kind: the first of each op. Each of these chips has a third of the rest,
# as all of it is there for gfx1100.
_EVERYWHERE = {*FEW, *_OF_EACH_OP, "mha_full_tiny", "gqa_paged_decode_tiny"}
_REST = [name for name in TINY if name not in _EVERYWHERE]
_SHARED_OUT = {"gfx1201": _REST[::3], "gfx942": _REST[1::3]}


def tiny_names(target: str) -> list[str]:
    """The entries that there are for a target, in the catalogue's order."""
    if target == "gfx90a":
        return list(FEW)
    wanted = _EVERYWHERE.union(_SHARED_OUT.get(target, TINY))
    return [name for name in TINY if name in wanted]


def tiny_artifact(name: str, target: str = "cpu") -> Artifact:
    """An entry's artifact, in memory; its program holds other entries too."""
    return artifact_of(catalog.get(name), map(catalog.get, tiny_names(target)), target)
