"""Check the block table of a call, and put block 0 where no query looks."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from irattn.errors import ArgumentError
from irattn.runtime.device_array import DeviceArray, on_host
from irattn.specs import Spec
from irattn.tensors import Role, TensorType

# Calls that one table was cleaned for: a model has layers of few kinds.
_MOST_CALLS = 8


def check_of(tensor: TensorType) -> Any:
    """What tells the check of one tensor's values from that of another's."""
    return tensor.role, tensor.limits


class BlockTables:
    """The block tables of the calls of one form: checked, and with block 0 where no query looks.

    Kernels read entries past a context or before a window too, and hide what they read: these must
    name a block that exists. `is_kept` says that contents only change where this package knows.
    """

    def __init__(
        self, tensor: TensorType, call: Spec, inputs: Sequence[TensorType], is_kept: bool
    ) -> None:
        # A layer's pages are those of its attention.
        spec: Any = getattr(call, "attention", call)
        self._tensor, self._is_kept = tensor, is_kept
        self._block_size, self._q_len = spec.block_size, spec.q_len
        self._starts = spec.block_size * np.arange(spec.max_blocks)
        # The first past length at which a page has left the window.
        self._leaves = None
        if spec.window_left is not None and spec.alignment == "bottom_right":
            self._leaves = self._starts + spec.block_size + spec.window_left
        roles = [tensor.role for tensor in inputs]
        self._lens_at = roles.index(Role.KEY_LENGTHS)
        self._q_lens_at = roles.index(Role.QUERY_LENGTHS) if Role.QUERY_LENGTHS in roles else None
        # What a cleaned table depends on besides the lengths.
        self._decides = (
            tensor.limits,
            *(spec.block_size, spec.q_len, spec.window_left, spec.alignment),
        )

    def checked(self, table: Any, arrays: Sequence[Any]) -> Any:
        """A call's table, cleaned where it must be; `arrays` are all of the call.

        A device array stays on its device, where a cleaned one is made once for the same lengths.
        """
        lens = arrays[self._lens_at]
        q_lens = None if self._q_lens_at is None else arrays[self._q_lens_at]
        if type(table) is not DeviceArray:
            return self._cleaned(table, lens, q_lens)
        made_for = lens, q_lens, self._decides
        if self._is_kept and (made := table._cleaned.get(made_for)) is not None:
            return made
        contents = on_host(table)
        cleaned = self._cleaned(contents, lens, q_lens)
        if cleaned is contents:
            table._pass(check_of(self._tensor))
            return table
        made = table._of_same_type(cleaned)
        if self._is_kept:
            kept = table._cleaned if len(table._cleaned) < _MOST_CALLS else {}
            table._cleaned = {**kept, made_for: made}
        return made

    def _cleaned(self, table: np.ndarray, lens: Any, q_lens: Any) -> np.ndarray:
        """The table itself where all its entries name blocks."""
        if self._tensor.is_within_limits(table):
            return table
        lens = on_host(lens)
        is_used = self._starts < lens[:, None]
        if self._leaves is not None:
            past = lens - (self._q_len if q_lens is None else on_host(q_lens))
            is_used &= past[:, None] < self._leaves
        cleaned = np.where(is_used, table, 0)
        if not self._tensor.is_within_limits(cleaned):
            self._refuse(cleaned, lens)
        return cleaned

    def _refuse(self, cleaned: np.ndarray, lens: np.ndarray) -> NoReturn:
        last = self._tensor.limits[1] if self._tensor.limits else 0
        b, page = np.argwhere((cleaned < 0) | (cleaned > last))[0]
        raise ArgumentError(
            f"{self._tensor.name}[{b}, {page}]: expected a block id from 0 to {last}, got "
            f"{cleaned[b, page]} (sequence {b} has {lens[b]} tokens and uses "
            f"{-(-lens[b] // self._block_size)} blocks)"
        )
