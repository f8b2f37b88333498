"""The tensors of a model's files that one parameter is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from irattn.core.dtypes import dtype
from irattn.generation.weights import Weights
from irattn.models.families.tensor_names import RowFactors

# Runs of rows, the first and the end of each.
Runs: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class HeadRows:
    """So many rows of each of `heads`, from its row `first` on; columns first if `turned`."""

    heads: int
    first: int
    count: int
    turned: bool = False

    def taken(self, rows: np.ndarray) -> np.ndarray:
        """The rows by head, `[heads, count, columns]`."""
        by_head = rows.reshape(self.heads, -1, rows.shape[-1])
        own = by_head[:, self.first : self.first + self.count]
        return np.ascontiguousarray(own.swapaxes(1, 2) if self.turned else own)


@dataclass(frozen=True)
class Pieces:
    """The tensors that one parameter is made of, one below the other.

    `shapes` are by their names in the files, where they are the other way round if they are
    `turned`. `grouped`: the query heads of a KV head, and the columns of a head, of rows that go by
    KV heads. `of_heads`: what each head has of rows that go by heads. `order` are the runs of rows
    that make up the parameter, where these are not all, or stand in another order. `drops_ones`:
    axes of size 1 are the files' alone. `shape` is the parameter's own where its first axis is none
    of the tensors', as that of experts; `part` are the rows and the columns of one tensor that are
    the parameter's; `are_pairs`: columns of two kinds take turns, of blocks rows. `times` is
    what a row of numbers is multiplied with, `plus` what is added to it; `row_factors` are those of
    rows of some of the tensors. `made` makes the parameter of its tensors in f32, if there are any;
    without, another one is `fill` in its `shape`. `dtype` is that of the parameter, where it is not
    the model's.
    """

    shapes: Mapping[str, tuple[int, ...]]
    turned: bool = False
    grouped: tuple[int, int] | None = None
    of_heads: HeadRows | None = None
    order: Runs | None = None
    drops_ones: bool = False
    shape: tuple[int, ...] | None = None
    are_pairs: bool = False
    part: tuple[tuple[int, int], tuple[int, int]] | None = None
    times: float = 1.0
    plus: float = 0.0
    fill: float = 1.0
    row_factors: tuple[tuple[str, RowFactors], ...] = ()
    dtype: str | None = None
    made: Callable[..., np.ndarray] | None = None

    @property
    def is_packed(self) -> bool:
        """Whether it has the bytes of blocks or the numbers of 8 bits that the files have."""
        return self.dtype in ("u8", "int8", "fp8_e4m3")

    @property
    def other_way_round(self) -> "Pieces":
        """The pieces of tensors that have columns for rows."""
        return replace(
            self, turned=True, shapes={name: shape[::-1] for name, shape in self.shapes.items()}
        )

    def read(self, weights: Weights, io_dtype: str) -> np.ndarray:
        """The parameter from the files."""
        if self.part is not None:
            (name,), (rows_of, columns) = self.shapes, self.part
            sizes = [end - begin for begin, end in self.part]
            part = np.empty(sizes, dtype(self.dtype or io_dtype).numpy)
            weights.read_into(part, name, rows_of[0], columns)
            return part
        if self.made is not None:
            given = [_numbers(weights, name, shape) for name, shape in self.shapes.items()]
            return self.made(*given).astype(dtype(self.dtype or io_dtype).numpy)
        if not self.shapes:
            return np.full(self.shape or (), self.fill, dtype(self.dtype or io_dtype).numpy)
        first, *_ = self.shapes.values()
        count = sum(shape[0] for shape in self.shapes.values())
        shape = (count, *first[1:])
        array = np.empty(shape[::-1] if self.turned else shape, dtype(self.dtype or io_dtype).numpy)
        # In place, as a copy of the largest would be most of what the host needs.
        rows, begin = array.T if self.turned else array, 0
        for name, (size, *_) in self.shapes.items():
            weights.read_into(rows[begin : begin + size], name)
            for tensor, factors in self.row_factors:
                if tensor == name:
                    _multiply(rows[begin : begin + size], factors)
            begin += size
        if self.times != 1 or self.plus:
            return (array.astype(np.float64) * self.times + self.plus).astype(array.dtype)
        if self.of_heads:
            return self.of_heads.taken(array)
        if self.order is not None:
            array = np.concatenate([array[first:end] for first, end in self.order])
        if self.drops_ones:
            array = array.reshape([size for size in array.shape if size > 1])
        if self.grouped is not None:
            return _by_kind(array, *self.grouped)
        return self._of_experts(array)

    def _of_experts(self, array: np.ndarray) -> np.ndarray:
        """The parameter of all experts, of rows or of what their code has of it."""
        if self.are_pairs and self.is_packed:
            return np.concatenate([array[:, ::2], array[:, 1::2]], axis=1)
        if self.are_pairs:
            array = np.concatenate([array[..., ::2], array[..., 1::2]], axis=-1)
        if self.shape is None or self.shape == array.shape:
            return array
        if array.ndim == len(self.shape):
            # Of each expert `[in, out]`.
            return np.ascontiguousarray(array.swapaxes(1, 2))
        return array.reshape(self.shape)


def _numbers(weights: Weights, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A tensor in f32; one without axes has one."""
    numbers = np.empty(shape or (1,), np.float32)
    weights.read_into(numbers, name)
    return numbers


def _multiply(rows: np.ndarray, factors: RowFactors) -> None:
    """Multiply runs of rows with a number each, in place."""
    begin = 0
    for count, factor in factors:
        own = rows[begin : begin + count]
        if factor != 1:
            own[...] = (own.astype(np.float64) * factor).astype(own.dtype)
        begin += count


def _by_kind(array: np.ndarray, group: int, head_dim: int) -> np.ndarray:
    """Rows of all queries, then of all keys and of all values, of rows that go by KV heads."""
    groups = array.reshape(-1, group + 2, head_dim, *array.shape[1:])
    kinds = (groups[:, :group], groups[:, group], groups[:, group + 1])
    return np.concatenate([kind.reshape(-1, *array.shape[1:]) for kind in kinds])
