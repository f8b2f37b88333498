"""The one table of targets: what the pinned compiler accepts and what each target can do."""

import difflib
import hashlib
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from irattn.core.errors import TargetError, quoted, shown
from irattn.targets.cards import WITHOUT_TARGET, plain_name


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
    """What the waves of one SIMD share, and what its compute unit has, for counting waves.

    `vgprs` are those of one lane, given out in steps of `vgpr_granule`; `lds_bytes` is shared by
    the waves of `simds` SIMDs (RDNA: of a work-group processor). From LLVM's `AMDGPUBaseInfo`
    (`getTotalNumVGPRs`, `getVGPRAllocGranule`, `getMaxWavesPerEU`) and AMD's ISA manuals.
    """

    vgprs: int
    vgpr_granule: int
    most_waves: int
    lds_bytes: int
    simds: int = 4


@dataclass(frozen=True)
class Chip:
    """The product that cycles are estimated for, from AMD's published peak figures.

    `matrix_flops` are those of one compute unit in a cycle, by storage type; f32 is the rate of
    matrix instructions where there are any, else of packed or dual vector instructions.
    """

    product: str
    compute_units: int
    ghz: float
    gigabytes_per_second: float
    matrix_flops: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True)
class Target:
    """One machine that a graph is compiled for.

    `matrix` gives, for each storage type that the target multiplies with f32 accumulation, the
    matrix instruction that attention uses. `lds_bytes` is the on-chip memory of one workgroup.
    `cpu_features` are the flags, as Linux names them, that a processor must have. `simd` and
    `chip` are None where the figures are not known to us.
    """

    name: str
    driver: str
    aliases: tuple[str, ...] = ()
    wave_size: int | None = None
    lds_bytes: int | None = None
    matrix: Mapping[str, MatrixInstruction] = field(default_factory=dict, hash=False)
    cpu_features: tuple[str, ...] = ()
    simd: Simd | None = None
    chip: Chip | None = None

    @property
    def is_gpu(self) -> bool:
        """Whether the target is a GPU."""
        return self.driver != "local"

    @property
    def formulation(self) -> str:
        """The formulation of a graph that this target runs best."""
        return "fused" if self.is_gpu else "blocked"

    @property
    def flags(self) -> tuple[str, ...]:
        """The compiler flags that select this target."""
        if self.driver == "hip":
            return ("--iree-hal-target-device=hip", f"--iree-rocm-target={self.name}", *_GPU_FLAGS)
        if self.driver == "cuda":
            return ("--iree-hal-target-device=cuda", f"--iree-cuda-target={self.name}", *_GPU_FLAGS)
        return (
            *_CPU_FLAGS,
            *_CPU_NAMES.get(self.name, (f"--iree-llvmcpu-target-cpu={self.name}",)),
        )

    @property
    def asks_for_memory(self) -> bool:
        """Whether a function in a queue is given memory for what it makes, and allocates none.

        To allocate, IREE 3.13.0's driver `cuda` waits, on the host, for what was launched before.
        """
        return self.driver == "cuda"

    def runs_on(self, arch: str) -> bool:
        """Whether a GPU of this architecture runs the target's code: `gfx90a:xnack-`, `sm_90`.

        AMD machine code names one gfx, and the loader refuses it on every other, of the same family
        too (generic targets such as gfx11-generic are not compiled for). Suffixes are settings that
        code for the bare name leaves open. Code for NVIDIA is PTX, which later GPUs translate.
        """
        if self.driver == "cuda":
            return int(arch.removeprefix("sm_")) >= int(self.name.removeprefix("sm_"))
        return arch.partition(":")[0] == self.name

    @property
    def missing_cpu_features(self) -> list[str]:
        """What this machine's processor lacks; none where the system does not tell.

        More is no harm: code for x86-64-v3 runs on an x86-64-v4 processor.
        """
        present = host_cpu_flags()
        return sorted(set(self.cpu_features) - present) if present else []

    @property
    def identity(self) -> str | None:
        """What the flags leave open: for `cpu`, a digest of this machine's processor."""
        return host_cpu_digest() if self.name == "cpu" else None


# At O2 the mask is made inside the attention kernel; below it is a tensor in memory.
_GPU_FLAGS = ("--iree-opt-level=O2",)
_CPU_FLAGS = (
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-opt-level=O3",
    # What a step keeps fits the 128 KiB of a worker.
    "--iree-llvmcpu-stack-allocation-limit=131072",
)

