"""Checks the registers of an action before it runs, and notes what it wrote."""

from irattn.emulator.faults import FaultError
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.effects import Effect


def checked(effect: Effect) -> Action:
    """Its action, after a look whether its registers are there, and written where it reads them."""
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
