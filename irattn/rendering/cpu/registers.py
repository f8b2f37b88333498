"""The vector registers of a core, and whether it multiplies pairs of bf16."""

import platform
from dataclasses import dataclass

from irattn.targets import Target, host_cpu_flags


@dataclass(frozen=True, kw_only=True)
class Registers:
    """The vector registers of a core, with so many f32 lanes each.

    `sums` of them hold the sums of a product; the others hold what is multiplied. A block of sums
    has `block_rows` rows, each with two registers of columns. Half of all registers have sums.
    """

    lanes: int
    sums: int
    block_rows: int


# Measured on one Zen 4 core with AVX-512 (peak 114 GFLOP/s in f32, 228 with pairs of bf16): blocks
# of 8 x 32 multiply at 111 GFLOP/s, four fifths of causal attention's time. Few rows with sums of
# 4 x 64, half of a value's columns at a time, read 12.7 GB/s of keys and values; 2 x 128 read 10.
# NEON has the same shares of its registers, not measured.
_REGISTERS = {
    "AVX-512": Registers(lanes=16, sums=16, block_rows=8),
    "AVX2": Registers(lanes=8, sums=8, block_rows=4),
    "NEON": Registers(lanes=4, sums=16, block_rows=8),
}

# AMX has eight registers for squares: a product needs one of its rows and one of its columns beside
# its sums.
SQUARE_SUMS = 4


def registers_of(target: Target) -> Registers:
    """The registers that a target's code uses; for `cpu`, those of this machine."""
    features = _features(target)
    if "asimd" in features:
        return _REGISTERS["NEON"]
    return _REGISTERS["AVX-512" if "avx512f" in features else "AVX2"]


def has_bf16_dots(target: Target) -> bool:
    """Whether it multiplies pairs of bf16, and adds them up in f32."""
    return "avx512_bf16" in _features(target)


def has_squares(target: Target) -> bool:
    """Whether it multiplies squares of pairs of bf16, 16 by 16, and adds them up in f32 (AMX)."""
    return {"amx_tile", "amx_bf16", "avx512_bf16"} <= _features(target)


def has_byte_tables(target: Target) -> bool:
    """Whether an instruction takes 64 bytes from a table of 128 in two registers."""
    return {"avx512f", "avx512vbmi"} <= _features(target)


def byte_dots(target: Target) -> str:
    """How it multiplies bytes and adds them up as whole numbers, by the name of its instructions.

    `vnni` adds four products to a sum, `avx2` two products and then two of these; `widened` has
    products in 16 bits.
    """
    features = _features(target)
    if {"avx512_vnni", "avx512vl"} <= features or "avx_vnni" in features:
        return "vnni"
    return "avx2" if "avx2" in features else "widened"


def has_wide_byte_dots(target: Target) -> bool:
    """Whether it adds four products of bytes to a sum in registers of 512 bits."""
    return {"avx512_vnni", "avx512bw"} <= _features(target)


def _features(target: Target) -> frozenset[str]:
    """The features that a target's code uses, as Linux names them; not every system tells."""
    if target.name != "cpu":
        return frozenset(target.cpu_features)
    is_arm = platform.machine().lower() in ("aarch64", "arm64")
    return host_cpu_flags() | ({"asimd"} if is_arm else set())
