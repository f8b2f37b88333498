"""Numbers that say where sequences lie: bounds, lengths and blocks, kept for calls that follow."""

from importlib import import_module
from typing import Any, TypeAlias

from irattn.runtime.hub.dense import integers
from irattn.runtime.hub.shaped import Shaped

torch: Any = import_module("torch")

Tensor: TypeAlias = Any

_MOST_MADE = 1024

_made: dict[Any, Tensor] = {}


def dense_places(sequences: int, q_len: int, kv_len: int, device: Any) -> dict[str, Any]:
    """Where sequences of one length lie, whose blocks of one token are one after the other."""
    table = Shaped(counting(sequences * kv_len, device), (sequences, kv_len))
    lengths = lengths_in(kv_len, kv_len, sequences, device)
    return places_of(bounds_of(sequences, q_len, device), table, lengths)


def places_of(bounds: Tensor, table: Any, lengths: Tensor) -> dict[str, Any]:
    """The inputs that say where queries and the blocks of their keys lie."""
    return {"cu_seqlens_q": bounds, "block_table": table, "context_lens": lengths}


def page_table(table: Tensor | None, rows: Tensor | None, batch: int, device: Any) -> Any:
    """Pages as a caller names them: by a table, else sequences are pages, those of `rows`."""
    if table is not None:
        return integers(table)
    return Shaped(counting(batch, device) if rows is None else integers(rows), (batch, 1))


def lengths_in(lengths: Tensor | int | None, most: int, batch: int, device: Any) -> Tensor:
    """The tokens of each sequence that are in the cache before the call; None for all of them."""
    if isinstance(lengths, torch.Tensor):
        return integers(lengths.expand(batch) if lengths.shape != (batch,) else lengths)
    number = most if lengths is None else lengths
    return torch.full((batch,), number, dtype=torch.int32, device=device)


def bounds_of(batch: int, length: int, device: Any) -> Tensor:
    """Where sequences of one length begin and end."""
    key = (batch, length, device)
    bounds = _made.get(key)
    if bounds is None:
        bounds = torch.arange(batch + 1, dtype=torch.int32, device=device) * length
        _keep(key, bounds)
    return bounds


def counting(length: int, device: Any) -> Tensor:
    """0, 1, 2 and so on: at least so many numbers, mostly those that an earlier call has made."""
    size = 1 << (length - 1).bit_length()
    numbers = _made.get((size, device))
    if numbers is None:
        numbers = torch.arange(size, dtype=torch.int32, device=device)
        _keep((size, device), numbers)
    return numbers


def _keep(key: Any, made: Tensor) -> None:
    """Keep a tensor for later calls, for ever: captured graphs may have its address.

    A tensor made while a graph is captured has no contents yet.
    """
    is_captured = made.is_cuda and torch.cuda.is_current_stream_capturing()
    if len(_made) < _MOST_MADE and not is_captured:
        _made[key] = made
