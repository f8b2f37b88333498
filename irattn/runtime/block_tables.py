"""Check the block table of a call, and put block 0 where no query looks."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.core.tensors import Role, TensorType, largest
from irattn.runtime.device_array import DeviceArray, on_host
from irattn.specs import Spec

# What decides how much of a block table is used: contexts, and where the first queries stand.
_OF_SEQUENCES = (Role.KEY_LENGTHS, Role.QUERY_LENGTHS, Role.QUERY_BOUNDS, Role.OFFSETS)

# The same of the blocks that groups of sequences share.
_OF_GROUPS = (Role.SHARED_LENGTHS,)
TABLES = (Role.BLOCK_IDS, Role.SHARED_IDS)
DECIDING = (*_OF_SEQUENCES, *_OF_GROUPS)

# Calls that one table was cleaned for: a model has layers of few kinds.
_MOST_CALLS = 8

# Contents of so many bytes are kept, to be compared with those of the next call.
_FEW_BYTES = 4096


def check_of(tensor: TensorType) -> Any:
    """The key of the check that a tensor's values take: equal where the checks are the same."""
    return tensor.role, tensor.limits


def few_contents(array: np.ndarray) -> object:
    """A key of an array's contents: equal for equal contents of one shape and type.

    The key of a large array equals no other: to keep the contents would cost as much as to check
    them.
    """
    return array.tobytes() if array.nbytes <= _FEW_BYTES else object()


def deciding_of(table: TensorType) -> tuple[Role, ...]:
    """The roles of what decides how much of a block table is used."""
    return _OF_GROUPS if table.role == Role.SHARED_IDS else _OF_SEQUENCES


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
        self._block_size = spec.block_size
        self._queries = largest(spec.num_queries)
        self._starts = spec.block_size * np.arange(spec.max_blocks)
        # The first position of the first query at which a page has left the window.
        self._leaves = None
        if spec.window_left is not None and spec.alignment != "top_left":
            self._leaves = self._starts + spec.block_size + spec.window_left
        deciding = deciding_of(tensor)
        at = {one.role: i for i, one in enumerate(inputs) if one.role in deciding}
        self._has_offsets, self._is_packed = Role.OFFSETS in at, Role.QUERY_BOUNDS in at
        if self._has_offsets:
            # Where the first query stands then does not depend on how many there are.
            at = {role: i for role, i in at.items() if role in (Role.KEY_LENGTHS, Role.OFFSETS)}
        # Of contexts, and of offsets or of queries' lengths or bounds where there are any.
        self._decided_at = [at[role] for role in deciding if role in at]
        # The contents of the last of NumPy's, with those of its lengths, and what was made of it.
        self._last: tuple[object, np.ndarray | None] = (None, None)
        # What a cleaned table depends on besides the lengths; a text's hash is found once.
        self._decides = str(
            (tensor.limits, spec.block_size, self._queries, spec.window_left, spec.alignment)
        )

    def checked(self, table: Any, arrays: Sequence[Any]) -> Any:
        """A call's table, cleaned where it must be; `arrays` are all of the call.

        A device array stays on its device, where a cleaned one is made once for the same lengths.
        """
        at = self._decided_at
        made_for = arrays[at[0]], arrays[at[-1]], self._decides
        if self._is_kept and (made := table._cleaned.get(made_for)) is not None:
            return made
        deciding = [on_host(arrays[i]) for i in at]
        if type(table) is not DeviceArray:
            return self._of_numpy(table, deciding)
        contents = on_host(table)
        cleaned = self._cleaned(contents, *deciding)
        if cleaned is contents:
            table._pass(check_of(self._tensor))
            return table
        made = table._of_same_type(cleaned)
        if self._is_kept:
            kept = table._cleaned if len(table._cleaned) < _MOST_CALLS else {}
            table._cleaned = {**kept, made_for: made}
        return made

    def _of_numpy(self, table: np.ndarray, deciding: list[np.ndarray]) -> np.ndarray:
        """A table that all layers of a step are given is cleaned once."""
        contents = [few_contents(array) for array in (table, *deciding)]
        last, made = self._last
        if contents != last:
            cleaned = self._cleaned(table, *deciding)
            made = None if cleaned is table else cleaned
            self._last = contents, made
        return table if made is None else made

    def _cleaned(
        self, table: np.ndarray, lens: np.ndarray, queries: np.ndarray | None = None
    ) -> np.ndarray:
        """The table itself where all its entries name blocks."""
        if self._tensor.is_within_limits(table):
            return table
        is_used = self._starts < lens[:, None]
        if self._leaves is not None:
            is_used &= self._first_queries(lens, queries)[:, None] < self._leaves
        cleaned = np.where(is_used, table, 0)
        if not self._tensor.is_within_limits(cleaned):
            self._refuse(cleaned, lens)
        return cleaned

    def _first_queries(self, lens: np.ndarray, queries: np.ndarray | None) -> np.ndarray:
        """The position of each sequence's first query.

        `queries` are offsets, or real lengths, or the bounds of packed ones.
        """
        if self._has_offsets and queries is not None:
            return queries
        if queries is None:
            queries = np.full_like(lens, self._queries)
        first: np.ndarray = lens - (np.diff(queries) if self._is_packed else queries)
        return first

    def _refuse(self, cleaned: np.ndarray, lens: np.ndarray) -> NoReturn:
        last = self._tensor.limits[1] if self._tensor.limits else 0
        b, page = np.argwhere((cleaned < 0) | (cleaned > last))[0]
        count = -(-lens[b] // self._block_size)
        raise ArgumentError(
            f"{self._tensor.name}[{b}, {page}]: expected a block id from 0 to {last}, got "
            f"{cleaned[b, page]} (sequence {b} has {lens[b]} tokens and uses "
            f"{count} block{'' if count == 1 else 's'})"
        )
