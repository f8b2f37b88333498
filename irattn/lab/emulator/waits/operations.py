"""Find the operations that instructions begin and that end later: see `Operation`."""

from dataclasses import replace

from irattn.lab.emulator.isa.accesses import begun, changes_lds
from irattn.lab.emulator.isa.counters import Counters
from irattn.lab.emulator.machine.underway import Operation, scalar_key
from irattn.lab.emulator.ops.effects import Touches
from irattn.lab.emulator.ops.operands import Operands

_LDS = "lds"


def operations_of(ops: Operands, touches: Touches, counters: Counters) -> tuple[Operation, ...]:
    """The operations that an instruction begins, each with its counter."""
    kinds = begun(ops.encoding, ops.name, returns=bool(touches.writes))
    disorders = len(kinds) > 1 and not counters.flat_in_order
    made = (
        Operation(
            instruction=ops.instruction,
            counter=counters.of[kind],
            order=None if disorders else _order(kind, counters),
            writes=touches.writes | frozenset(map(scalar_key, touches.s_writes)),
            holds=touches.reads if kind == "export" else frozenset(),
            disorders=disorders,
            yields=kind == _LDS or counters.loads_in_order,
            changes_lds=kind == _LDS and changes_lds(ops.name),
        )
        for kind in kinds
    )
    return tuple(map(_with_barrier, made))


def _with_barrier(operation: Operation) -> Operation:
    if operation.order != _LDS or operation.changes_lds:
        return operation
    return replace(operation, past_barrier=replace(operation, is_past_barrier=True))


def _order(kind: str, counters: Counters) -> str | None:
    """All of a counter end in order, but that those of LDS do so beside messages, and scalar loads
    not at all.
    """
    if kind == "scalar":
        return None
    return kind if kind in (_LDS, "message") else counters.of[kind]
