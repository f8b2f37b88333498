"""Look targets up: what the pinned compiler accepts, and what each target can do."""

import difflib
import hashlib
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from irattn.core.errors import TargetError, quoted, shown
from irattn.targets.architectures import runs
from irattn.targets.cards import plain_name
from irattn.targets.chips import CHIPS, Chip
from irattn.targets.families import ChipFamily, MatrixInstruction, Simd
from irattn.targets.tile_registers import may_use_tile_registers

__all__ = [
    "MatrixInstruction",
    "Simd",
    "Target",
    "all_targets",
    "get",
    "host_cpu_digest",
    "host_cpu_flags",
    "is_target",
]


@dataclass(frozen=True)
class Target:
    """One machine that a graph is compiled for.

    `chip` is the record of a GPU, None for a CPU. `cpu_features` are the flags, as Linux names
    them, that a processor must have.
    """

    name: str
    driver: str
    aliases: tuple[str, ...] = ()
    cpu_features: tuple[str, ...] = ()
    chip: Chip | None = None

    @property
    def family(self) -> ChipFamily | None:
        """The family of a GPU's chip."""
        return self.chip.family if self.chip else None

    @property
    def wave_size(self) -> int | None:
        """The lanes of a GPU's wave."""
        return self.family.wave_size if self.family else None

    @property
    def lds_bytes(self) -> int | None:
        """The on-chip memory of one workgroup of a GPU."""
        return self.family.lds_bytes if self.family else None

    @property
    def matrix(self) -> Mapping[str, MatrixInstruction]:
        """By storage type, the matrix instruction with f32 accumulation that attention uses."""
        return self.family.matrix if self.family else {}

    @property
    def lane_matrix(self) -> Mapping[str, MatrixInstruction]:
        """By storage type, the one that attention uses where it is written out lane by lane."""
        return {**self.matrix, **self.family.deep_matrix} if self.family else {}

    @property
    def simd(self) -> Simd | None:
        """A SIMD of a GPU; None where the figures are not known to us."""
        return self.chip.simd if self.chip else None

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

    @property
    def multiplies_shares(self) -> bool:
        """Whether kernels divide whole numbers by constants as products.

        Of pairs of numbers of 16 bits, as which it then takes small ones, IREE 3.13.0's compiler
        makes products that it has no instruction of NVIDIA's for, and crashes.
        """
        return self.driver == "cuda"

    def runs_on(self, arch: str) -> bool:
        """Whether a GPU of this architecture runs the target's code: `gfx90a:xnack-`, `sm_90`."""
        return runs(self.name, arch)

    @property
    def missing_cpu_features(self) -> list[str]:
        """The features that this machine's processor lacks; none where the system does not tell.

        More is no harm: code for x86-64-v3 runs on an x86-64-v4 processor.
        """
        present = host_cpu_flags()
        return sorted(set(self.cpu_features) - present) if present else []

    @property
    def identity(self) -> str | None:
        """A digest of what the flags leave open: for `cpu`, this machine's processor."""
        return host_cpu_digest() if self.name == "cpu" else None


# A module holds the file and lines of its text otherwise, and moves with every comment.
_NO_LOCATIONS = "--iree-preprocessing-pass-pipeline=builtin.module(strip-debuginfo)"

# At O2 the mask is made inside the attention kernel; below it is a tensor in memory.
_GPU_FLAGS = ("--iree-opt-level=O2", _NO_LOCATIONS)
_CPU_FLAGS = (
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-opt-level=O3",
    # What a step keeps fits the 128 KiB of a worker.
    "--iree-llvmcpu-stack-allocation-limit=131072",
    "--iree-llvmcpu-debug-symbols=false",
    _NO_LOCATIONS,
)

# Targets that are not named as the compiler names them.
_CPU_NAMES = {
    "cpu": ("--iree-llvmcpu-target-cpu=host",),
    "aarch64": (
        "--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu",
        "--iree-llvmcpu-target-cpu=generic",
    ),
}

_V3_FEATURES = ("avx2", "bmi2", "f16c", "fma", "movbe")
_V4_FEATURES = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")

