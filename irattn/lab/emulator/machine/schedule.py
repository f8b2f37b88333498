"""Runs waves: who goes first, where they part and meet, barriers."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from irattn.binary.codeobject import Instruction
from irattn.core.errors import EmulatorError
from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.machine.branches import CONDITIONS, check_condition
from irattn.lab.emulator.machine.code import BasicBlock, Code
from irattn.lab.emulator.machine.denormals import set_denormals
from irattn.lab.emulator.machine.watched import Watched
from irattn.lab.emulator.machine.waves import Waves, merge

SCHEDULES = ("lockstep", "serial", "reverse", "random")

# A kernel that executes more blocks than this for one chunk does not end.
MOST_BLOCKS = 5_000_000

# The number of the barrier that all waves of a workgroup come to.
WORKGROUP_BARRIER = -1


@dataclass
class Tally:
    """The tally of what was executed, and of the bytes that lanes asked for.

    `visits` says of each block, by its start, how many waves of each workgroup came to it: int64
    [workgroups].
    """

    visits: dict[int, np.ndarray] = field(default_factory=dict)
    barriers: int = 0
    blocks: int = 0
    global_bytes: int = 0
    lds_bytes: int = 0
    path: tuple[int, ...] = ()


class Runner:
    """Executes a kernel for the waves of some workgroups.

    `where` names the kernel in messages; `numbers` are the workgroups' places in the grid. With
    `watch` the tally has the path of a wave through the code.
    """

    def __init__(
        self,
        code: Code,
        where: str,
        numbers: np.ndarray,
        waves_per_group: int,
        most_blocks: int = MOST_BLOCKS,
        *,
        watch: bool = False,
    ) -> None:
        self.code = code
        self.where = where
        self.numbers = numbers
        self.waves_per_group = waves_per_group
        self.most_blocks = most_blocks
        self.tally = Tally()
        self.watched = Watched(len(numbers)) if watch else None
        self.alive = 0

    def run(self, waves: Waves, schedule: str, rng: np.random.Generator) -> None:
        """Execute until all waves have ended."""
        self.alive = waves.count
        teams = [[waves]]
        if schedule != "lockstep":
            slots = np.unique(waves.slot)
            teams = [[waves.take(waves.slot == slot)] for slot in slots]
        while teams:
            order = list(range(len(teams)))
            if schedule == "reverse":
                order.reverse()
            elif schedule == "random":
                rng.shuffle(order)
            for i in order:
                teams[i] = self._until_blocked(teams[i])
            teams = [team for team in teams if team]
            self._release(teams)
        if self.watched is not None:
            self.tally.path = self.watched.longest

    def _until_blocked(self, team: list[Waves]) -> list[Waves]:
        """Run the waves of a team, those at the lowest place first, until all wait or ended."""
        waiting: list[Waves] = []
        while team:
            # Waves of different modes run one after the other.
            team.sort(key=_place_and_mode)
            lowest = [state for state in team if _place_and_mode(state) == _place_and_mode(team[0])]
            team = team[len(lowest) :]
            state = merge(lowest) if len(lowest) > 1 else lowest[0]
            limit = team[0].pc if team else len(self.code.instructions) + 1
            for part in self._until(state, limit):
                (waiting if part.waits else team).append(part)
        return waiting

    def _until(self, state: Waves, limit: int) -> list[Waves]:
        """Run waves until they part, wait, end or come to where others are."""
        set_denormals(state.denormals)
        while True:
            block = self.code.blocks.get(state.pc)
            if block is None:
                raise EmulatorError(f"{self.where}: the code is left at a place that is not in it")
            self._execute(block, state)
            parts = self._go_on(block, state)
            if len(parts) != 1 or parts[0] is not state or state.waits or state.pc >= limit:
                return parts

    def _execute(self, block: BasicBlock, state: Waves) -> None:
        self.tally.blocks += 1
        if self.tally.blocks > self.most_blocks:
            raise EmulatorError(f"{self.where}: it does not end")
        if self.watched is not None:
            self.watched.note(block.start, state)
        came = np.bincount(state.group, minlength=len(self.numbers))
        self.tally.visits[block.start] = self.tally.visits.get(block.start, 0) + came
        self._check_waits(block, state)
        number = 0
        try:
            for number, act in enumerate(block.actions):  # noqa: B007
                act(state)
        except (FaultError, UnknownInstructionError) as error:
            instruction = self.code.instructions[block.start + number]
            raise self._error(error, instruction, state) from error
        except IndexError as error:
            instruction = self.code.instructions[block.start + number]
            fault = FaultError("a register that the kernel does not have")
            raise self._error(fault, instruction, state) from error

    def _check_waits(self, block: BasicBlock, state: Waves) -> None:
        """Check that what a block reads has come, and what it writes will stay."""
        if block.passage is None:
            return
        state.underway, early = block.passage(state.underway)
        if early:
            raise self._error(FaultError(str(early[0])), early[0].instruction, state)

    def _error(
        self, error: FaultError | UnknownInstructionError, instruction: Instruction, state: Waves
    ) -> EmulatorError:
        place = f"{self.where}: {instruction.name} at {instruction.at:#x}"
        if isinstance(error, UnknownInstructionError):
            return EmulatorError(
                f"{place} ({instruction.encoding.__name__}, {instruction.raw:#x}): the emulator "
                f"does not execute this instruction ({error})"
            )
        who = ""
        if error.lanes is not None and error.lanes.any():
            lanes = np.broadcast_to(error.lanes, (state.count, state.lanes))
            wave, lane = np.argwhere(lanes)[0]
            group = self.numbers[state.group[wave]]
            who = f" (workgroup {group}, wave {state.slot[wave]}, lane {lane})"
        return EmulatorError(f"{place}: {error}{who}")

    def _go_on(self, block: BasicBlock, state: Waves) -> list[Waves]:
        """Where waves go after a block; two states where they part."""
        if block.end is None:
            state.pc = block.target
            return [state]
        return _ENDS[block.end.name](self, block, block.end, state)

    def _finish(self, block: BasicBlock, end: Instruction, state: Waves) -> list[Waves]:
        self.alive -= state.count
        return []

    def _jump(self, block: BasicBlock, end: Instruction, state: Waves) -> list[Waves]:
        state.pc = block.target
        return [state]

    def _branch(self, block: BasicBlock, end: Instruction, state: Waves) -> list[Waves]:
        self._check_condition(end, state)
        taken = CONDITIONS[end.name](state)
        if taken.all() or not taken.any():
            state.pc = block.target if taken.all() else block.after
            return [state]
        there, here = state.take(taken), state.take(~taken)
        there.pc, here.pc = block.target, block.after
        return [here, there]

    def _check_condition(self, end: Instruction, state: Waves) -> None:
        """Check that nothing unwritten decides where waves go."""
        if not state.around.checks:
            return
        try:
            check_condition(end.name, state)
        except FaultError as error:
            raise self._error(error, end, state) from error

    def _barrier(self, block: BasicBlock, end: Instruction, state: Waves) -> list[Waves]:
        state.lds_ended_at_barrier = state.lds_ended
        return self._come_to_barrier(block, state)

    def _come_to_barrier(self, block: BasicBlock, state: Waves) -> list[Waves]:
        """Waves wait, unless all of their workgroups are there together."""
        state.pc = block.after
        state.epoch = state.epoch + np.uint32(1)
        self.tally.barriers += state.count
        lds = state.around.lds
        lds.direct_loads.pass_barrier(state.group, state.slot, state.loads_ended)
        lds.come_to_barrier(state.group, state.slot, state.lds_begun, state.lds_ended_at_barrier)
        groups = np.bincount(state.group)
        state.waits = bool((groups[groups > 0] < self.waves_per_group).any())
        if not state.waits:
            lds.pass_barrier(state.group)
        return [state]

    def _wait_at_barrier(self, block: BasicBlock, end: Instruction, state: Waves) -> list[Waves]:
        self._check_signalled(end, state)
        return self._come_to_barrier(block, state)

    def _check_signalled(self, wait: Instruction, state: Waves) -> None:
        """Waves must have signalled a barrier before they wait for it."""
        if wait.raw & 0xFFFF != WORKGROUP_BARRIER & 0xFFFF:
            why = UnknownInstructionError("a barrier other than the workgroup's")
            raise self._error(why, wait, state)
        if not state.signalled.all():
            lanes = np.broadcast_to(~state.signalled[:, None], (state.count, state.lanes))
            raise self._error(
                FaultError("it waits for a barrier not signalled", lanes), wait, state
            )
        state.signalled = np.zeros(state.count, bool)

    def _release(self, teams: list[list[Waves]]) -> None:
        """All waves wait: let them go on, if every workgroup has come to a barrier as a whole.

        Its waves may be at different ones: the hardware counts them (guides, "S_BARRIER").
        """
        states = [state for team in teams for state in team]
        for group in np.unique(np.concatenate([s.group for s in states])) if states else ():
            places = [s.pc for s in states for _ in range(np.count_nonzero(s.group == group))]
            if len(places) < self.waves_per_group:
                barrier = self.code.instructions[places[0] - 1]
                state = next(s for s in states if (s.group == group).any())
                lanes = np.broadcast_to((state.group == group)[:, None], (state.count, state.lanes))
                raise self._error(
                    FaultError("not all waves of the workgroup come to this barrier", lanes),
                    barrier,
                    state,
                )
        for state in states:
            state.waits = False
        if states:
            states[0].around.lds.pass_barrier(np.concatenate([s.group for s in states]))


# What waves do after the instructions that end a block.
_ENDS: dict[str, Callable[[Runner, BasicBlock, Instruction, Waves], list[Waves]]] = {
    "s_endpgm": Runner._finish,
    "s_branch": Runner._jump,
    "s_barrier": Runner._barrier,
    "s_barrier_wait": Runner._wait_at_barrier,
    **dict.fromkeys(CONDITIONS, Runner._branch),
}


def ends_block(name: str) -> bool:
    """Whether an instruction chooses what comes next."""
    return name in _ENDS


def _place_and_mode(state: Waves) -> tuple[int, int]:
    return state.pc, state.denormals
