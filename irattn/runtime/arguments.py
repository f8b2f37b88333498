"""The check of a call's arguments: names, types, and values that compiled code trusts blindly."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irattn.dtypes import dtype
from irattn.errors import ArgumentError
from irattn.specs import Spec
from irattn.tensors import Role, TensorType


def named_arguments(
    spec: Spec, arrays: Sequence[np.ndarray], tensors: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """A call's arrays by name, where the first are given in call order and the others by name.

    ArgumentError for more arrays than the op takes, and for one that is given twice.
    """
    expected = [tensor.name for tensor in spec.inputs]
    takes = f"{spec.op} takes {_list(expected)}"
    if len(arrays) > len(expected):
        raise ArgumentError(
            f"arguments: expected at most {len(expected)}, got {len(arrays)}; {takes}"
        )
    in_order = dict(zip(expected, arrays, strict=False))
    for name in tensors:
        if name in in_order:
            raise ArgumentError(f"{name}: given twice, in call order and by name; {takes}")
    return {**in_order, **tensors}


def check_arguments(spec: Spec, tensors: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The arrays in call order and in the spec's dtypes; ArgumentError for anything wrong.

    Values are checked as they come: a cast first could make a legal value of a wrong one.
    """
    expected = [tensor.name for tensor in spec.inputs]
    for name in tensors:
        if name not in expected:
            raise ArgumentError(f"{name}: not an argument of {spec.op}; it takes {_list(expected)}")
    missing = [name for name in expected if name not in tensors]
    if missing:
        raise ArgumentError(f"{_list(missing)}: missing; {spec.op} takes {_list(expected)}")
    spec = spec.of_call(tensors)
    for tensor in spec.inputs:
        # What a block table has past a context may be anything: it is replaced below.
        check = tensor.check_type if tensor.role == Role.BLOCK_IDS else tensor.check
        check(tensors[tensor.name])
    return [
        # Values are within limits that the tensor's own dtype holds.
        _checked(tensor, spec, tensors).astype(dtype(tensor.dtype).numpy, copy=False)
        for tensor in spec.inputs
    ]


def _checked(tensor: TensorType, spec: Spec, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """An array of a call, checked against what its role asks of it."""
    array = tensors[tensor.name]
    if tensor.role == Role.BLOCK_IDS:
        lens = {other.role: tensors[other.name] for other in spec.inputs}
        # A layer's pages are those of its attention.
        attention: Any = getattr(spec, "attention", spec)
        q_lens = lens.get(Role.QUERY_LENGTHS, np.array(attention.q_len))
        return _checked_table(tensor.name, attention, array, lens[Role.KEY_LENGTHS], q_lens)
    if tensor.role in (Role.QUERY_BOUNDS, Role.KEY_BOUNDS):
        _check_bounds(tensor.name, array)
    if tensor.role == Role.SLOTS:
        _check_slots(tensor.name, array)
    return array


def _check_bounds(name: str, bounds: np.ndarray) -> None:
    if bounds[0] != 0 or (np.diff(bounds) < 0).any():
        raise ArgumentError(
            f"{name}: expected numbers that begin with 0 and never fall, got {bounds.tolist()}"
        )


def _checked_table(
    name: str, spec: Any, table: np.ndarray, lens: np.ndarray, q_lens: np.ndarray
) -> np.ndarray:
    """The block table, with block 0 where no token lies that a query may see.

    The kernel reads entries past a context or before a window too, and hides what it read: they
    must name a block that exists.
    """
    last = min(spec.num_blocks - 1, np.iinfo(np.int32).max)
    blocks_used = -(-lens // spec.block_size)
    pages = np.arange(spec.max_blocks)
    is_used = (pages < blocks_used[:, None]) & (pages >= _first_pages(spec, lens - q_lens))
    bad_ids = np.argwhere(is_used & ((table < 0) | (table > last)))
    if bad_ids.size:
        b, page = bad_ids[0]
        raise ArgumentError(
            f"{name}[{b}, {page}]: expected a block id from 0 to {last}, got {table[b, page]} "
            f"(sequence {b} has {lens[b]} tokens and uses {blocks_used[b]} blocks)"
        )
    return np.where(is_used, table, 0)


def _first_pages(spec: Any, past_lens: np.ndarray) -> np.ndarray | int:
    """The first page that each sequence's window leaves to its first query: `[batch, 1]`."""
    if spec.window_left is None or spec.alignment == "top_left":
        return 0
    pages: np.ndarray = (past_lens - spec.window_left) // spec.block_size
    return pages[:, None]


def _check_slots(name: str, slots: np.ndarray) -> None:
    """Refuse a slot that two tokens are written to: which of them would stay is undefined."""
    order = np.argsort(slots, axis=None, kind="stable")
    ordered = slots.ravel()[order]
    twice = np.flatnonzero((ordered[1:] == ordered[:-1]) & (ordered[1:] != -1))
    if twice.size:
        first, second = (
            ", ".join(map(str, np.unravel_index(order[twice[0] + i], slots.shape))) for i in (0, 1)
        )
        raise ArgumentError(
            f"{name}[{second}]: expected a slot of its own, got {ordered[twice[0]]}, "
            f"which {name}[{first}] names too; -1 skips a token"
        )


def _list(names: list[str]) -> str:
    return ", ".join(names)
