"""Launches a kernel on the emulated device: registers at its start, workgroups in chunks."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.codeobject import CodeObject, Kernel
from irattn.emulator.decode.blocks import decode
from irattn.emulator.isa.families import family
from irattn.emulator.machine.code import Code
from irattn.emulator.machine.denormals import usual_denormals
from irattn.emulator.machine.descriptor import read_descriptor
from irattn.emulator.machine.hidden_arguments import with_hidden
from irattn.emulator.machine.local import Lds, Scratch
from irattn.emulator.machine.memory import Memory
from irattn.emulator.machine.schedule import MOST_BLOCKS, SCHEDULES, Runner
from irattn.emulator.machine.waves import EXEC, TTMP, Surroundings, Waves
from irattn.emulator.measure.traffic import Traffic
from irattn.errors import ArtifactError, EmulatorError
from irattn.progress import steps

Triple = tuple[int, int, int]

# Waves that are executed together: enough to make NumPy's calls worth it, few enough for caches.
_WAVES_AT_ONCE = 256
_CHUNK_BYTES = 64 << 20

# What a kernel's arguments are given at least: compilers round loads of them up.
_KERNARG_BYTES = 4096

# Code whose arguments are preloaded begins with this many bytes that load them: firmware that has
# preloaded them starts after these, which is what happens here.
_LOADS_BYTES = 256
# A buffer resource whose base, 0, stands for scratch: swizzled, and with the lane's number added.
SCRATCH_BUFFER = (0, 1 << 31, 0xFFFFFFFF, 1 << 23)


@dataclass(frozen=True)
class Counts:
    """What a launch executed, summed over its waves.

    `instructions` has the classes of `figures.INSTRUCTION_CLASSES`. Bytes are those that the lanes
    asked for. `barriers` counts each wave's arrival. `executed` are the places, in bytes from the
    start, of the instructions that some wave came to. `traffic` is there where it was measured.
    """

    kernel: str
    workgroups: int
    waves: int
    instructions: Mapping[str, int]
    matrix_flops: float
    global_bytes: int
    lds_bytes: int
    barriers: int
    executed: frozenset[int]
    traffic: Traffic | None = None


def launch(
    code_object: CodeObject,
    kernel: str,
    grid: Triple,
    block: Triple,
    kernarg: bytes,
    memory: Memory,
    *,
    schedule: str = "lockstep",
    seed: int = 0,
    dynamic_lds: int = 0,
    most_blocks: int = MOST_BLOCKS,
    measure: bool = False,
) -> Counts:
    """Execute a kernel for a grid of workgroups of `block` work-items.

    EmulatorError where the code does what it must not, or has an instruction that is not known.
    `memory.checks` switches the checks of memory and registers.
    """
    if schedule not in SCHEDULES:
        raise EmulatorError(f"schedule: expected one of {', '.join(SCHEDULES)}, got {schedule}")
    found = next((k for k in code_object.kernels if k.name == kernel), None)
    if found is None:
        raise EmulatorError(f"kernel {kernel}: the code object does not have it")
    job = _Job(code_object, found, grid, block, memory, dynamic_lds, measure)
    return job.run(kernarg, schedule, np.random.default_rng(seed), most_blocks)


class _Job:
    """One launch."""

    def __init__(
        self,
        code_object: CodeObject,
        kernel: Kernel,
        grid: Triple,
        block: Triple,
        memory: Memory,
        dynamic_lds: int,
        measure: bool,
    ) -> None:
        self.measure = measure
        self.kernel, self.grid, self.block, self.memory = kernel, grid, block, memory
        self.descriptor = read_descriptor(kernel, code_object.gfx)
        self.lanes = self.descriptor.wave_size
        self.slots = -(-math.prod(block) // self.lanes)
        self.lds_bytes = kernel.number(".group_segment_fixed_size") + dynamic_lds
        self.family = family(code_object.gfx)
        given = self.descriptor
        try:
            self.code: Code = decode(
                kernel.code,
                code_object.gfx,
                memory.checks,
                _LOADS_BYTES if given.preloaded else 0,
                given.accumulators if self.family.has_accumulators else None,
            )
        except ArtifactError as error:
            raise EmulatorError(f"kernel {kernel.name}: {error}") from error
        self.code_address = memory.image(code_object) + kernel.address

    def run(
        self, kernarg: bytes, schedule: str, rng: np.random.Generator, most_blocks: int
    ) -> Counts:
        address = self.memory.allocate("kernel arguments", _KERNARG_BYTES)
        segment = with_hidden(
            self.kernel, kernarg.ljust(_KERNARG_BYTES, b"\0"), self.grid, self.block
        )
        self.memory.put(address, segment)
        self.memory.settle()
        traffic = Traffic(self.memory.size) if self.measure else None
        runs = []
        moved = np.zeros(2, np.int64)
        try:
            with usual_denormals(), np.errstate(all="ignore"):
                chunks = list(self._chunks(schedule, rng))
                for numbers in steps(chunks, lambda _: f"workgroups of {self.kernel.name}"):
                    runner = Runner(
                        self.code, f"kernel {self.kernel.name}", numbers, self.slots, most_blocks
                    )
                    around = self._surroundings(len(numbers))
                    around.traffic = traffic
                    runner.run(self._start(numbers, address, around), schedule, rng)
                    runs.append(runner.tally)
                    moved += (around.global_bytes, around.lds_bytes)
        finally:
            self.memory.free(address)
        workgroups = math.prod(self.grid)
        kinds = {kind: sum(run.kinds[kind] for run in runs) for run in runs for kind in run.kinds}
        return Counts(
            kernel=self.kernel.name,
            workgroups=workgroups,
            waves=workgroups * self.slots,
            instructions=kinds,
            matrix_flops=sum(run.flops for run in runs),
            global_bytes=int(moved[0]),
            lds_bytes=int(moved[1]),
            barriers=sum(run.barriers for run in runs),
            executed=self.code.executed(set().union(*(run.starts for run in runs))),
            traffic=traffic,
        )

    def _chunks(self, schedule: str, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Workgroups that are executed together, by number."""
        # With checks, what is known of LDS and scratch takes as much again.
        scratch = 2 * self.kernel.number(".private_segment_fixed_size")
        one = self.slots * self.lanes * (4 * self._registers + scratch) + 2 * self.lds_bytes
        # Where the waves of a workgroup run one after the other, one of each runs at a time.
        together = self.slots if schedule == "lockstep" else 1
        count = max(1, min(_WAVES_AT_ONCE // together, _CHUNK_BYTES // one))
        every = np.arange(math.prod(self.grid))
        if schedule == "reverse":
            every = every[::-1]
        elif schedule == "random":
            every = rng.permutation(every)
        for start in range(0, len(every), count):
            yield every[start : start + count]

    @property
    def _registers(self) -> int:
        count = max(self.kernel.number(".vgpr_count"), 1)
        accumulators = self.kernel.number(".agpr_count")
        return max(count, self.descriptor.accumulators + accumulators) if accumulators else count

    def _surroundings(self, groups: int) -> Surroundings:
        checks = self.memory.checks
        scratch = self.kernel.number(".private_segment_fixed_size")
        return Surroundings(
            memory=self.memory,
            lds=Lds(self.lds_bytes, groups, self.code.least_lds_store, checks=checks),
            scratch=Scratch(scratch, self.slots, groups, self.lanes, checks=checks),
            code_address=self.code_address,
            checks=checks,
        )

    def _start(self, numbers: np.ndarray, kernarg: int, around: Surroundings) -> Waves:
        """Waves as the hardware starts them."""
        groups = len(numbers)
        slot = np.tile(np.arange(self.slots), groups)
        group = np.repeat(np.arange(groups), self.slots)
        waves = Waves(self._registers, self.lanes, slot, group, around)
        waves.pc = self.code.entry
        waves.denormals = self.descriptor.denormals
        item = slot[:, None] * self.lanes + np.arange(self.lanes)
        x, y, _ = self.block
        waves.v[0] = item % x
        if self.descriptor.has_item_y:
            waves.v[0] |= (item // x % y << 10).astype(np.uint32)
        if self.descriptor.has_item_z:
            waves.v[0] |= (item // (x * y) << 20).astype(np.uint32)
        waves.wrote(frozenset((0,)))
        self._start_scalars(waves, numbers[group], kernarg)
        here = item < math.prod(self.block)
        waves.s[EXEC : EXEC + self.lanes // 32] = (
            np.packbits(here, axis=1, bitorder="little").view(np.uint32).T
        )
        waves.set_exec()
        return waves

    def _start_scalars(self, waves: Waves, number: np.ndarray, kernarg: int) -> None:
        given = self.descriptor
        if given.has_scratch_buffer:
            _give(waves, 0, SCRATCH_BUFFER)
        if given.kernarg_sgpr is not None:
            _give(waves, given.kernarg_sgpr, (kernarg & 0xFFFFFFFF, kernarg >> 32))
        if given.preloaded:
            start = kernarg + 4 * given.preloaded.start
            words = self.memory.get(start, 4 * len(given.preloaded)).view(np.uint32)
            _give(waves, given.user_sgprs - len(words), words)
        x, y, _ = self.grid
        ids = (number % x, number // x % y, number // (x * y))
        if self.family.ids_in_trap_registers:
            _start_trap_registers(waves, ids, given.workgroup_ids)
            return
        values = [v for enabled, v in zip(given.workgroup_ids, ids, strict=True) if enabled]
        if self.family.scratch_by_buffer and given.scratch_offset:
            values.append(np.zeros_like(number))
        _give(waves, given.user_sgprs, values)


def _give(waves: Waves, register: int, values: Iterable[Any]) -> None:
    """Put values into scalar registers from one on."""
    for i, value in enumerate(values, register):
        waves.s[i] = value
        waves.s_done.add(i)


def _start_trap_registers(
    waves: Waves, ids: tuple[np.ndarray, ...], enabled: tuple[bool, bool, bool]
) -> None:
    """Where RDNA4 puts a workgroup's place: x in TTMP9, y and z as halves of TTMP7."""
    x, y, z = (place * is_enabled for place, is_enabled in zip(ids, enabled, strict=True))
    waves.s[TTMP + 9] = x
    waves.s[TTMP + 7] = y | z << 16
    if enabled[0]:
        waves.s_done.add(TTMP + 9)
    if enabled[1] or enabled[2]:
        waves.s_done.add(TTMP + 7)
