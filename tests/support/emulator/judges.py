"""Says how a changed kernel ends: noticed by the emulator, by its numbers, or not at all."""

from typing import Any
from unittest import mock

import numpy as np

from irattn.core.errors import EmulatorError
from irattn.lab.certificates.mutants import Mutant, decoded
from irattn.lab.emulator import SCHEDULES
from irattn.lab.emulator.decode.blocks import decode
from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.isa.fields import ANYWHERE
from irattn.lab.emulator.machine.code import Action
from irattn.lab.emulator.machine.denormals import set_denormals
from irattn.lab.emulator.machine.descriptor import read_descriptor
from irattn.lab.emulator.machine.places import Places
from irattn.lab.emulator.machine.races import Access, Races
from irattn.lab.emulator.machine.schedule import ends_block
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.registry import effect_of
from support.emulator.mutants import Program


def judge(program: Program, mutant: Mutant) -> str:
    """How a mutant ends: `error` or `numbers` where it is noticed on any of the inputs.

    Else it is `same` (it leaves the registers that the old instruction leaves), `dead` (they
    differ, but no output does) or `small` (outputs differ by less than what is allowed).
    """
    changed = False
    for case in program.inputs:
        try:
            run = program.run(case, mutant.files)
        except EmulatorError:
            return "error"
        if not program.strain(case, run) <= 1:
            return "numbers"
        changed |= not run.is_same(program.runs[case])
    if changed:
        return "small"
    return "same" if leaves_the_same(program, mutant) else "dead"


# What comes of what a wave that is too early finds in LDS that nobody has used before.
NEVER_WRITTEN = "which was never written"


def judge_barrier(program: Program, mutant: Mutant, *, checks: bool = True) -> str | None:
    """The schedule that notices that a barrier is missing: by an error, or by numbers."""
    for schedule in SCHEDULES:
        try:
            run = program.run("normal", mutant.files, schedule=schedule, checks=checks)
        except EmulatorError as error:
            return f"{schedule}: {error}"
        if not program.strain("normal", run) <= 1:
            return f"{schedule}: numbers"
    return None


def waves_meet(program: Program, mutant: Mutant) -> bool:
    """Whether two waves touch a byte of LDS between two barriers, one of them writing.

    A recount of what the emulator's race check looks for, by other means.
    """
    seen: list[np.ndarray] = []
    spaces: list[Races] = []

    def note(races: Races, places: Places, offset: int, size: int, reads: bool, *of: Any) -> Access:
        tags, on, *_ = of
        if not any(races is space for space in spaces):
            spaces.append(races)
        at = places.at + offset
        lanes = np.broadcast_to(on, at.shape)
        tag = np.broadcast_to(tags[:, None], at.shape)[lanes].astype(np.int64)
        for byte in at[lanes] + np.arange(size)[:, None]:
            # Chunk, epoch and byte are one number.
            key = (len(spaces) << 24 | tag >> 8) << 32 | byte
            seen.append(np.stack([key, tag & 0xFF, np.full_like(key, not reads)]))
        return Access(places, offset, size, reads, tags, on, places.groups)

    with mock.patch.object(Races, "watch", note):
        try:
            program.run("normal", mutant.files)
        except EmulatorError as error:
            if NEVER_WRITTEN not in str(error):
                raise
            # It reads what another wave has still to write.
            return True
    keys, waves, writes = np.concatenate(seen, axis=1)
    _, number = np.unique(keys, return_inverse=True)
    least, most, written = np.full((3, number.max() + 1), [[255], [0], [0]])
    np.minimum.at(least, number, waves)
    np.maximum.at(most, number, waves)
    np.maximum.at(written, number, writes)
    return bool(((least != most) & (written > 0)).any())


def leaves_the_same(program: Program, mutant: Mutant) -> bool:
    """Whether a changed instruction leaves all registers as the old one does, whenever it executes.

    Then no inputs of these can tell. Never so for branches and stores, of which this knows nothing.
    """
    place, new = mutant.place, decoded(mutant, program.target)
    if new is None or ends_block(place.instruction.name) or ends_block(new.name):
        return False
    if any("store" in name for name in (place.instruction.name, new.name)):
        return False
    # As `launch` calls it for RDNA, so that this is the very code that runs.
    mode = read_descriptor(place.kernel, program.target)
    keeps_nan, ieee = mode.keeps_nan, mode.ieee
    code = decode(place.kernel.code, program.target, True, 0, None, ieee, keeps_nan=keeps_nan)
    number = [i.at for i in code.instructions].index(place.instruction.at)
    block = next(b for b in code.blocks.values() if b.start <= number < b.start + len(b.actions))
    old_action = block.actions[number - block.start]
    new_action = effect_of(Operands(new, family(program.target), ANYWHERE, ieee=ieee)).act
    twins = _Twins(old_action, new_action)
    block.actions[number - block.start] = twins
    try:
        for case in program.inputs:
            program.run(case)
    finally:
        block.actions[number - block.start] = old_action
    assert twins.calls, "the changed code did not run"
    return not twins.differ


class _Twins:
    """Executes an instruction, and on a copy of the waves another one; compares the registers."""

    def __init__(self, old: Action, new: Action) -> None:
        self.old, self.new, self.differ = old, new, False
        self.calls = 0

    def __call__(self, st: Waves) -> None:
        self.calls += 1
        if self.differ:
            self.old(st)
            return
        twin = st.take(np.ones(st.count, bool))
        twin.places, twin.matrices = dict(st.places), dict(st.matrices)
        twin.moved = st.moved.copy()
        try:
            self.new(twin)
        except (FaultError, UnknownInstructionError, IndexError):
            self.differ = True
        set_denormals(st.denormals)
        self.old(st)
        self.differ |= twin.denormals != st.denormals or not all(
            np.array_equal(getattr(twin, name), getattr(st, name)) for name in ("v", "s", "scc")
        )
