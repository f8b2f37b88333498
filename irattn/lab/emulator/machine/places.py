"""The LDS addresses in one register, with their bounds."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass
class Places:
    """LDS addresses of one register in the LDS of the chunk, and their bounds.

    `base` is where the LDS of each wave's workgroup begins. `least` and `most` are the lowest and
    the highest address from there, `low` has the low bits that any of them has.
    """

    base: np.ndarray
    at: np.ndarray
    least: int
    most: int
    low: int
    units: dict[int, np.ndarray] = field(default_factory=dict)

    @cached_property
    def groups(self) -> frozenset[int]:
        """The workgroups, by `base`."""
        return frozenset(self.base.ravel().tolist())

    @property
    def address(self) -> np.ndarray:
        """The addresses as they were in the register."""
        address: np.ndarray = self.at - self.base
        return address

    def index(self, size: int) -> np.ndarray:
        """`at` in units of 1, 2 or 4 bytes."""
        index = self.units.get(size)
        if index is None:
            index = self.units[size] = self.at >> (size >> 1)
        return index

    def lies_on(self, size: int) -> bool:
        """Whether all places are multiples of 1, 2 or 4 bytes."""
        return not self.low & (size - 1)
