"""Says which accesses have ended by counting what waves begin and wait for.

Loads right into LDS end in order, and their counter is that of loads and stores of memory. So do
operations of LDS; what else their counter counts can only make a wait longer.
"""

import numpy as np

from irattn.lab.emulator.isa.counters import Counters
from irattn.lab.emulator.machine.code import Action
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.waits.passages import WaitStep


def counted(action: Action, step: WaitStep, counters: Counters, *, lands: bool) -> Action:
    """The action of a step in a kernel, which loads right into LDS where something `lands`."""
    action = _counted_lds(action, step, counters)
    return _counted_loads(action, step, counters) if lands else action


def _counted_lds(action: Action, step: WaitStep, counters: Counters) -> Action:
    counter = counters.of["lds"]
    begins = sum(operation.order == "lds" for operation in step.begins)
    most = step.waits.get(counter)
    full = counters.most[counter]

    def act(st: Waves) -> None:
        action(st)
        st.lds_begun = st.lds_begun + begins
        underway = full if most is None else most
        st.lds_ended = np.maximum(st.lds_ended, st.lds_begun - underway)

    return action if most is None and not begins else act


def _counted_loads(action: Action, step: WaitStep, counters: Counters) -> Action:
    counter = counters.of["load"]
    begins = sum(operation.counter == counter for operation in step.begins)
    most = step.waits.get(counter)

    def act(st: Waves) -> None:
        action(st)
        st.loads_begun = st.loads_begun + begins
        if most is not None:
            st.loads_ended = np.maximum(st.loads_ended, st.loads_begun - most)

    return action if most is None and not begins else act
