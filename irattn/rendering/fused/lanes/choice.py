"""What lanes are written out for, and how a workgroup's work is cut then."""

from irattn.rendering.fused.lanes.lanes import Lanes
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Waves, keys of a step, and a wave's tiles of queries, by family and columns of a head. Each is the
# one with the fewest instructions besides each matrix instruction of those that spill no registers
# and multiply at most a tenth too much of a causal prompt of 2048 tokens (RDNA 4 with 256: 12 %).
_CUTS: dict[str, dict[int, tuple[int, int, int]]] = {
    "WMMAR3": {64: (4, 32, 2), 128: (8, 64, 1)},
    "WMMAR4": {64: (4, 64, 2), 128: (8, 64, 1), 256: (16, 32, 1)},
    "MFMA": {64: (4, 64, 2), 128: (4, 64, 2), 256: (4, 32, 2)},
    "NV": {64: (4, 64, 1), 128: (8, 64, 1)},
}


def lanes_for(target: Target, spec: AttentionFeatures) -> Lanes | None:
    """How lanes do a spec's steps; None where they are not written out for it."""
    instruction = target.matrix.get(spec.io_dtype)
    family = instruction.family if instruction else ""
    cut = _CUTS.get(family, {}).get(spec.head_dim)
    if instruction is None or cut is None or spec.v_dim != spec.head_dim or spec.scale <= 0:
        return None
    others = (spec.logits_soft_cap, spec.bias, spec.keep_mask, spec.alibi, spec.sinks)
    if any(others):
        return None
    sizes = (spec.head_dim, spec.v_dim)
    return Lanes(instruction, *cut, spec.io_dtype, *sizes)
