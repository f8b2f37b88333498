"""Three waves that execute single instructions, and numbers to give to them."""

import math
import struct
from typing import Any

import numpy as np
from tinygrad.runtime.autogen.amd.cdna import ins as cdna_ins
from tinygrad.runtime.autogen.amd.rdna3 import ins as rdna3_ins
from tinygrad.runtime.autogen.amd.rdna4 import ins as rdna4_ins

from irattn.lab.emulator.decode.blocks import decode
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.machine.denormals import usual_denormals
from irattn.lab.emulator.machine.lds import Lds
from irattn.lab.emulator.machine.memory import Memory
from irattn.lab.emulator.machine.schedule import Runner
from irattn.lab.emulator.machine.scratch import Scratch
from irattn.lab.emulator.machine.surroundings import Surroundings
from irattn.lab.emulator.machine.waves import EXEC, Waves

# What puts instruction words together.
TABLES = {
    "gfx1100": rdna3_ins,
    "gfx1201": rdna4_ins,
    "gfx90a": cdna_ins,
    "gfx942": cdna_ins,
    "gfx950": cdna_ins,
}
WAVES, LANES = 3, 32
MASK = 0xFFFFFFFF
# Where accumulation registers begin.
ACCUMULATORS = 48


class Machine:
    """Three waves of one workgroup, with registers to set and to look at."""

    def __init__(
        self,
        gfx: str = "gfx1100",
        *,
        checks: bool = False,
        lds: int = 512,
        scratch: int = 64,
        ieee: bool = False,
        keeps_nan: bool = False,
    ) -> None:
        self.gfx, self.ieee, self.keeps_nan = gfx, ieee, keeps_nan
        self.lanes = family(gfx).wave_size
        self.memory = Memory(checks=checks)
        around = Surroundings(
            memory=self.memory,
            lds=Lds(lds, 1, 1, checks=checks),
            scratch=Scratch(scratch, WAVES, 1, self.lanes, checks=checks),
            code_address=0,
            checks=checks,
        )
        slot = np.arange(WAVES)
        self.waves = Waves.fresh(96, self.lanes, slot, np.zeros(WAVES, int), around)
        self.waves.denormals = 3
        self.waves.s[EXEC] = self.waves.s[EXEC + 1] = MASK
        self.checks = checks

    def set(self, register: int, values: Any) -> None:
        """Write a vector register as 32 bits."""
        bits = np.asarray(values)
        if bits.dtype != np.uint32:
            bits = bits.view(np.uint32)
        self.waves.v[register] = bits
        self.waves.written.vector.add(register)

    def set_scalar(self, register: int, value: int) -> None:
        """Write a scalar register of all waves."""
        self.waves.s[register] = value
        self.waves.written.scalar.add(register)
        if register == EXEC:
            self.waves.set_exec()

    def run(self, *given: Any, schedule: str = "lockstep") -> "Machine":
        """Execute instructions, then the end of the kernel."""
        code = b"".join(i.to_bytes() for i in (*given, TABLES[self.gfx].s_endpgm()))
        decoded = decode(
            code, self.gfx, self.checks, 0, ACCUMULATORS, self.ieee, keeps_nan=self.keeps_nan
        )
        runner = Runner(decoded, "kernel test", np.zeros(1, int), WAVES)
        self.waves.pc = 0
        self.memory.settle()
        with usual_denormals(), np.errstate(all="ignore"):
            runner.run(self.waves, schedule, np.random.default_rng(0))
        return self


def f32(bits: int) -> float:
    """The number that 32 bits stand for."""
    return float(struct.unpack("<f", struct.pack("<I", bits & MASK))[0])


def f16(bits: int) -> float:
    """The number that 16 bits stand for."""
    return float(struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0])


def bits32(number: float) -> int:
    """A number rounded to f32."""
    if math.isnan(number):
        return 0x7FC00000
    try:
        return int(struct.unpack("<I", struct.pack("<f", number))[0])
    except OverflowError:
        return 0x7F800000 | (0x80000000 if number < 0 else 0)


def bits16(number: float) -> int:
    """A number rounded to f16."""
    if math.isnan(number):
        return 0x7E00
    try:
        return int(struct.unpack("<H", struct.pack("<e", number))[0])
    except OverflowError:
        return 0x7C00 | (0x8000 if number < 0 else 0)


def signed(bits: int, width: int = 32) -> int:
    """Bits as a two's complement number."""
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


SPECIAL = [
    0,
    1,
    2,
    31,
    32,
    33,
    0x7FFFFFFF,
    0x80000000,
    MASK,
    0xFFFF,
    0x10000,
    0x00FFFFFF,
    0x01234567,
]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.0**-126,
    -(2.0**-149),
    3.4e38,
    -3.4e38,
    np.inf,
    -np.inf,
    0.1,
    1e-20,
]


def integers(seed: int, lanes: int = LANES) -> np.ndarray:
    """Bits at random, and special ones."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 1 << 32, (WAVES, lanes), dtype=np.uint64).astype(np.uint32)
    values.flat[: len(SPECIAL)] = rng.permutation(SPECIAL)
    return values


def numbers(seed: int, lanes: int = LANES) -> np.ndarray:
    """Bits of f32 at random, and special ones."""
    rng = np.random.default_rng(seed)
    values = (rng.standard_normal((WAVES, lanes)) * 10.0 ** rng.integers(-6, 7)).astype(np.float32)
    values.flat[: len(FLOATS)] = rng.permutation(FLOATS)
    return values.view(np.uint32)
