"""Count the work of each workgroup, from how often its waves came to each block of the code."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from irattn.lab.emulator.machine.code import BasicBlock


@dataclass(frozen=True, eq=False)
class WorkgroupCounts:
    """The counts of the workgroups of a launch: arrays [workgroups], in the order of `numbers`.

    `numbers` are their places in the grid, x innermost. `instructions` has the classes of
    `figures.INSTRUCTION_CLASSES`, `transcendental` those of the vector instructions that
    approximate: roots, exponentials, … `matrix_cycles` are those for which matrix instructions keep
    the unit of their SIMD.
    """

    numbers: np.ndarray
    instructions: Mapping[str, np.ndarray]
    transcendental: np.ndarray
    matrix_cycles: np.ndarray
    matrix_flops: np.ndarray


def work_of(
    numbers: np.ndarray,
    blocks: Mapping[int, BasicBlock],
    visits: Mapping[int, np.ndarray],
) -> WorkgroupCounts:
    """The work of workgroups whose waves came so often to blocks: [workgroups] by their starts."""
    kinds = dict.fromkeys(kind for block in blocks.values() for kind in block.kinds)
    came = [(blocks[start], count) for start, count in visits.items()]

    def summed(of_block: Callable[[BasicBlock], float]) -> np.ndarray:
        return np.asarray(np.sum([of_block(block) * count for block, count in came], axis=0))

    return WorkgroupCounts(
        numbers,
        {kind: summed(partial(_of_kind, kind)) for kind in kinds},
        summed(lambda block: block.transcendental),
        summed(lambda block: block.matrix_cycles),
        summed(lambda block: block.flops),
    )


def _of_kind(kind: str, block: BasicBlock) -> int:
    return block.kinds[kind]


def joined(parts: Sequence[WorkgroupCounts]) -> WorkgroupCounts:
    """The work of all chunks of a launch, in the order of the grid."""
    numbers = np.concatenate([part.numbers for part in parts])
    order = np.argsort(numbers)

    def together(arrays: Iterable[np.ndarray]) -> np.ndarray:
        return np.concatenate(list(arrays))[order]

    return WorkgroupCounts(
        numbers[order],
        {
            kind: together(part.instructions[kind] for part in parts)
            for kind in parts[0].instructions
        },
        together(part.transcendental for part in parts),
        together(part.matrix_cycles for part in parts),
        together(part.matrix_flops for part in parts),
    )
