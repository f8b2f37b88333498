"""The conditions of branches, as bool [waves]: whether each wave goes to the target."""

from collections.abc import Callable

import numpy as np

from irattn.emulator.machine.waves import VCC, Waves


def _some_vcc(st: Waves) -> np.ndarray:
    """Whether a bit of VCC is set."""
    return np.asarray(st.s[VCC : VCC + st.lanes // 32].any(axis=0))


def _some_lane(st: Waves) -> np.ndarray:
    """Whether a lane executes."""
    return np.asarray(np.broadcast_to(st.active, (st.count, st.lanes)).any(axis=1))


CONDITIONS: dict[str, Callable[[Waves], np.ndarray]] = {
    "s_cbranch_scc0": lambda st: ~st.scc,
    "s_cbranch_scc1": lambda st: st.scc,
    "s_cbranch_vccz": lambda st: ~_some_vcc(st),
    "s_cbranch_vccnz": _some_vcc,
    "s_cbranch_execz": lambda st: ~_some_lane(st),
    "s_cbranch_execnz": _some_lane,
}
# Those that look at VCC.
OF_VCC = ("s_cbranch_vccz", "s_cbranch_vccnz")