_CPUS = {
    target.name: target
    for target in (
        Target("cpu", "local"),
        Target("aarch64", "local", cpu_features=("asimd",)),
        Target("x86-64-v3", "local", cpu_features=_V3_FEATURES),
        Target("x86-64-v4", "local", cpu_features=_V3_FEATURES + _V4_FEATURES),
    )
}

_NO_TARGET = (
    "the pinned IREE compiler has no target for it, and code for another gfx does not run on it"
)
_FAMILY = "a family of chips, and machine code is made for one gfx"
_FAMILIES = re.compile(r"[rc]dna[0-9.]+|gfx[0-9-]+-generic")


def all_targets() -> list[Target]:
    """Every target: GPUs in the order of their records, then CPUs."""
    return [*(_of_chip(chip) for chip in CHIPS.values() if chip.has_target), *_CPUS.values()]


def is_target(name: str) -> bool:
    """Whether a target is known by this very name."""
    return _named(name) is not None


def get(name: str) -> Target:
    """The target of its name or of a product's: `gfx1100`, `rx7900xtx`, `Radeon RX 7900 XTX`.

    TargetError says why there is none, or, for a name that is not known, the nearest ones.
    """
    if not isinstance(name, str):
        raise TargetError(f"target: expected a name, as gfx1100, got {shown(name)}")
    target = _named(name) or _written_as(name)
    if target is None:
        raise TargetError(f"{_refusal(name)}; `irattn targets` lists all")
    return target


def _of_chip(chip: Chip) -> Target:
    return Target(chip.name, chip.family.driver, tuple(chip.products.split()), chip=chip)


def _named(name: str) -> Target | None:
    """The target of this very name."""
    chip = CHIPS.get(name)
    return _of_chip(chip) if chip and chip.has_target else _CPUS.get(name)


def _written_as(name: str) -> Target | None:
    """The target that people may write so; a path and a name with a suffix are none."""
    if re.search(r"[:/\\]", name):
        return None
    plain = plain_name(name)
    return next(
        (one for one in all_targets() if plain in map(plain_name, (one.name, *one.aliases))), None
    )


def _refusal(name: str) -> str:
    base = name.lower().partition(":")[0]
    if is_target(base):
        return f"{name}: feature suffixes are not accepted; use {base}"
    plain = plain_name(base)
    for chip in CHIPS.values():
        if plain in map(plain_name, chip.products.split()):
            return f"{name} ({chip.name}): {_NO_TARGET}"
    known = [one for target in all_targets() for one in (target.name, *target.aliases)]
    begun = [one for one in known if len(base) > len("gfx") and one.startswith(base)]
    if re.fullmatch(r"gfx[0-9a-f]{3,4}", plain) and not begun:
        return f"{name}: {_NO_TARGET}"
    if _FAMILIES.fullmatch(base):
        return f"{name}: {_FAMILY}"
    if plain == "sm90":
        return f"{name}: the pinned IREE compiler refuses it; code for sm_89 runs there"
    near = begun or difflib.get_close_matches(base, known, n=3, cutoff=0.5)
    hint = f"; nearest accepted: {', '.join(near)}" if near else ""
    return f"{quoted(name)}: not a target of irattn{hint}"


@cache
def host_cpu_flags() -> frozenset[str]:
    """The feature flags of this machine's processor; empty where the system does not tell.

    Without those of AMX where this process may not use its registers.
    """
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return frozenset()
    for line in info.read_text(encoding="utf-8").splitlines():
        if line.startswith(("flags", "Features")):
            flags = frozenset(line.partition(":")[2].split())
            amx = {flag for flag in flags if flag.startswith("amx_")}
            return flags - amx if amx and not may_use_tile_registers() else flags
    return frozenset()


@cache
def host_cpu_digest() -> str:
    """Tells processors apart by what code may use on them, without naming the machine."""
    facts = [platform.system(), platform.machine(), *sorted(host_cpu_flags())]
    return hashlib.sha256(" ".join(facts).encode()).hexdigest()[:12]
