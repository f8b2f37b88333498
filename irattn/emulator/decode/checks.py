"""Checks the registers of an action before it runs, and notes what it wrote.

What nobody wrote may be computed with, as compilers do where the result does not count. It must not
decide what is loaded, stored, moved to other lanes, or where control goes.
"""

import numpy as np

from irattn.emulator.faults import FaultError
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.effects import Effect


def checked(effect: Effect) -> Action:
    """Its action, after a look whether its registers are there, and written where it reads them."""
    act, reads, writes = effect.act, effect.reads, effect.writes
    highest = max(reads | writes, default=0)
    s_reads, s_writes, notes_writes = effect.s_reads, effect.s_writes, effect.notes_writes
    flows = effect.flows
    s_needed = s_reads.difference(*[scalars for _, _, scalars in flows or ()])

    def run(st: Waves) -> None:
        written = st.written
        if highest >= len(st.v):
            raise FaultError("a register that the kernel does not have")
        lost: list[tuple[frozenset[int], np.ndarray]] = []
        s_lacks = not s_reads <= written.scalar
        if s_lacks:
            written.check_scalars(s_needed)
        gap = None if reads <= written.vector else written.missing(reads, st.active)
        if gap and flows is None:
            raise FaultError(f"read of v{gap[0]}, which was never written", gap[1])
        if gap or s_lacks:
            lost = [
                (into, written.lacking(given, scalars, st.active))
                for into, given, scalars in flows or ()
            ]
        act(st)
        if not (notes_writes or writes <= written.vector):
            written.note(writes, st.active)
        if not s_writes <= written.scalar:
            written.scalar |= s_writes
        for into, lanes in lost:
            written.forget(into, s_writes, lanes)

    return run
