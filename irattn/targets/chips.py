"""List the GPUs: one record a chip, from which all that depends on a chip is read."""

from dataclasses import dataclass

from irattn.targets.families import (
    ADA,
    AMPERE,
    CDNA1,
    CDNA2,
    CDNA3,
    CDNA4,
    FEW_REGISTERS,
    GCN4,
    GCN5,
    GFX1250,
    RDNA1,
    RDNA2,
    RDNA3,
    RDNA3_5,
    RDNA4,
    ChipFamily,
    Simd,
)


@dataclass(frozen=True)
class InfinityCache:
    """The cache before memory, which all dies share; its rate is None where it is not known."""

    mebibytes: int
    gigabytes_per_second: float | None = None


@dataclass(frozen=True)
class Peak:
    """The product that cycles are estimated for, with AMD's published peak figures.

    Its compute units are spread over so many `dies` (XCDs), each of which has an L2 of its own, of
    `l2_mebibytes`. Workgroup n of a launch, x innermost, runs on die n mod `dies`.
    """

    product: str
    compute_units: int
    ghz: float
    gigabytes_per_second: float
    l2_mebibytes: int
    infinity_cache: InfinityCache | None = None
    dies: int = 1


@dataclass(frozen=True)
class Chip:
    """One chip, by the name that compilers have for it: `gfx1100`, `sm_89`.

    `products` are the names of what it is sold in, as people write them, parted by blanks. `peak`
    is None where the figures are not known to us, `own_simd` where SIMDs are those of the family.
    `has_target`: the pinned compiler compiles for it.
    """

    name: str
    family: ChipFamily
    products: str = ""
    peak: Peak | None = None
    own_simd: Simd | None = None
    has_target: bool = True

    @property
    def simd(self) -> Simd | None:
        """A SIMD of the chip; None where the figures are not known to us."""
        return self.own_simd or self.family.simd


def _without_target(name: str, family: ChipFamily, products: str = "") -> Chip:
    """A chip that is known by name, and whose code is read where the family has tables."""
    return Chip(name, family, products, has_target=False)


# Products are from LLVM's AMDGPU page and AMD's lists of products for ROCm, caches and dies from
# ROCm's "AMD GPU specifications" (`docs/reference/gpu-specs.rst`). There MI300A has 6 dies of 38
# compute units, MI325X 8 as MI300X. That workgroups go to dies in turn is what AMD's own kernels
# count on: `aiter/ops/triton/utils/pid_preprocessing.py` of AITER. 17.2 TB/s: "AMD's CDNA 3 Compute
# Architecture", Chips and Cheese, 2023.
_MI300_CACHE = InfinityCache(256, 17200)
CHIPS = {
    chip.name: chip
    for chip in (
        Chip("gfx908", CDNA1, "mi100", Peak("MI100", 120, 1.502, 1229, 8)),
        # Each die is a device of its own.
        Chip(
            "gfx90a",
            CDNA2,
            "mi210 mi250 mi250x",
            Peak("MI250X, one of two dies", 110, 1.7, 1638, 8),
        ),
        Chip(
            "gfx942",
            CDNA3,
            "mi300a mi300x mi308x mi325x",
            Peak("MI300X", 304, 2.1, 5300, 4, _MI300_CACHE, dies=8),
        ),
        Chip(
            "gfx950",
            CDNA4,
            "mi350x mi355x",
            Peak("MI355X", 256, 2.4, 8000, 4, InfinityCache(256), dies=8),
        ),
        Chip(
            "gfx1100",
            RDNA3,
            "rx7900xtx rx7900xt rx7900gre w7900 w7800",
            Peak("RX 7900 XTX", 96, 2.5, 960, 6, InfinityCache(96)),
        ),
        Chip(
            "gfx1101",
            RDNA3,
            "rx7800xt rx7700xt w7700 v710",
            Peak("RX 7800 XT", 60, 2.43, 624, 4, InfinityCache(64)),
        ),
        Chip("gfx1103", RDNA3, "phoenix 780m", Peak("Radeon 780M", 12, 2.7, 90, 2), FEW_REGISTERS),
        Chip(
            "gfx1150",
            RDNA3_5,
            "strix-point 890m",
            Peak("Radeon 890M", 16, 2.9, 120, 2),
            FEW_REGISTERS,
        ),
        Chip(
            "gfx1151",
            RDNA3_5,
            "strix-halo 8060s",
            Peak("Radeon 8060S", 40, 2.9, 256, 2, InfinityCache(32)),
        ),
        Chip(
            "gfx1200",
            RDNA4,
            "rx9060xt rx9060",
            Peak("RX 9060 XT", 32, 3.13, 322, 4, InfinityCache(32)),
        ),
        Chip(
            "gfx1201",
            RDNA4,
            "rx9070xt rx9070 r9700",
            Peak("RX 9070 XT", 64, 2.97, 645, 8, InfinityCache(64)),
        ),
        Chip("gfx1250", GFX1250),
        Chip("sm_80", AMPERE, "a100"),
        Chip("sm_89", ADA, "rtx4090 rtx4080 rtx4070 rtx4060"),
        _without_target("gfx803", GCN4, "rx470 rx480 rx570 rx580 rx590 mi6 mi8"),
        _without_target("gfx900", GCN5, "vega56 vega64 mi25"),
        _without_target("gfx906", GCN5, "vii radeonvii mi50 mi60"),
        _without_target("gfx90c", GCN5),
        _without_target("gfx1010", RDNA1, "rx5600xt rx5700 rx5700xt w5700"),
        _without_target("gfx1011", RDNA1, "v520"),
        _without_target("gfx1012", RDNA1, "rx5300 rx5500 rx5500xt w5500"),
        _without_target("gfx1030", RDNA2, "rx6800 rx6800xt rx6900xt rx6950xt w6800 v620"),
        _without_target("gfx1031", RDNA2, "rx6700 rx6700xt rx6750xt"),
        _without_target("gfx1032", RDNA2, "rx6600 rx6600xt rx6650xt w6600"),
        _without_target("gfx1033", RDNA2, "steamdeck vangogh"),
        _without_target("gfx1034", RDNA2, "rx6400 rx6500xt w6400"),
        _without_target("gfx1035", RDNA2, "rembrandt 660m 680m"),
        _without_target("gfx1102", RDNA3, "rx7600 rx7600xt rx7600s rx7650gre rx7700s w7500 w7600"),
        _without_target("gfx1152", RDNA3_5, "krackan 840m 860m"),
        _without_target("gfx1153", RDNA3_5),
    )
}


def dies_of(name: str) -> int:
    """The dies of a chip that workgroups go to in turn: 1 where no more are known."""
    chip = CHIPS.get(name)
    return chip.peak.dies if chip and chip.peak else 1


def infinity_cache_of(name: str) -> int:
    """The mebibytes of a chip's Infinity Cache: 0 where none is known."""
    chip = CHIPS.get(name)
    cache = chip.peak.infinity_cache if chip and chip.peak else None
    return cache.mebibytes if cache else 0


def family_of(name: str) -> ChipFamily | None:
    """The family of a chip, or that whose generic code is called so: `gfx1100`, `gfx11-generic`."""
    if chip := CHIPS.get(name):
        return chip.family
    families = (chip.family for chip in CHIPS.values())
    return next((family for family in families if family.generic == name), None)
