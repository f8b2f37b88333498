"""Says which loads right into LDS have come, by counting what waves begin and wait for.

They end in order, and their counter is that of loads and stores of memory.
"""

import numpy as np

from irattn.lab.emulator.isa.counters import Counters
from irattn.lab.emulator.machine.code import Action
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.waits.passages import WaitStep


def counted(action: Action, step: WaitStep, counters: Counters) -> Action:
    """The action of a step in a kernel that loads right into LDS."""
    counter = counters.of["load"]
    begins = sum(operation.counter == counter for operation in step.begins)
    most = step.waits.get(counter)

    def act(st: Waves) -> None:
        action(st)
        st.loads_begun = st.loads_begun + begins
        if most is not None:
            st.loads_ended = np.maximum(st.loads_ended, st.loads_begun - most)

    return action if most is None and not begins else act
