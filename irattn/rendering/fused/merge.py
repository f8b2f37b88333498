"""The kernel that merges the parts of the keys: a workgroup has a row, a lane a column of it."""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.fused.arguments import Flat, Size
from irattn.rendering.fused.kernel import KernelInterface
from irattn.rendering.fused.results import Merged
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Parts that are read at once, so that a lane does not wait for one after the other.
_AT_ONCE = 16


@dataclass(frozen=True)
class MergeRun:
    """Steps from part `begin` to part `end`, so many parts at once."""

    begin: int
    end: int
    parts: int


@dataclass(frozen=True)
class Merge:
    """What the kernel reads and writes, and how it goes through the parts.

    `heads` counts those of the grid, `rows` the rows of each; `tensors` are what the parts gave.
    """

    spec: AttentionFeatures
    target: Target
    heads: int
    rows: int
    parts: int
    tensors: tuple[TensorType, ...]
    outputs: tuple[TensorType, ...]

    # It reads what the parts gave as it is.
    flats: tuple[Flat, ...] = ()
    asks_for_ids = False

    @property
    def kernel(self) -> KernelInterface:
        """The kernel from outside."""
        return KernelInterface(f"{self.spec.op}_merge", self.operands, self.sizes, self.results)

    @property
    def runs(self) -> list[MergeRun]:
        """How a lane goes through the parts, always in order."""
        full = self.parts // _AT_ONCE * _AT_ONCE
        runs = [MergeRun(0, full, _AT_ONCE), MergeRun(full, self.parts, self.parts - full)]
        return [run for run in runs if run.begin < run.end]

    @property
    def workgroup_size(self) -> int:
        """Lanes of a workgroup, one for each column of a row: whole waves."""
        wave = self.target.wave_size or 1
        return -(-self.spec.v_dim // wave) * wave

    # As the templates of every kernel ask for them.

    @property
    def operands(self) -> list[Value]:
        """What it reads."""
        sinks = [tensor for tensor in self.spec.inputs if tensor.name == "sinks"]
        return [
            Value(tensor.name, tuple(map(value_of, tensor.shape)), dtype(tensor.dtype).mlir)
            for tensor in (*self.tensors, *sinks)
        ]

    @property
    def results(self) -> list[Merged]:
        """What it writes."""
        return [
            Merged(Flat(tensor, self.spec.v_dim if tensor.name == "output" else None))
            for tensor in self.outputs
        ]

    @property
    def sizes(self) -> list[Size]:
        """The sizes that a call chooses."""
        flat = (result.flat.length for result in self.results)
        batch = [Size(f"{self._batch.name}_dim")] if isinstance(self._batch, DynamicSize) else []
        return [*batch, *(length for length in flat if isinstance(length, Size))]

    @property
    def known_sizes(self) -> dict[str, int]:
        """The sizes that are known."""
        batch = {} if isinstance(self._batch, DynamicSize) else {"sequences": self._batch}
        return {**batch, "heads": self.heads, "tiles": self.rows}

    def at(self, name: str) -> str:
        """The value that has a size."""
        return f"%{name}" if name in self.known_sizes else str(value_of(self._batch))

    @property
    def _batch(self) -> AnySize:
        return self.spec.size("batch")
