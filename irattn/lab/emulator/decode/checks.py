"""Checks the registers of an action before it runs, and notes what it wrote.

What nobody wrote may be computed with, as compilers do where the result does not count. It must not
decide what is loaded, stored, moved to other lanes, or where control goes.
"""

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.code import Action
from irattn.lab.emulator.machine.waves import EXEC_WORDS, Waves
from irattn.lab.emulator.machine.written import Lost
from irattn.lab.emulator.ops.effects import Effect
from irattn.lab.emulator.ops.flows import scalars_read, scalars_written


def checked(effect: Effect) -> Action:
    """The action of an effect, after a look whether its registers exist and inputs are there."""
    act, reads, writes = effect.act, effect.reads, effect.writes
    highest = max(reads | writes, default=0)
    s_reads, s_writes = scalars_read(effect), scalars_written(effect)
    notes_writes, is_open = effect.notes_writes, effect.open or effect.anywhere

    def run(st: Waves) -> None:
        written = st.written
        if highest >= len(st.v):
            raise FaultError("a register that the kernel does not have")
        is_whole = not is_open and reads <= written.vector and s_reads <= written.scalar
        lost = None if is_whole else _lost(effect, st)
        act(st)
        if not (notes_writes or writes <= written.vector):
            written.note(writes, st.active)
        if not s_writes <= written.scalar:
            written.scalar |= s_writes
        if lost is not None:
            written.lose(lost)

    return run


def _lost(effect: Effect, st: Waves) -> Lost | None:
    """The bits that an effect loses; FaultError where it may not compute with unwritten ones."""
    st.written.check_scalars(scalars_read(effect) - effect.s_may_lack)
    effect.need(st, effect.may_lack)
    if effect.loses is None:
        return None
    lost = effect.loses(st)
    if any(lost.scalars[word].any() for word in EXEC_WORDS & lost.scalars.keys()):
        # Who executes.
        for register in sorted(effect.reads):
            st.written.need(register, st.active)
        st.written.check_scalars(effect.s_reads)
    return lost
