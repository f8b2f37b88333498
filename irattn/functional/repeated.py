"""Calls with PyTorch's tensors on a GPU that were made before: what is known of them is kept.

A call's sizes, types and options decide which kernel it has and how that is given the tensors. The
layers of a model make the same call one after the other, and to find this out takes the host longer
than to launch the kernel.
"""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.direct.addresses import ALIGNMENT
from irattn.runtime.kernel import Kernel

_BEYOND = ALIGNMENT - 1

# The inputs in which heads come before tokens, or tokens before heads.
_TURNED = ("query", "key", "value")


class View(NamedTuple):
    """A kernel's input: the call's tensor of this number, dense, or in a shape and strides."""

    number: int
    shape: Any | None = None
    strides: Any | None = None

    def of(self, given: tuple[Any, ...]) -> Any:
        """The input, of a call's tensors."""
        number, shape, strides = self
        tensor = given[number]
        return tensor.contiguous() if shape is None else tensor.as_strided(shape, strides)

    @classmethod
    def between(
        cls, number: int, own: Any, taken: Any, *, is_turned: bool = False
    ) -> "View | None":
        """How a kernel was given a tensor of a call's; None where not even a dense copy says it.

        `is_turned` says that what was taken has two axes the other way round, so that a copy of it
        is none of the tensor's, though their shapes may be the same.
        """
        if getattr(taken, "data_ptr", int)() == own.data_ptr():
            is_same = taken.shape == own.shape and own.is_contiguous()
            return cls(number) if is_same else cls(number, taken.shape, taken.stride())
        is_copy = not is_turned and (taken.shape, taken.dtype) == (own.shape, own.dtype)
        return cls(number) if is_copy and not own.is_contiguous() else None


class RepeatedCall(NamedTuple):
    """The kernel of calls that are alike, and its inputs.

    `tokens_first` says that tokens come before heads in its first output.
    """

    kernel: Kernel
    views: tuple[View, ...]
    tokens_first: bool

    def __call__(self, given: tuple[Any, ...]) -> Any:
        """The output of the call's tensors, or a tuple of several."""
        results = self.kernel(*[view.of(given) for view in self.views])
        if not self.tokens_first:
            return results
        if type(results) is tuple:
            return results[0].transpose(1, 2), *results[1:]
        return results.transpose(1, 2)


class RepeatedCalls:
    """The calls of a function that were made before.

    `numbers` says, by the names of kernels' inputs, which of a call's tensors they are.
    """

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._known: dict[Hashable, RepeatedCall] = {}

    def key(self, given: tuple[Any, ...], options: tuple[Any, ...]) -> Hashable | None:
        """All that decides what is done with a call's tensors, of which some may be None.

        None where there is nothing of the kind: of arrays of other libraries, or where an option is
        nothing to be looked up.
        """
        try:
            key = options, tuple([None if one is None else _facts(one) for one in given])
            hash(key)
        except (AttributeError, TypeError, RuntimeError):
            # PyTorch's, too, that have no memory, as sparse ones.
            return None
        return key

    def find(self, key: Hashable | None) -> RepeatedCall | None:
        """The values known of calls with a key."""
        return self._known.get(key)

    def keep(
        self,
        key: Hashable,
        kernel: Kernel,
        tensors: Mapping[str, Any],
        given: tuple[Any, ...],
        *,
        tokens_first: bool,
    ) -> None:
        """Keep what was done, if an input of the kernel is the call's tensor or a dense copy."""
        views = []
        for one in kernel.spec.inputs:
            number = self._numbers[one.name]
            is_turned = tokens_first and one.name in _TURNED
            view = View.between(number, given[number], tensors[one.name], is_turned=is_turned)
            if view is None:
                return
            views.append(view)
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[key] = RepeatedCall(kernel, tuple(views), tokens_first)


def _facts(tensor: Any) -> tuple[Any, ...]:
    """The properties of a tensor that decide how a kernel takes it."""
    begins_between = tensor.data_ptr() & _BEYOND
    where = tensor.get_device(), begins_between, tensor.requires_grad, tensor.is_neg()
    # A FakeTensor has all of these, and no memory.
    return type(tensor), tensor.shape, tensor.stride(), tensor.dtype, where
