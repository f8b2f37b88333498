"""A machine with random registers and memory that executes one load or store."""

import numpy as np

from irattn.lab.emulator.machine.waves import EXEC
from support.emulator.machine import ACCUMULATORS, MASK, WAVES, Machine
from support.emulator.moves import Move, Word, carry_out

CDNA = ("gfx90a", "gfx942")
# Bytes of LDS, of one lane's scratch, and of a buffer.
LDS, SCRATCH, BUFFER = 32768, 64, 16384
# Registers: the address, what is moved, and a scalar base.
ADDRESS, DATA, BASE = 10, 24, 20
# Bytes from one lane's place to another's.
PITCH = 48


class Scene:
    """A machine with random registers and memory, and what it should hold afterwards."""

    def __init__(self, gfx: str, *, some: bool = False) -> None:
        self.rng = np.random.default_rng(7)
        self.gfx = gfx
        self.machine = Machine(gfx, checks=True, lds=LDS, scratch=SCRATCH)
        waves, self.lanes = self.machine.waves, self.machine.lanes
        self.v, self.s = waves.v, waves.s
        self.v[...] = self.rng.integers(0, 1 << 32, self.v.shape, np.uint32)
        waves.written.vector.update(range(len(self.v)))
        self.s[:106] = self.rng.integers(0, 1 << 32, (106, WAVES), np.uint32)
        waves.written.scalar.update(range(106))
        self.lds, self.scratch = waves.around.lds, waves.around.scratch
        for space in (self.lds, self.scratch):
            given = self.rng.integers(0, 256, (1, space.size), np.uint32)
            space.write_part(np.arange(space.size)[None], given, 1, True)
        image = self.rng.integers(0, 256, BUFFER, np.uint8)
        self.buffer = self.machine.memory.allocate("buffer", BUFFER, image)
        self.active = np.ones((WAVES, self.lanes), bool)
        if some:
            self.switch(self.rng.random(self.active.shape) < [[0.5], [0.0], [0.8]])

    def switch(self, active: np.ndarray) -> None:
        """Let these lanes execute."""
        self.active = active
        for i in range(self.lanes // 32):
            self.s[EXEC + i] = active[:, 32 * i : 32 * i + 32] @ (1 << np.arange(32))
        self.machine.waves.set_exec()

    def places(self, unit: int) -> np.ndarray:
        """A place for each lane that no other lane has, aligned to 1, 2 or 4: [waves, lanes]."""
        order = self.rng.permutation(WAVES * self.lanes).reshape(WAVES, self.lanes)
        return 64 + PITCH * order + 4 * (order % 8) + (order % 4 & -unit)

    def point(self, register: int, addresses: np.ndarray) -> None:
        """Write addresses to the lanes that execute."""
        words = addresses.astype(np.uint64).astype(np.uint32)
        self.v[register] = np.where(self.active, words, self.v[register])

    def base(self, register: int, addresses: np.ndarray) -> None:
        """Write each wave's 64-bit address to two scalar registers."""
        self.s[register], self.s[register + 1] = addresses & MASK, addresses >> 32

    def held(self) -> dict[str, np.ndarray]:
        """All that there is, copied."""
        return {
            "vector registers": self.v.copy(),
            "scalar registers": self.s.copy(),
            "scc": self.machine.waves.scc.copy(),
            "buffer": self.machine.memory.get(self.buffer, BUFFER),
            "LDS": self.lds.units[1].copy(),
            "scratch": self.scratch.units[1].copy(),
        }

    def run(self, instruction: Word, expected: dict[str, np.ndarray]) -> None:
        """Execute and compare."""
        self.machine.run(instruction)
        held = self.held()
        for name, wanted in expected.items():
            np.testing.assert_array_equal(held[name], wanted, err_msg=name)

    def move(
        self, move: Move, memory: np.ndarray, v: np.ndarray, at: np.ndarray, own: int, limit: int
    ) -> None:
        """Carry out what the lanes that execute do; memory is one, or one for each lane."""
        for lane in zip(*np.nonzero(self.active), strict=True):
            of_lane = memory if memory.ndim == 1 else memory[lane]
            carry_out(move, of_lane, v[:, *lane], int(at[lane]), own, limit)

    def data(self, move: Move, way: str) -> tuple[dict[str, int], int]:
        """Fields for what is moved, and the register that these mean.

        A load of all lanes overwrites its own address; where there are accumulation registers,
        some lanes move these.
        """
        number = ADDRESS if move.is_load and "some" not in way else DATA
        if self.gfx in CDNA and "some" in way:
            return {"acc": 1}, number + ACCUMULATORS
        return {}, number


def number_of(register: int) -> int:
    """What a field says for a register that may be one for accumulation."""
    return register % ACCUMULATORS


def no_register(gfx: str) -> int:
    """What stands for a scalar address that is not there."""
    return 127 if gfx in CDNA else 124
