"""Finds in a kernel's code, without running it, what comes before the wait that it needs."""

from irattn.codeobject import KernelCode
from irattn.emulator.decode.flow import Flow, read_flow
from irattn.emulator.isa.counters import counters_of
from irattn.emulator.isa.families import Family, family
from irattn.emulator.machine.underway import (
    NOTHING_UNDERWAY,
    Early,
    Passage,
    Underway,
    either,
)
from irattn.emulator.ops.operands import Operands
from irattn.emulator.waits.passages import passage, step_of
from irattn.emulator.waits.touched import touched

# Where accumulation registers begin makes no difference here.
_ANYWHERE = 256


def missing_waits(kernel: KernelCode, gfx: str) -> list[Early]:
    """What is too early on any path through a kernel, in the order of its code.

    EmulatorError where the gfx is none of those whose counters are known, ArtifactError for code
    that the instruction tables do not have.
    """
    own, flow = family(gfx), read_flow(kernel.code, gfx, 0)
    passages = {start: _passage(flow, start, own) for start in flow.starts}
    before = _before(flow, passages)
    found = {early for start, state in before.items() for early in passages[start](state)[1]}
    return sorted(found, key=lambda early: (early.instruction.at, early.began.at))


def _passage(flow: Flow, start: int, own: Family) -> Passage:
    read = (Operands(one, own, _ANYWHERE) for one in flow.block(start))
    return passage([step_of(ops, touched(ops)) for ops in read], counters_of(own))


def _before(flow: Flow, passages: dict[int, Passage]) -> dict[int, Underway]:
    """What may be under way where each block begins, by whatever path."""
    before = {flow.first: NOTHING_UNDERWAY}
    todo = [flow.first]
    while todo:
        start = todo.pop()
        after, _ = passages[start](before[start])
        for follower in flow.followers(start):
            state = either([before.get(follower, after), after])
            if before.get(follower) != state:
                before[follower] = state
                todo.append(follower)
    return before
