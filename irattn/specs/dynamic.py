"""Sizes that a call chooses, up to what the spec states, and the order of heads and tokens."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from irattn.core.errors import ArgumentError, SpecError, shown
from irattn.core.tensors import AnySize, DynamicSize, TensorType, largest
from irattn.specs.base import Spec
from irattn.specs.features import AttentionFeatures
from irattn.specs.layouts import check_layout, laid_out

# Compiled code takes these lengths in whole steps: matrix instructions need to know that no step
# is cut short. The other sizes are taken as they come.
_MULTIPLES = {"q_len": 64, "kv_len": 64}


class SizedByCalls(Spec):
    """A spec whose calls may choose sizes, those that `dynamic` names, by their tensors' shapes."""

    @property
    def dynamic(self) -> tuple[str, ...]:
        """The sizes that every call chooses for itself."""
        raise NotImplementedError

    def size(self, name: str) -> AnySize:
        """A size of an axis; a DynamicSize where every call chooses its own."""
        raise NotImplementedError

    def of_call(self, tensors: Mapping[str, np.ndarray]) -> Self:
        """The static spec with the sizes that a call's tensors have.

        ArgumentError where tensors disagree on a size; a size beyond its maximum is the tensors'
        own check's business.
        """
        if not self.dynamic:
            return self
        sizes: dict[str, int] = {}
        first: dict[str, str] = {}
        for tensor in self.inputs:
            tensor.check_type(tensors[tensor.name])
            for size, length in zip(tensor.shape, tensors[tensor.name].shape, strict=True):
                if not isinstance(size, DynamicSize):
                    continue
                expected = sizes.setdefault(size.name, length)
                where = first.setdefault(size.name, tensor.name)
                if length != expected:
                    raise ArgumentError(
                        f"{tensor.name}: expected {size.name} {expected} as in {where}, "
                        f"got {length}"
                    )
        return self.of_sizes(sizes)

    @property
    def calls(self) -> tuple[Self, ...]:
        """The smallest sizes, odd ones and the largest; lengths within a step and of whole ones."""
        if not self.dynamic:
            return (self,)
        most = {name: largest(self.size(name)) for name in self.dynamic}
        odd = {name: (2 * size // 3) | 1 for name, size in most.items()}
        sizes = ({name: 1 for name in most}, {n: min(odd[n], most[n]) for n in most}, most)
        return tuple(dict.fromkeys(map(self.of_sizes, sizes)))

    def of_sizes(self, sizes: Mapping[str, int]) -> Self:
        """The static spec with these sizes, and the largest where none is named."""
        return self.replace(**sizes, dynamic=())


@dataclass(frozen=True, kw_only=True)
class DynamicSizes(SizedByCalls):
    """A spec some of whose sizes are the largest that a call may have.

    `dynamic` names them, some of `dynamic_names`; every call then chooses its own sizes, from 1 to
    the field's value, by the shapes of its tensors.
    """

    dynamic_names: ClassVar[tuple[str, ...]] = ()

    dynamic: tuple[str, ...] = ()

    def _check_dynamic(self) -> None:
        allowed = self.dynamic_names
        # As commands take it: `--set dynamic=q_len,kv_len`.
        given = self.dynamic.split(",") if isinstance(self.dynamic, str) else self.dynamic
        known = ", ".join(allowed) or "nothing"
        if not isinstance(given, list | tuple):
            raise SpecError(f"dynamic: expected a list of some of {known}, got {shown(given)}")
        for name in given:
            if name not in allowed:
                raise SpecError(f"dynamic: {self.op} takes {known}, got {shown(name)}")
        if len(set(given)) != len(given):
            raise SpecError(f"dynamic: expected every name once, got {list(given)}")
        object.__setattr__(self, "dynamic", tuple(name for name in allowed if name in given))

    def size(self, name: str) -> AnySize:
        value: int = getattr(self, name)
        return DynamicSize(value, name) if name in self.dynamic else value

    @property
    def compiled(self) -> Self:
        """A size that is always 1 is static."""
        return self.replace(dynamic=tuple(n for n in self.dynamic if getattr(self, n) > 1))


@dataclass(frozen=True, kw_only=True)
class BatchOfTokens(DynamicSizes):
    """A spec of `batch` sequences of `q_len` tokens each: a call may choose both."""

    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len")

    @property
    def tokens(self) -> tuple[AnySize, AnySize]:
        """The shape of what there is one of for each token."""
        return (self.size("batch"), self.size("q_len"))

    @property
    def rows(self) -> AnySize:
        """Tokens of the batch, one row for each; `rows` where a call chooses how many."""
        batch, q_len = self.tokens
        rows = batch * q_len
        return DynamicSize(rows.most, "rows") if isinstance(rows, DynamicSize) else rows


@dataclass(frozen=True, kw_only=True)
class DynamicAttention(DynamicSizes, AttentionFeatures):
    """Attention whose sizes may be dynamic, and whose heads may come before or after tokens.

    `layout` is `HND`, heads before tokens in queries, keys, values, caches and the output, or
    `NHD`, tokens before heads. `lse`, `bias` and `keep_mask` have heads before queries in both.
    """

    ragged: bool = False
    layout: str = "HND"

    @property
    def has_tokens_first(self) -> bool:
        return self.layout == "NHD"

    def laid_out(self, heads: int, tokens: AnySize) -> tuple[AnySize, AnySize]:
        """Both axes in the order of the layout."""
        return laid_out(self.layout, heads, tokens)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        output, *others = super().outputs
        rows = self.laid_out(self.num_q_heads, self.num_queries)
        return (replace(output, shape=(self.size("batch"), *rows, self.v_dim)), *others)

    def _check_sizes(self) -> None:
        check_layout(self.layout)
        self._check_dynamic()

    def size(self, name: str) -> AnySize:
        size = super().size(name)
        return replace(size, multiple=_step(name)) if isinstance(size, DynamicSize) else size

    @property
    def compiled(self) -> Self:
        """Lengths are padded to whole steps; with `ragged`, the function is told the real ones.

        A size that is always one step is static.
        """
        steps = {name: _step(name) for name in self.dynamic}
        padded = {name: -(-getattr(self, name) // step) * step for name, step in steps.items()}
        return self.replace(
            **padded,
            dynamic=tuple(name for name in steps if padded[name] > steps[name]),
            ragged=self.ragged or any(name in _MULTIPLES for name in steps),
        )


def _step(name: str) -> int:
    return _MULTIPLES.get(name, 1)
