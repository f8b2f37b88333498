"""Say what the chips of a family share: waves, matrix instructions, memory close to them, tables.

The figures are from LLVM's `AMDGPUBaseInfo` (`getTotalNumVGPRs`, `getVGPRAllocGranule`,
`getMaxWavesPerEU`) and AMD's guides of the instruction sets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_KB = 1024


@dataclass(frozen=True)
class MatrixInstruction:
    """One matrix instruction: IREE's name and the sizes in C[m, n] += A[m, k] B[k, n]."""

    name: str
    m: int
    n: int
    k: int

    @property
    def family(self) -> str:
        """The family of the instruction: WMMAR3, WMMAR4, WMMA, MFMA or NV."""
        return self.name.partition("_")[0]

    @property
    def repeats_operands(self) -> bool:
        """Whether each half of a subgroup keeps the operands: RDNA 3, short of registers."""
        return self.name.startswith("WMMAR3")


@dataclass(frozen=True)
class Simd:
    """One SIMD: what its waves share, and what its compute unit has, for counting waves.

    `vgprs` are those of one lane, given out in steps of `vgpr_granule`; `lds_bytes` is shared by
    the waves of `simds` SIMDs (RDNA: of a work-group processor). A compute unit has `of_unit` of
    them, which take `vector_cycles` for a vector instruction. `multiplies_matrices`: the lanes of a
    SIMD do so too; where they do not, the compute unit has units of their own for matrices.
    """

    vgprs: int
    vgpr_granule: int
    most_waves: int
    lds_bytes: int
    of_unit: int
    vector_cycles: int
    multiplies_matrices: bool
    simds: int = 4


@dataclass(frozen=True)
class LdsBanks:
    """The banks of LDS, each of which gives a wave one word of four bytes in a cycle.

    `load_quads` say by which groups of four lanes loads of four words go, one row a phase; empty
    where lanes go in order. Measured on MI300X, MI350X, W7900 and RX 9070 XT (`docs/empirical-lds`
    of nod-ai/amd-shark-ai); other families count as their nearest kin.
    """

    banks: int = 32
    load_quads: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class ChipFamily:
    """Chips of one design: all that they share.

    `driver` is IREE's. `lds_bytes` is the most on-chip memory of one workgroup. `matrix` gives, for
    each storage type that is multiplied with f32 accumulation, the matrix instruction that
    attention uses; `deep_matrix` one of twice the depth that takes no longer, for what is written
    out lane by lane. `isa` is the instruction set whose tables decode the code, None where there
    are no tables, and `generic` LLVM's name of code that runs on every chip of the family. A
    compute unit's cache gives `cache_bytes` in a cycle that lie in one line of as many. `simd` is
    None where the figures are not known to us.
    """

    name: str
    driver: str = "hip"
    wave_size: int = 32
    lds_bytes: int = 64 * _KB
    matrix: Mapping[str, MatrixInstruction] = field(default_factory=dict, hash=False)
    deep_matrix: Mapping[str, MatrixInstruction] = field(default_factory=dict, hash=False)
    simd: Simd | None = None
    isa: str | None = None
    generic: str | None = None
    cache_bytes: int = 128
    lds_banks: LdsBanks = LdsBanks()


def _instructions(**sizes_and_names: str) -> dict[str, MatrixInstruction]:
    """Instruction per storage type from IREE's names, which hold m, n and k."""
    instructions = {}
    for storage, name in sizes_and_names.items():
        m, n, k = (int(size) for size in name.split("_")[-2].split("x"))
        instructions[storage] = MatrixInstruction(name, m, n, k)
    return instructions


def _mfma(bf16_depth: int) -> dict[str, MatrixInstruction]:
    return _instructions(
        f16="MFMA_F32_16x16x16_F16",
        bf16=f"MFMA_F32_16x16x{bf16_depth}_BF16",
        f32="MFMA_F32_16x16x4_F32",
    )


