"""How logits become integers of the same order, and how a vocabulary is cut for the search."""

from dataclasses import dataclass

import numpy as np

from irattn.core.dtypes import dtype
from irattn.specs.greedy_choice import GreedyChoiceSpec
from irattn.targets import Target

# Whole steps of a GPU's waves: a workgroup searches a part, and then one searches what all found.
# Of a vocabulary without parts, one wave would search all, for a thousand times as long.
_WIDTH, _STEP = 1024, 32


@dataclass(frozen=True)
class GreedyChoice:
    """The bits of a logit are a sign, and a magnitude that grows with the number."""

    spec: GreedyChoiceSpec
    target: Target

    @property
    def width(self) -> int:
        """Tokens of a part."""
        return min(_WIDTH, _whole_steps(self.spec.vocab_size, _STEP))

    @property
    def parts(self) -> int:
        """Parts of the vocabulary."""
        size = self.spec.vocab_size
        return 1 if size <= _WIDTH else _whole_steps(size, _WIDTH * _STEP) // _WIDTH

    @property
    def padded_size(self) -> int:
        """Tokens of all parts."""
        return self.parts * self.width

    @property
    def padding(self) -> int:
        """Tokens that fill up the last part."""
        return self.padded_size - self.spec.vocab_size

    @property
    def bits(self) -> str:
        """The type of a logit's bits."""
        return f"i{8 * self._element.itemsize}"

    @property
    def magnitude_bits(self) -> int:
        """All bits but the sign's."""
        return int(np.iinfo(f"i{self._element.itemsize}").max)

    @property
    def infinity(self) -> int:
        """The magnitude of infinity; those of NaN are larger."""
        return self._bits_of(np.inf)

    @property
    def lowest(self) -> str:
        """Minus infinity as MLIR writes it."""
        return f"0x{self._bits_of(-np.inf):X}"

    @property
    def _element(self) -> np.dtype:
        return dtype(self.spec.io_dtype).numpy

    def _bits_of(self, value: float) -> int:
        return int(np.array(value, self._element).view(f"u{self._element.itemsize}"))


def _whole_steps(size: int, step: int) -> int:
    return -(-size // step) * step


PLANS = {("greedy_choice", "linalg"): GreedyChoice}
