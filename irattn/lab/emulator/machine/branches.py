"""The conditions of branches, as bool [waves]: whether each wave goes to the target."""

from collections.abc import Callable

import numpy as np

from irattn.lab.emulator.isa.fields import SCC
from irattn.lab.emulator.machine.waves import VCC, Waves


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
# Those that look at VCC, and at the condition code.
OF_VCC = ("s_cbranch_vccz", "s_cbranch_vccnz")
_OF_SCC = ("s_cbranch_scc0", "s_cbranch_scc1")


def check_condition(name: str, st: Waves) -> None:
    """FaultError where what nobody wrote decides a branch."""
    if name in _OF_SCC:
        st.written.check_scalars(frozenset((SCC,)))
    if name in OF_VCC:
        words = range(VCC, VCC + st.lanes // 32)
        # One bit that is known to be set is enough.
        is_known = np.any([st.s[word] & st.written.known_bits(word) for word in words], axis=0)
        if not is_known.all():
            st.written.check_scalars(frozenset(words))
