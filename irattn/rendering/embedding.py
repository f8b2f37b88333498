"""How rows of an embedding are read on CPUs: as vectors, one dispatch.

GPUs take a gather by the compiler. On CPUs its code moves element by element.
"""

from dataclasses import dataclass
from functools import cached_property

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.core.weight_formats import weight_format
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.packed_blocks import PackedBlocks, packed_blocks
from irattn.rendering.scaled_weights import ScaledWeight, scaled_weight
from irattn.rendering.values import Value, vector_type
from irattn.specs.embedding import EmbeddingSpec
from irattn.targets import Target

# Of a workgroup, as where caches are written.
_TOKENS = 16

# What moves at once: a line of a core's cache.
_VECTOR_BYTES = 64


@dataclass(frozen=True)
class Embedding:
    """A workgroup has some tokens %t of a sequence %b."""

    spec: EmbeddingSpec
    target: Target

    @property
    def packed(self) -> PackedBlocks | None:
        """The blocks of a weight in bytes, whose numbers are made one by one."""
        name = self.spec.weight_format
        return packed_blocks(name) if name else None

    @property
    def scaled(self) -> ScaledWeight | None:
        """The scales of a weight, where they are apart."""
        spec = self.spec
        if spec.weight_format is None:
            return None
        packed = weight_format(spec.weight_format)
        return scaled_weight(packed, "weight", spec.vocab_size, spec.hidden_size)

    @property
    def is_gathered(self) -> bool:
        """Whether the compiler gathers the numbers."""
        return self.target.is_gpu or self.packed is not None

    @cached_property
    def output(self) -> Value:
        """The rows, scaled."""
        return whole(self.spec.outputs[0])

    @property
    def tokens_here(self) -> int:
        """Tokens of a workgroup."""
        return _TOKENS

    @property
    def tokens(self) -> str:
        """The name of the number of tokens of a sequence in the kernel."""
        return self._counts[1]

    @property
    def _counts(self) -> list[str]:
        """Sequences and their tokens."""
        known = zip(("sequences", "tokens"), self.output.shape, strict=False)
        return [size if isinstance(size, str) else name for name, size in known]

    @property
    def step(self) -> int:
        """Columns that move at once."""
        return _VECTOR_BYTES // dtype(self.spec.io_dtype).numpy.itemsize

    @property
    def cuts_columns(self) -> bool:
        """Whether fewer of them do so last."""
        return self.spec.hidden_size % self.step != 0

    @property
    def some(self) -> str:
        """The type of these columns."""
        return vector_type([self.step], self.output.element)

    @property
    def some_f32(self) -> str:
        """The type of these columns as they are multiplied."""
        return vector_type([self.step], "f32")

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch."""
        given = [whole(self._input("token_ids")), whole(self._input("weight"))]
        return CpuKernel(
            arguments=given,
            sources=[value.name for value in given],
            results=[self.output],
            gives=[self.output.name],
            sizes=self.output.chosen,
            constants=self._constants,
        )

    @property
    def sequences(self) -> str:
        """The name of the number of sequences in the kernel."""
        return self._counts[0]

    @property
    def _constants(self) -> dict[str, int]:
        constants = {"none": 0, "one": 1, "columns": self.spec.hidden_size, "step": self.step}
        names = ("sequences", "tokens")
        sizes = zip(names, self.output.shape, strict=False)
        return constants | {name: size for name, size in sizes if isinstance(size, int)}

    def _input(self, name: str) -> TensorType:
        return next(tensor for tensor in self.spec.inputs if tensor.name == name)


PLANS = {("embedding", "linalg"): Embedding}
