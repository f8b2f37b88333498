"""What matrix instructions of all families have in common."""

from collections.abc import Callable

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.effects import Left, Source
from irattn.emulator.ops.operands import Operands


def vector_register(ops: Operands, name: str) -> int:
    """The number of the vector register where an operand begins."""
    number = ops.field(name) - VGPR
    if number < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    return number


def worked_out_once(
    ops: Operands, what: str, registers: range, work_out: Callable[[Waves], np.ndarray]
) -> Source:
    """A matrix, worked out once while nobody changes its registers; `what` tells it from others."""
    key = what, registers.start
    left, reads = Left(matrices=frozenset((key,))), frozenset(registers)
    if key in ops.left.matrices:
        return Source(get=lambda st: st.matrices[key], reads=reads, leaves=left)

    def get(st: Waves) -> np.ndarray:
        st.matrices[key] = matrix = work_out(st)
        return matrix

    return Source(get=get, reads=reads, leaves=left)
