"""The surroundings of a chunk's waves: memories, and who counts what they move."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from irattn.lab.emulator.machine.lds import Lds
from irattn.lab.emulator.machine.memory import Memory
from irattn.lab.emulator.machine.scratch import Scratch
from irattn.lab.emulator.machine.writers import Writers


class Meter(Protocol):
    """Counts accesses: offsets int64 [waves, lanes], bytes, lanes and groups as in `Waves`."""

    def begin(self, numbers: np.ndarray) -> None:
        """Count for the workgroups of these numbers in the grid from now on."""

    def note_global(self, at: np.ndarray, size: int, active: Any, group: np.ndarray) -> None:
        """An access to global memory."""

    def note_lds(
        self, at: np.ndarray, size: int, active: Any, group: np.ndarray, *, is_load: bool
    ) -> None:
        """An access to LDS."""


class Resource(NamedTuple):
    """The place of the buffer of waves: its offset in memory and its bytes, int64 [waves]."""

    start: np.ndarray
    size: np.ndarray


@dataclass
class Surroundings:
    """The surroundings of a chunk's waves: memories, the place of the code, and what they moved."""

    memory: Memory
    lds: Lds
    scratch: Scratch
    code_address: int
    checks: bool
    global_bytes: int = 0
    lds_bytes: int = 0
    meter: Meter | None = None
    # The workgroups' places in the grid, and who wrote where.
    numbers: np.ndarray | None = None
    writers: Writers | None = None
    # The buffers that waves were told of so far, by the words that told them.
    resources: dict[bytes, Resource] = field(default_factory=dict)
