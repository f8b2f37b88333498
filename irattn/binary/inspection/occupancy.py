"""How many waves a SIMD holds at once, by what a launch takes of registers and LDS."""

import math

from irattn.binary.codeobject import KernelCode
from irattn.binary.inspection.figures import Occupancy
from irattn.targets import get as get_target
from irattn.targets import is_target

# What the hardware gives out LDS in.
_LDS_GRANULE = 512


def static_lds(kernel: KernelCode) -> int:
    """The bytes of LDS that a kernel's code asks for by itself."""
    return kernel.number(".group_segment_fixed_size")


def occupancy(
    kernel: KernelCode, gfx: str, workgroup_size: tuple[int, int, int], lds_bytes: int
) -> Occupancy | None:
    """The occupancy of a launch, `lds_bytes` of whose LDS a workgroup has, those that the launch
    asks for included; None where the hardware's figures are not known.
    """
    simd = get_target(gfx).simd if is_target(gfx) else None
    if simd is None:
        return None
    # gfx90a and later count both kinds in `.vgpr_count`.
    registers = max(kernel.number(".vgpr_count"), 1)
    registers += -registers % simd.vgpr_granule
    lds = lds_bytes + -lds_bytes % _LDS_GRANULE
    waves = -(-math.prod(workgroup_size) // kernel.number(".wavefront_size"))
    by_registers = min(simd.vgprs // registers, simd.most_waves)
    workgroups = simd.lds_bytes // lds if lds else simd.most_waves * simd.simds
    by_lds = min(-(-workgroups * waves // simd.simds), simd.most_waves)
    return Occupancy(min(by_registers, by_lds), by_registers, by_lds, simd.most_waves)
