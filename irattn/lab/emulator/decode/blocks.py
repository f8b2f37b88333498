"""Turns a kernel's code, once, into functions that execute its instructions."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from irattn.binary.codeobject import Instruction, matrix_flops
from irattn.core.garbage import no_garbage
from irattn.lab.emulator.decode.arrivals import counted
from irattn.lab.emulator.decode.checks import checked
from irattn.lab.emulator.decode.flow import Flow, read_flow
from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.counters import counters_of
from irattn.lab.emulator.isa.families import Family, family
from irattn.lab.emulator.isa.matrix_cycles import cycles
from irattn.lab.emulator.isa.moves import LDS_STORES
from irattn.lab.emulator.isa.transcendental import is_transcendental
from irattn.lab.emulator.machine.code import Action, BasicBlock, Code
from irattn.lab.emulator.machine.schedule import ends_block
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import NOTHING_LEFT, Effect, Left, Touches
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.registry import effect_of
from irattn.lab.emulator.ops.relative import index_after
from irattn.lab.emulator.waits.passages import WaitStep, passage, step_of
from irattn.lab.emulator.waits.touched import touched


@lru_cache(maxsize=64)
# Some forty objects an instruction stay, and to look through them took half of the time.
@no_garbage()
def decode(
    code: bytes,
    gfx: str,
    checks: bool,
    entry: int = 0,
    accumulators: int | None = None,
    ieee: bool = False,
    *,
    keeps_nan: bool = False,
) -> Code:
    """A kernel's code, ready to execute from the byte `entry` on.

    `accumulators` is the vector register where accumulation registers begin, `ieee` and
    `keeps_nan` bits of the mode. ArtifactError where there is no instruction at `entry`, or one
    that the tables of the gfx do not have.
    """
    own, flow = family(gfx), read_flow(code, gfx, entry)
    read = partial(Operands, family=own, accumulators=accumulators, ieee=ieee, keeps_nan=keeps_nan)
    blocks, lands = {}, any(_fills_lds(read, one) for one in flow.instructions)
    for start in sorted(flow.starts):
        blocks[start], steps = _block(flow, start, read, checks=checks, lands=lands)
        if checks:
            # What must have ended at barriers is known by address: see `machine.unfinished`.
            alone = [replace(one, is_barrier=False) if one.is_barrier else one for one in steps]
            blocks[start].passage = passage(alone, counters_of(own))
    names = (own.usual_name(instruction.name) for instruction in flow.instructions)
    return Code(flow.instructions, blocks, flow.first, _least_lds_store(names))


def _fills_lds(read: Callable[..., Operands], instruction: Instruction) -> bool:
    # By its encoding first, as there are many.
    return instruction.encoding.__name__ in ("MUBUF", "GLOBAL") and read(instruction).fills_lds


def _least_lds_store(names: Iterable[str]) -> int:
    """Bytes of the smallest unit that stores to LDS write."""
    return min([4, *(LDS_STORES[name].bytes for name in names if name in LDS_STORES)])


def _block(
    flow: Flow,
    start: int,
    read: Callable[..., Operands],
    *,
    checks: bool,
    lands: bool,
) -> tuple[BasicBlock, list[WaitStep]]:
    block, left, indexed, steps = BasicBlock(start), NOTHING_LEFT, 0, []
    for i in range(start, len(flow.instructions)):
        instruction = flow.instructions[i]
        if i > start and i in flow.starts:
            block.target = i
            break
        block.kinds[instruction.kind] += 1
        ops = read(instruction, left=left, indexed=indexed)
        if ends_block(instruction.name):
            block.end, block.target = instruction, flow.target(instruction)
            steps.append(step_of(ops, touched(ops)))
            break
        indexed = index_after(ops)
        try:
            effect = _shared(ops)
        except UnknownInstructionError as error:
            block.actions.append(_refusal(str(error)))
            # It counts among what waits are for, until the kernel comes to it.
            steps.append(step_of(ops, Touches()))
        else:
            step, action = step_of(ops, effect), checked(effect) if checks else effect.act
            counters = counters_of(ops.family)
            block.actions.append(counted(action, step, counters, lands=lands) if checks else action)
            left = left.after(effect)
            steps.append(step)
        if instruction.kind == "matrix":
            block.flops += matrix_flops(instruction.name)
            block.matrix_cycles += cycles(instruction.name, ops.family)
        block.transcendental += is_transcendental(ops.name)
    if indexed:
        block.actions.append(_refusal("an index of M0 beyond a block"))
    return block, steps


# What the action depends on, besides the instruction, is where it is.
_PLACED = frozenset({"s_getpc_b64"})


def _shared(ops: Operands) -> Effect:
    """The effect of an instruction; kernels share many, and altered ones nearly all."""
    its = ops.instruction
    place = its.at if ops.name in _PLACED else 0
    return _effect(
        its.name,
        place,
        its.size,
        its.raw,
        its.encoding,
        its.isa,
        ops.family,
        ops.accumulators,
        ops.left,
        ops.ieee,
        ops.keeps_nan,
        ops.indexed,
    )


@lru_cache(maxsize=2**14)
def _effect(
    name: str,
    at: int,
    size: int,
    raw: int,
    encoding: Any,
    isa: str,
    own: Family,
    accumulators: int | None,
    left: Left,
    ieee: bool,
    keeps_nan: bool,
    indexed: int,
) -> Effect:
    instruction = Instruction(name, at, size, raw, encoding, isa)
    ops = Operands(
        instruction, own, accumulators, left, ieee=ieee, keeps_nan=keeps_nan, indexed=indexed
    )
    return effect_of(ops)


def _refusal(why: str) -> Action:
    """An effect for an instruction that is not known: a kernel that gets there stops."""

    def act(st: Waves) -> None:
        raise UnknownInstructionError(why)

    return act