def _of_halves(name: str) -> dict[str, MatrixInstruction]:
    return _instructions(f16=f"{name}_F16", bf16=f"{name}_BF16")


# Older than matrix instructions: compiled for by others only.
GCN4 = ChipFamily(name="gcn4", wave_size=64)
GCN5 = ChipFamily(name="gcn5", wave_size=64, isa="cdna2", generic="gfx9-generic", cache_bytes=64)
RDNA1 = ChipFamily(name="rdna1", generic="gfx10-1-generic")
RDNA2 = ChipFamily(name="rdna2", generic="gfx10-3-generic")

_CDNA_BANKS = LdsBanks(
    load_quads=((0, 5), (8, 13), (1, 4), (9, 12), (2, 7), (10, 15), (3, 6), (11, 14))
)
_CDNA_SIMD = Simd(512, 8, 8, 64 * _KB, of_unit=4, vector_cycles=4, multiplies_matrices=False)
CDNA1 = ChipFamily(
    name="cdna1",
    wave_size=64,
    matrix=_mfma(bf16_depth=8),
    # Accumulation registers lie apart; since CDNA 2 both kinds share 512.
    simd=replace(_CDNA_SIMD, vgprs=256, vgpr_granule=4, most_waves=10),
    isa="cdna2",
    cache_bytes=64,
    lds_banks=_CDNA_BANKS,
)
CDNA2 = replace(CDNA1, name="cdna2", simd=_CDNA_SIMD)
CDNA3 = replace(
    CDNA2,
    name="cdna3",
    matrix=_mfma(bf16_depth=16),
    isa="cdna3",
    generic="gfx9-4-generic",
    cache_bytes=128,
)
CDNA4 = replace(
    CDNA3,
    name="cdna4",
    lds_bytes=160 * _KB,
    # As long as those of half the depth: irattn/lab/emulator/isa/matrix_cycles.py.
    deep_matrix=_of_halves("MFMA_F32_16x16x32"),
    simd=replace(_CDNA_SIMD, lds_bytes=160 * _KB),
    generic=None,
    lds_banks=LdsBanks(
        banks=64, load_quads=((0, 3, 5, 6), (8, 11, 13, 14), (1, 2, 4, 7), (9, 10, 12, 15))
    ),
)

_RDNA_SIMD = Simd(1536, 24, 16, 128 * _KB, of_unit=2, vector_cycles=1, multiplies_matrices=True)
# Of the small chips of RDNA 3 and 3.5.
FEW_REGISTERS = replace(_RDNA_SIMD, vgprs=1024, vgpr_granule=16)
RDNA3 = ChipFamily(
    name="rdna3",
    matrix=_of_halves("WMMAR3_F32_16x16x16"),
    simd=_RDNA_SIMD,
    isa="rdna3",
    generic="gfx11-generic",
    lds_banks=LdsBanks(load_quads=((0, 5), (1, 4), (2, 7), (3, 6))),
)
RDNA3_5 = replace(RDNA3, name="rdna3.5", generic=None)
RDNA4 = ChipFamily(
    name="rdna4",
    matrix=_of_halves("WMMAR4_F32_16x16x16"),
    simd=_RDNA_SIMD,
    isa="rdna4",
    generic="gfx12-generic",
)
GFX1250 = ChipFamily(
    name="gfx1250",
    lds_bytes=320 * _KB,
    matrix=_instructions(
        f16="WMMA_F32_16x16x32_F16", bf16="WMMA_F32_16x16x32_BF16", f32="WMMA_F32_16x16x4_F32"
    ),
)

AMPERE = ChipFamily(
    name="ampere",
    driver="cuda",
    lds_bytes=163 * _KB,
    matrix=_of_halves("NV_MMA_SYNC_F32_16x8x16"),
)
ADA = replace(AMPERE, name="ada", lds_bytes=99 * _KB)