# Targets that are not named as the compiler names them.
_CPU_NAMES = {
    "cpu": ("--iree-llvmcpu-target-cpu=host",),
    "aarch64": (
        "--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu",
        "--iree-llvmcpu-target-cpu=generic",
    ),
}

_KB = 1024
_SMALL = ("gfx1103", "gfx1150")
_V3_FEATURES = ("avx2", "bmi2", "f16c", "fma", "movbe")
_V4_FEATURES = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")


def _chip(
    product: str, compute_units: int, ghz: float, bandwidth: float, half: int, single: int
) -> Chip:
    rates = {"f16": half, "bf16": half, "f32": single}
    return Chip(product, compute_units, ghz, bandwidth, rates)


_CHIPS = {
    "gfx908": _chip("MI100", 120, 1.502, 1229, 1024, 256),
    "gfx90a": _chip("MI250X, one of two dies", 110, 1.7, 1638, 1024, 256),
    "gfx942": _chip("MI300X", 304, 2.1, 5300, 2048, 256),
    "gfx950": _chip("MI355X", 256, 2.4, 8000, 4096, 256),
    "gfx1100": _chip("RX 7900 XTX", 96, 2.5, 960, 512, 256),
    "gfx1101": _chip("RX 7800 XT", 60, 2.43, 624, 512, 256),
    "gfx1103": _chip("Radeon 780M", 12, 2.7, 90, 512, 256),
    "gfx1150": _chip("Radeon 890M", 16, 2.9, 120, 512, 256),
    "gfx1151": _chip("Radeon 8060S", 40, 2.9, 256, 512, 256),
    "gfx1200": _chip("RX 9060 XT", 32, 3.13, 322, 1024, 256),
    "gfx1201": _chip("RX 9070 XT", 64, 2.97, 645, 1024, 256),
}


def _instructions(**sizes_and_names: str) -> dict[str, MatrixInstruction]:
    """Instruction per storage type from IREE's names, which hold m, n and k."""
    instructions = {}
    for storage, name in sizes_and_names.items():
        m, n, k = (int(size) for size in name.split("_")[-2].split("x"))
        instructions[storage] = MatrixInstruction(name, m, n, k)
    return instructions


def _cdna(name: str, lds_kb: int, bf16_k: int, *aliases: str) -> Target:
    matrix = _instructions(
        f16="MFMA_F32_16x16x16_F16",
        bf16=f"MFMA_F32_16x16x{bf16_k}_BF16",
        f32="MFMA_F32_16x16x4_F32",
    )
    # gfx908 keeps accumulation registers apart; since gfx90a both kinds share 512.
    simd = Simd(256, 4, 10, 64 * _KB) if name == "gfx908" else Simd(512, 8, 8, lds_kb * _KB)
    chip = _CHIPS.get(name)
    return Target(name, "hip", aliases, 64, lds_kb * _KB, matrix, simd=simd, chip=chip)


def _rdna(name: str, generation: int, *aliases: str) -> Target:
    wmma = f"WMMAR{generation}_F32_16x16x16"
    matrix = _instructions(f16=f"{wmma}_F16", bf16=f"{wmma}_BF16")
    # The large chips, Strix Halo and RDNA 4 have half as many registers again.
    simd = Simd(1024, 16, 16, 128 * _KB) if name in _SMALL else Simd(1536, 24, 16, 128 * _KB)
    chip = _CHIPS.get(name)
    return Target(name, "hip", aliases, 32, 64 * _KB, matrix, simd=simd, chip=chip)


def _gfx1250() -> Target:
    matrix = _instructions(
        f16="WMMA_F32_16x16x32_F16", bf16="WMMA_F32_16x16x32_BF16", f32="WMMA_F32_16x16x4_F32"
    )
    return Target("gfx1250", "hip", (), 32, 320 * _KB, matrix)


def _nvidia(name: str, lds_kb: int, *aliases: str) -> Target:
    mma = "NV_MMA_SYNC_F32_16x8x16"
    matrix = _instructions(f16=f"{mma}_F16", bf16=f"{mma}_BF16")
    return Target(name, "cuda", aliases, 32, lds_kb * _KB, matrix)


