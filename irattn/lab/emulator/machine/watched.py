"""The way that single waves take through a kernel's code."""

import numpy as np

from irattn.lab.emulator.machine.waves import Waves


class Watched:
    """The blocks that the first waves of the first and the last of some workgroups come to."""

    def __init__(self, workgroups: int) -> None:
        self._ways: dict[int, list[int]] = {0: [], workgroups - 1: []}

    def note(self, start: int, state: Waves) -> None:
        """Waves execute the block that begins at a number."""
        groups = state.group[state.slot == 0]
        for group, way in self._ways.items():
            if np.any(groups == group):
                way.append(start)

    @property
    def longest(self) -> tuple[int, ...]:
        """The blocks of that wave which came to most."""
        return max(map(tuple, self._ways.values()), key=len)
