"""Runs the workgroups of a launch in chunks that fit the caches."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irattn.binary.codeobject import KernelCode
from irattn.lab.emulator.machine.code import Code
from irattn.lab.emulator.machine.lds import Lds
from irattn.lab.emulator.machine.memory import Memory
from irattn.lab.emulator.machine.schedule import Runner, Tally
from irattn.lab.emulator.machine.scratch import Scratch
from irattn.lab.emulator.machine.start import Start
from irattn.lab.emulator.machine.surroundings import Meter, Surroundings
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.machine.writers import Writers

# Waves that are executed together: enough to make NumPy's calls worth it, few enough for caches.
_WAVES_AT_ONCE = 256
_CHUNK_BYTES = 64 << 20


@dataclass(frozen=True)
class Workgroups:
    """The workgroups of a launch, with the code that they execute and how they start.

    `choose` picks those that run, by number, out of so many; None runs all.
    """

    kernel: KernelCode
    code: Code
    code_address: int
    start: Start
    memory: Memory
    lds_bytes: int
    meter: Meter | None
    choose: Callable[[int], np.ndarray] | None = None

    @cached_property
    def numbers(self) -> np.ndarray:
        """Numbers of the workgroups that run."""
        count = math.prod(self.start.grid)
        return np.arange(count) if self.choose is None else self.choose(count)

    @property
    def count(self) -> int:
        """How many workgroups run."""
        return len(self.numbers)

    @property
    def waves_per_group(self) -> int:
        """How many waves a workgroup has."""
        return -(-math.prod(self.start.block) // self._lanes)

    def chunks(self, schedule: str, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Workgroups that are executed together, by number."""
        # Where the waves of a workgroup run one after the other, one of each runs at a time.
        together = self.waves_per_group if schedule == "lockstep" else 1
        size = max(1, min(_WAVES_AT_ONCE // together, _CHUNK_BYTES // self._bytes_of_one))
        every = self.numbers
        if schedule == "reverse":
            every = every[::-1]
        elif schedule == "random":
            every = rng.permutation(every)
        for start in range(0, len(every), size):
            yield every[start : start + size]

    def run(
        self, numbers: np.ndarray, schedule: str, rng: np.random.Generator, most_blocks: int
    ) -> Tally:
        """Run workgroups of these numbers to their end."""
        runner = Runner(
            self.code,
            f"kernel {self.kernel.name}",
            numbers,
            self.waves_per_group,
            most_blocks,
            watch=self.meter is not None,
        )
        around = self._surroundings(numbers)
        if self.meter is not None:
            self.meter.begin(numbers)
        runner.run(self._started(numbers, around), schedule, rng)
        runner.tally.global_bytes, runner.tally.lds_bytes = around.global_bytes, around.lds_bytes
        return runner.tally

    def _started(self, numbers: np.ndarray, around: Surroundings) -> Waves:
        """The waves of workgroups as the hardware starts them."""
        slot = np.tile(np.arange(self.waves_per_group), len(numbers))
        group = np.repeat(np.arange(len(numbers)), self.waves_per_group)
        waves = Waves.fresh(self._registers, self._lanes, slot, group, around)
        waves.pc = self.code.entry
        self.start.set_registers(waves, numbers[group])
        return waves

    def _surroundings(self, numbers: np.ndarray) -> Surroundings:
        checks, lanes, groups = self.memory.checks, self._lanes, len(numbers)
        lds = Lds(self.lds_bytes, groups, self.code.least_lds_store, checks=checks)
        scratch = Scratch(self._scratch, self.waves_per_group, groups, lanes, checks=checks)
        return Surroundings(
            self.memory,
            lds,
            scratch,
            self.code_address,
            checks,
            meter=self.meter,
            numbers=numbers,
            writers=self._writers,
        )

    @cached_property
    def _writers(self) -> Writers | None:
        return Writers(self.memory.units[2]) if self.memory.checks else None

    @property
    def _bytes_of_one(self) -> int:
        """The bytes that the state of one workgroup takes."""
        # With checks, what is known of LDS and scratch takes as much again.
        lanes = self.waves_per_group * self._lanes
        return lanes * (4 * self._registers + 2 * self._scratch) + 2 * self.lds_bytes

    @property
    def _lanes(self) -> int:
        return self.start.descriptor.wave_size

    @property
    def _scratch(self) -> int:
        """Bytes of scratch that each lane has."""
        return self.kernel.number(".private_segment_fixed_size")

    @property
    def _registers(self) -> int:
        count = max(self.kernel.number(".vgpr_count"), 1)
        accumulators = self.kernel.number(".agpr_count")
        if not accumulators:
            return count
        return max(count, self.start.descriptor.accumulators + accumulators)