_TARGETS = {
    target.name: target
    for target in (
        _cdna("gfx908", 64, 8, "mi100"),
        _cdna("gfx90a", 64, 8, "mi210", "mi250", "mi250x"),
        _cdna("gfx942", 64, 16, "mi300a", "mi300x", "mi308x", "mi325x"),
        _cdna("gfx950", 160, 16, "mi350x", "mi355x"),
        _rdna("gfx1100", 3, "rx7900xtx", "rx7900xt", "rx7900gre", "w7900", "w7800"),
        _rdna("gfx1101", 3, "rx7800xt", "rx7700xt", "w7700", "v710"),
        _rdna("gfx1103", 3, "phoenix", "780m"),
        _rdna("gfx1150", 3, "strix-point", "890m"),
        _rdna("gfx1151", 3, "strix-halo", "8060s"),
        _rdna("gfx1200", 4, "rx9060xt", "rx9060"),
        _rdna("gfx1201", 4, "rx9070xt", "rx9070", "r9700"),
        _gfx1250(),
        _nvidia("sm_80", 163, "a100"),
        _nvidia("sm_89", 99, "rtx4090", "rtx4080", "rtx4070", "rtx4060"),
        Target("cpu", "local"),
        Target("aarch64", "local", cpu_features=("asimd",)),
        Target("x86-64-v3", "local", cpu_features=_V3_FEATURES),
        Target("x86-64-v4", "local", cpu_features=_V3_FEATURES + _V4_FEATURES),
    )
}

_BY_NAME = {
    plain_name(name): target
    for target in _TARGETS.values()
    for name in (target.name, *target.aliases)
}

_NO_TARGET = (
    "the pinned IREE compiler has no target for it, and code for another gfx does not run on it"
)
_FAMILY = "a family of chips, and machine code is made for one gfx"
_FAMILIES = re.compile(r"[rc]dna[0-9.]+|gfx[0-9-]+-generic")


def all_targets() -> list[Target]:
    """Every target, in table order."""
    return list(_TARGETS.values())


def is_target(name: str) -> bool:
    """Whether a target is known by this very name."""
    return name in _TARGETS


def get(name: str) -> Target:
    """The target of its name or of a product's: `gfx1100`, `rx7900xtx`, `Radeon RX 7900 XTX`.

    TargetError says why there is none, or, for a name that is not known, the nearest ones.
    """
    if not isinstance(name, str):
        raise TargetError(f"target: expected a name, as gfx1100, got {shown(name)}")
    is_name = re.search(r"[:/\\]", name) is None
    target = _BY_NAME.get(plain_name(name)) if is_name else None
    if target is None:
        raise TargetError(f"{_refusal(name)}; `irattn targets` lists all")
    return target


def _refusal(name: str) -> str:
    base = name.lower().partition(":")[0]
    if base in _TARGETS:
        return f"{name}: feature suffixes are not accepted; use {base}"
    plain = plain_name(base)
    if gfx := WITHOUT_TARGET.get(plain):
        return f"{name} ({gfx}): {_NO_TARGET}"
    if re.fullmatch(r"gfx[0-9a-f]{3,4}", plain):
        return f"{name}: {_NO_TARGET}"
    if _FAMILIES.fullmatch(base):
        return f"{name}: {_FAMILY}"
    if plain == "sm90":
        return f"{name}: the pinned IREE compiler refuses it; code for sm_89 runs there"
    known = [known for target in _TARGETS.values() for known in (target.name, *target.aliases)]
    near = difflib.get_close_matches(base, known, n=3, cutoff=0.5)
    hint = f"; nearest accepted: {', '.join(near)}" if near else ""
    return f"{quoted(name)}: not a target of irattn{hint}"


@cache
def host_cpu_flags() -> frozenset[str]:
    """The feature flags of this machine's processor; empty where the system does not tell."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return frozenset()
    for line in info.read_text(encoding="utf-8").splitlines():
        if line.startswith(("flags", "Features")):
            return frozenset(line.partition(":")[2].split())
    return frozenset()


@cache
def host_cpu_digest() -> str:
    """Tells processors apart by what code may use on them, without naming the machine."""
    facts = [platform.system(), platform.machine(), *sorted(host_cpu_flags())]
    return hashlib.sha256(" ".join(facts).encode()).hexdigest()[:12]
