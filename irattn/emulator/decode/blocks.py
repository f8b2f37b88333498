"""Turns a kernel's code, once, into functions that execute its instructions."""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from irattn.codeobject import Instruction, instructions, matrix_flops
from irattn.emulator.faults import FaultError, UnknownInstructionError
from irattn.emulator.isa.families import family
from irattn.emulator.isa.moves import LDS_STORES
from irattn.emulator.machine.code import Action, BasicBlock, Code
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.effects import NOTHING_LEFT, Effect
from irattn.emulator.ops.operands import Operands
from irattn.emulator.ops.registry import effect_of
from irattn.errors import ArtifactError

_CONDITIONS = ("scc0", "scc1", "vccz", "vccnz", "execz", "execnz")
_ENDS = frozenset(
    (
        *("s_endpgm", "s_barrier", "s_barrier_wait", "s_branch"),
        *(f"s_cbranch_{condition}" for condition in _CONDITIONS),
    )
)


def _least_lds_store(names: Iterable[str]) -> int:
    """Bytes of the smallest unit that stores to LDS write."""
    return min([4, *(LDS_STORES[name].bytes for name in names if name in LDS_STORES)])


def ends_block(name: str) -> bool:
    """Whether an instruction chooses what comes next."""
    return name in _ENDS


@lru_cache(maxsize=64)
def decode(
    code: bytes, gfx: str, checks: bool, entry: int = 0, accumulators: int | None = None
) -> Code:
    """A kernel's code, ready to execute from the byte `entry` on.

    `accumulators` is the vector register where accumulation registers begin.
    """
    own = family(gfx)
    decoded = tuple(instructions(code, gfx))
    numbers = {instruction.at: i for i, instruction in enumerate(decoded)}
    if entry not in numbers:
        raise ArtifactError(f"its code has no instruction at {entry:#x}, where it begins")
    first = numbers[entry]
    starts = {first}
    for i, instruction in enumerate(decoded):
        if ends_block(instruction.name):
            starts.add(i + 1)
            if instruction.branch_target is not None:
                starts.add(numbers.get(instruction.branch_target, -1))
    reached = _reached(decoded, numbers, first)
    names = (own.usual_name(instruction.name) for instruction in decoded)
    read = partial(Operands, family=own, accumulators=accumulators)
    blocks = {
        start: _block(decoded, start, starts, numbers, read, checks)
        for start in sorted(starts & reached)
    }
    return Code(decoded, blocks, first, _least_lds_store(names))


def _reached(decoded: tuple[Instruction, ...], numbers: dict[int, int], first: int) -> set[int]:
    """Instructions that control can come to: after the end, code is padded."""
    found: set[int] = set()
    todo = [first]
    while todo:
        i = todo.pop()
        while i < len(decoded) and i not in found and i >= 0:
            found.add(i)
            instruction = decoded[i]
            if instruction.branch_target is not None:
                todo.append(numbers.get(instruction.branch_target, -1))
            if instruction.name in ("s_endpgm", "s_branch"):
                break
            i += 1
    return found


def _block(
    decoded: tuple[Instruction, ...],
    start: int,
    starts: set[int],
    numbers: dict[int, int],
    read: Callable[..., Operands],
    checks: bool,
) -> BasicBlock:
    block, left = BasicBlock(start), NOTHING_LEFT
    for i in range(start, len(decoded)):
        instruction = decoded[i]
        if i > start and i in starts:
            block.target = i
            break
        block.kinds[instruction.kind] += 1
        if ends_block(instruction.name):
            block.end = instruction
            if instruction.branch_target is not None:
                block.target = numbers.get(instruction.branch_target, -1)
            break
        try:
            effect = effect_of(read(instruction, left=left))
        except UnknownInstructionError as error:
            block.actions.append(_refusal(str(error)))
        else:
            block.actions.append(_checked(effect) if checks else effect.act)
            left = left.after(effect)
        if instruction.kind == "matrix":
            block.flops += matrix_flops(instruction.name)
    return block


def _refusal(why: str) -> Action:
    """What stands for an instruction that is not known: it stops the kernel that gets there."""

    def act(st: Waves) -> None:
        raise UnknownInstructionError(why)

    return act


def _checked(effect: Effect) -> Action:
    """The same, after a look whether its registers are there, and written where it reads them."""
    act, reads, writes = effect.act, effect.reads, effect.writes
    highest = max(reads | writes, default=0)
    s_reads, s_writes, notes_writes = effect.s_reads, effect.s_writes, effect.notes_writes

    def run(st: Waves) -> None:
        written = st.written
        if highest >= len(st.v):
            raise FaultError("a register that the kernel does not have")
        if not reads <= written.vector and (gap := written.missing(reads, st.active)):
            raise FaultError(f"read of v{gap[0]}, which was never written", gap[1])
        if not s_reads <= written.scalar:
            written.check_scalars(s_reads)
        act(st)
        if not (notes_writes or writes <= written.vector):
            written.note(writes, st.active)
        if not s_writes <= written.scalar:
            written.scalar |= s_writes

    return run
