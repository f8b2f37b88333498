"""Finds in a kernel's code, without running it, what comes before the wait that it needs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from irattn.binary.codeobject import Instruction, KernelCode
from irattn.lab.emulator.decode.flow import Flow, read_flow
from irattn.lab.emulator.isa.counters import counters_of
from irattn.lab.emulator.isa.families import RDNA4, Family, family
from irattn.lab.emulator.isa.fields import ANYWHERE
from irattn.lab.emulator.machine.underway import (
    Early,
    either,
)
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.waits.hazards import Hazard, hazards
from irattn.lab.emulator.waits.passages import passage, register_name, step_of
from irattn.lab.emulator.waits.rules import rules_of
from irattn.lab.emulator.waits.scalar_hazards import after_sites
from irattn.lab.emulator.waits.sites import Site
from irattn.lab.emulator.waits.touched import touched

# What uses registers or LDS before it may.
TooEarly = Early | Hazard


def missing_waits(kernel: KernelCode, gfx: str) -> list[TooEarly]:
    """The instructions that are too early on any path through a kernel, in the order of its code.

    EmulatorError where the gfx is none of those whose counters are known, ArtifactError for code
    that the instruction tables do not have.
    """
    own, flow = family(gfx), read_flow(kernel.code, gfx, 0)
    sites = [_site(instruction, own) for instruction in flow.instructions]
    early: set[TooEarly] = set(_early(flow, sites, own))
    name_of = partial(register_name, accumulators=ANYWHERE)
    reached, before = _in_reach(flow, sites)
    if own is RDNA4:
        early |= set(_late_scalars(flow, sites))
    early |= set(hazards(reached, before, rules_of(own), name_of))
    return sorted(early, key=lambda one: (one.instruction.at, one.began.at, one.what))


def _site(instruction: Instruction, own: Family) -> Site:
    ops = Operands(instruction, own, ANYWHERE)
    return Site(ops, touched(ops))


def _in_reach(flow: Flow, sites: list[Site]) -> tuple[list[Site], list[list[int]]]:
    """The instructions that control can come to, and what may come right before each of them."""
    blocks = {start: range(start, start + len(flow.block(start))) for start in flow.starts}
    places = [number for start in sorted(blocks) for number in blocks[start]]
    number_of = {place: number for number, place in enumerate(places)}
    before: list[list[int]] = [[] for _ in places]
    for start, numbers in blocks.items():
        for number in numbers[1:]:
            before[number_of[number]].append(number_of[number - 1])
        for follower in flow.followers(start):
            before[number_of[follower]].append(number_of[numbers[-1]])
    return [sites[place] for place in places], before


def _early(flow: Flow, sites: list[Site], own: Family) -> Iterator[Early]:
    """The instructions that come before the wait for a counter."""
    passages = {}
    for start in flow.starts:
        block = sites[start : start + len(flow.block(start))]
        steps = [step_of(site.ops, site.touched) for site in block]
        passages[start] = passage(steps, counters_of(own))
    after = {start: lambda state, own=own: own(state)[0] for start, own in passages.items()}
    for start, state in _before(flow, after, either).items():
        yield from passages[start](state)[1]


def _late_scalars(flow: Flow, sites: list[Site]) -> Iterator[Hazard]:
    """Scalar registers that are read before what was written has reached them."""
    blocks = {start: sites[start : start + len(flow.block(start))] for start in flow.starts}
    after = {
        start: lambda facts, block=block: after_sites(block, facts)[0]
        for start, block in blocks.items()
    }
    for start, facts in _before(flow, after, lambda states: frozenset().union(*states)).items():
        yield from after_sites(blocks[start], facts)[1]


def _before(
    flow: Flow,
    after: Mapping[int, Callable[[Any], frozenset[Any]]],
    join: Callable[[Iterable[Any]], frozenset[Any]],
) -> dict[int, frozenset[Any]]:
    """The states that may hold where each block begins; `after` is what a block makes of one."""
    before: dict[int, frozenset[Any]] = {flow.first: frozenset()}
    todo = [flow.first]
    while todo:
        start = todo.pop()
        state = after[start](before[start])
        for follower in flow.followers(start):
            joined = join([before.get(follower, state), state])
            if before.get(follower) != joined:
                before[follower] = joined
                todo.append(follower)
    return before
