"""Launches a kernel on the emulated machine, and counts what it executes."""

import math
from collections.abc import Callable

import numpy as np

from irattn.binary.codeobject import CodeObject, KernelCode
from irattn.core.errors import ArtifactError, EmulatorError
from irattn.core.progress import steps
from irattn.lab.emulator.decode.blocks import decode
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.machine.code import Code
from irattn.lab.emulator.machine.denormals import usual_denormals
from irattn.lab.emulator.machine.descriptor import Descriptor, read_descriptor
from irattn.lab.emulator.machine.hidden_arguments import with_hidden
from irattn.lab.emulator.machine.memory import Memory
from irattn.lab.emulator.machine.schedule import MOST_BLOCKS, SCHEDULES, Tally
from irattn.lab.emulator.machine.start import Start, Triple
from irattn.lab.emulator.machine.workgroups import Workgroups
from irattn.lab.emulator.measure.counts import Counts
from irattn.lab.emulator.measure.one_wave import wave_cycles
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.emulator.measure.work import joined, work_of

# What a kernel's arguments are given at least: compilers round loads of them up.
_KERNARG_BYTES = 4096

# Code whose arguments are preloaded begins with this many bytes that load them: firmware that has
# preloaded them starts after these, which is what happens here.
_LOADS_BYTES = 256


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
    choose: Callable[[int], np.ndarray] | None = None,
) -> Counts:
    """Execute a kernel for a grid of workgroups of `block` work-items.

    `choose` picks those that run, by number, out of so many; by default all do.
    EmulatorError where the code does what it must not, or has an instruction that is not known.
    `memory.checks` switches the checks of memory and registers.
    """
    if schedule not in SCHEDULES:
        raise EmulatorError(f"schedule: expected one of {', '.join(SCHEDULES)}, got {schedule}")
    its, gfx = _kernel(code_object, kernel), code_object.gfx
    descriptor = read_descriptor(its, gfx)
    code = _decoded(its, gfx, descriptor, memory.checks)
    code_address = memory.image(code_object) + its.address
    address = memory.allocate("kernel arguments", _KERNARG_BYTES)
    given = kernarg.ljust(_KERNARG_BYTES, b"\0")
    memory.put(address, with_hidden(its, given, grid, block, dynamic_lds))
    memory.settle()
    traffic = Traffic(memory.size, gfx, math.prod(grid)) if measure else None
    start = Start(descriptor, family(gfx), grid, block, address)
    lds_bytes = its.number(".group_segment_fixed_size") + dynamic_lds
    groups = Workgroups(its, code, code_address, start, memory, lds_bytes, traffic, choose)
    try:
        chunks = _run(groups, schedule, np.random.default_rng(seed), most_blocks)
    finally:
        memory.free(address)
    return _counts(groups, chunks, traffic, gfx)


def _kernel(code_object: CodeObject, name: str) -> KernelCode:
    for kernel in code_object.kernels:
        if kernel.name == name:
            return kernel
    raise EmulatorError(f"kernel {name}: the code object does not have it")


def _run(
    groups: Workgroups, schedule: str, rng: np.random.Generator, most_blocks: int
) -> list[tuple[np.ndarray, Tally]]:
    """Run all workgroups: those of each chunk, and what they executed."""
    with usual_denormals(), np.errstate(all="ignore"):
        chunks = list(groups.chunks(schedule, rng))
        return [
            (numbers, groups.run(numbers, schedule, rng, most_blocks))
            for numbers in steps(chunks, lambda _: f"workgroups of {groups.kernel.name}")
        ]


def _decoded(kernel: KernelCode, gfx: str, descriptor: Descriptor, checks: bool) -> Code:
    entry = _LOADS_BYTES if descriptor.preloaded else 0
    accumulators = descriptor.accumulators if family(gfx).has_accumulators else None
    try:
        return decode(
            kernel.code,
            gfx,
            checks,
            entry,
            accumulators,
            descriptor.ieee,
            keeps_nan=descriptor.keeps_nan,
        )
    except ArtifactError as error:
        raise EmulatorError(f"kernel {kernel.name}: {error}") from error


def _counts(
    groups: Workgroups,
    chunks: list[tuple[np.ndarray, Tally]],
    traffic: Traffic | None,
    gfx: str,
) -> Counts:
    """The tallies of all chunks as one."""
    tallies = [tally for _, tally in chunks]
    path = max((one.path for one in tallies), key=len)
    starts = set().union(*(one.visits for one in tallies))
    code = groups.code
    work = joined([work_of(numbers, code.blocks, tally.visits) for numbers, tally in chunks])
    return Counts(
        kernel=groups.kernel.name,
        workgroups=groups.count,
        waves=groups.count * groups.waves_per_group,
        instructions={kind: int(n.sum()) for kind, n in work.instructions.items() if n.any()},
        matrix_flops=float(work.matrix_flops.sum()),
        global_bytes=sum(one.global_bytes for one in tallies),
        lds_bytes=sum(one.lds_bytes for one in tallies),
        barriers=sum(one.barriers for one in tallies),
        executed=code.executed(starts),
        traffic=traffic,
        transcendental=int(work.transcendental.sum()),
        by_workgroup=work,
        blocks=max(one.blocks for one in tallies),
        alone=wave_cycles(code, path, gfx) if path else None,
    )
