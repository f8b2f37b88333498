"""Loads from memory right into LDS: what they bring is there once their wave has waited."""

from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError

# So many waves a workgroup has at most.
_WAVES = 32


class DirectLoads:
    """Which words of LDS are filled by which load of which wave of their workgroup.

    Loads are numbered by what their wave has begun. Others may look when it has waited and then
    come to a barrier, before that it must not look itself. A barrier alone is no wait: loads may be
    for what comes after several of them.
    """

    def __init__(self, size: int) -> None:
        self._words = size // 4
        # `number << 8 | wave + 1`, once there is one.
        self._tags: np.ndarray | None = None
        # The last load that each wave, [workgroups, waves], had waited for at its last barrier.
        self._known = np.zeros((0, _WAVES), np.int64)

    def begin(
        self, at: np.ndarray, size: int, active: Any, wave: np.ndarray, number: np.ndarray
    ) -> None:
        """Note that the loads of these numbers bring so many bytes: `at` is [waves, lanes]."""
        if self._tags is None:
            self._tags = np.zeros(self._words, np.int64)
        tags = np.broadcast_to((number << 8 | wave + 1)[:, None], at.shape)
        lanes = np.broadcast_to(active, at.shape)
        for word in range(size // 4):
            self._tags[(at[lanes] >> 2) + word] = tags[lanes]

    def pass_barrier(self, group: np.ndarray, wave: np.ndarray, ended: np.ndarray) -> None:
        """Waves come to a barrier that have waited for loads up to a number."""
        if self._tags is not None:
            self._has(group)
            self._known[group, wave] = ended

    def check(
        self,
        at: np.ndarray,
        size: int,
        active: Any,
        group: np.ndarray,
        wave: np.ndarray,
        ended: np.ndarray,
    ) -> None:
        """FaultError where an access comes before what is loaded to its place."""
        if self._tags is None:
            return
        self._has(group)
        for byte in {*range(0, size, 4), size - 1}:
            tags = self._tags.take(at + byte >> 2, mode="clip")
            loader = np.maximum((tags & 0xFF) - 1, 0)
            known = self._known[group[:, None], loader]
            known = np.where(loader == wave[:, None], ended[:, None], known)
            early = (tags >> 8 > known) & active
            if early.any():
                raise FaultError(
                    "access to LDS before what is loaded right into it is there", early
                )

    def _has(self, group: np.ndarray) -> None:
        """Make room for workgroups."""
        more = int(group.max(initial=-1)) + 1 - len(self._known)
        if more > 0:
            self._known = np.concatenate([self._known, np.zeros((more, _WAVES), np.int64)])
