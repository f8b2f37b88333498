"""Check the block table of a call, and put block 0 where no query looks."""

from typing import Any

import numpy as np

from irattn.errors import ArgumentError
from irattn.runtime.device_array import DeviceArray, on_host
from irattn.specs import Spec
from irattn.tensors import TensorType

# Calls that one table was cleaned for: a model has layers of few kinds.
_MOST_CALLS = 8


def check_of(tensor: TensorType) -> Any:
    """What tells the check of one tensor's values from that of another's."""
    return tensor.role, tensor.limits


def checked_table(
    tensor: TensorType, call: Spec, table: np.ndarray, lens: Any, q_lens: Any
) -> np.ndarray:
    """A NumPy table, cleaned; the lengths are arrays of either kind, `q_lens` None if all real."""
    # A layer's pages are those of its attention.
    attention: Any = getattr(call, "attention", call)
    queries = np.array(attention.q_len) if q_lens is None else on_host(q_lens)
    return _checked_table(tensor.name, attention, table, on_host(lens), queries)


def checked_table_on_device(
    tensor: TensorType, call: Spec, table: DeviceArray, lens: Any, q_lens: Any
) -> DeviceArray:
    """The table itself where all its entries name blocks, else a cleaned one on its device.

    That is made once for the same lengths, unless another library may change any of them.
    """
    is_kept = all(
        array is None or (isinstance(array, DeviceArray) and array._passed is not None)
        for array in (table, lens, q_lens)
    )
    made_for = (lens, q_lens, _what_decides(tensor, call)) if is_kept else None
    if made_for in table._cleaned:
        return table._cleaned[made_for]
    contents = on_host(table)
    if tensor.is_within_limits(contents):
        table._pass(check_of(tensor))
        return table
    cleaned = table._of_same_type(checked_table(tensor, call, contents, lens, q_lens))
    if is_kept:
        kept = table._cleaned if len(table._cleaned) < _MOST_CALLS else {}
        table._cleaned = {**kept, made_for: cleaned}
    return cleaned


def _what_decides(tensor: TensorType, call: Spec) -> tuple[Any, ...]:
    """What a cleaned table depends on besides the lengths."""
    attention: Any = getattr(call, "attention", call)
    fields = ("block_size", "q_len", "window_left", "alignment")
    return (tensor.limits, *(getattr(attention, field) for field in fields))


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
    if spec.window_left is None or spec.alignment != "bottom_right":
        return 0
    pages: np.ndarray = (past_lens - spec.window_left) // spec.block_size
    return pages[:, None]
