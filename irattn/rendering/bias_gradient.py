"""The gradient of a bias: that of every logit, summed along the axes that the bias has not."""

from dataclasses import dataclass
from typing import Any

from irattn.core.tensors import Role
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.logits import AXES


@dataclass(frozen=True)
class BiasGradient:
    """The axes of a spec's bias, of which there may be none."""

    spec: AttentionBackwardSpec

    @property
    def letters(self) -> list[str]:
        """The axes that the bias varies along, as maps name them."""
        return [letter for letter, axis in zip("bhmt", AXES, strict=True) if axis in self._axes]

    @property
    def iterators(self) -> list[str]:
        """The kinds of loops of a sum along the axes that the bias has not."""
        return ["parallel" if axis in self._axes else "reduction" for axis in AXES]

    @property
    def sizes(self) -> list[Any]:
        """The sizes of the axes that the bias varies along."""
        return [size for axis, size in self.spec.axis_sizes.items() if axis in self._axes]

    @property
    def groups(self) -> list[list[int]]:
        """The axes of the bias that each of these becomes: an axis of size 1 goes with another."""
        groups: list[list[int]] = [[]]
        for number, axis in enumerate(AXES):
            groups[-1].append(number)
            if axis in self._axes:
                groups.append([])
        left = groups.pop()
        groups[-1] += left
        return groups

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the bias."""
        tensor = next(one for one in self.spec.inputs if one.role == Role.BIAS)
        return tensor.largest_shape

    @property
    def is_of_all(self) -> bool:
        """Whether the bias varies along all axes, so that nothing is summed."""
        return set(self._axes) == set(AXES)

    @property
    def _axes(self) -> str:
        return self.spec.bias or ""
