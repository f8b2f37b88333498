"""The type of a tensor argument and the check of an array against it."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np

from irattn.core.array_hints import array_hint
from irattn.core.dtypes import dtype, dtype_name
from irattn.core.errors import ArgumentError
from irattn.core.weight_formats import weight_format


@dataclass(frozen=True)
class DynamicSize:
    """A size that a call chooses, at most `most`.

    Compiled code takes it in whole multiples of `multiple`. It is no number: products of it are
    dynamic too, and all other arithmetic is refused. `most` is one.
    """

    most: int
    name: str
    multiple: int = 1

    def __mul__(self, factor: "AnySize") -> "DynamicSize":
        return DynamicSize(self.most * largest(factor), f"{self.name}_product")

    __rmul__ = __mul__

    def __str__(self) -> str:
        return f"1 <= {self.name} <= {self.most}"


# A size of an axis.
AnySize: TypeAlias = int | DynamicSize


def largest(size: AnySize) -> int:
    """The largest number that a size may be."""
    return size.most if isinstance(size, DynamicSize) else size


class Role(StrEnum):
    """The role of a tensor: what it is for, whatever its name."""

    ACTIVATION = "activation"
    HIDDEN = "hidden state"
    QUERY = "query"
    KEY = "key"
    VALUE = "value"
    KEY_CACHE = "key cache"
    VALUE_CACHE = "value cache"
    # What the numbers of a quantised cache are multiplied with.
    KEY_SCALE = "scale of keys"
    VALUE_SCALE = "scale of values"
    # Of learned linear maps: their products with activations of order one are of order one.
    WEIGHT = "weight"
    WEIGHT_BIAS = "weight's bias"
    # What the numbers of a quantised weight are multiplied with.
    WEIGHT_SCALE = "scale of a weight"
    ROTATION = "cosines or sines"
    # Of recurrences: what a head has of all tokens so far, the log of what of it is kept, how much
    # of a new value is written, in shares of 1, and keys whose length is 1.
    STATE = "state"
    LOG_DECAY = "log of a decay"
    SHARE = "share"
    UNIT_KEY = "key of length 1"
    # What changes or hides logits.
    BIAS = "bias"
    SLOPES = "ALiBi slopes"
    KEEP_MASK = "keep mask"
    SINKS = "sinks"
    # What a score or mask function reads.
    CAPTURED = "captured array"
    BLOCK_COUNTS = "numbers of seen blocks"
    BLOCK_COLUMNS = "seen blocks"
    # Of which the largest is chosen.
    LOGITS = "logits"
    # How a token is drawn: the logits' divisor, how many of the likeliest, a share of all
    # likelihood, and what random numbers are made of.
    TEMPERATURE = "temperature"
    TOP_K = "number of tokens"
    LIKELIHOOD = "share of likelihood"
    SEEDS = "seeds"
    # Scores of which some are -inf, weights that add up to 1 in each row, log-sum-exps.
    MASKED_SCORES = "masked scores"
    SOFTMAX_WEIGHTS = "softmax weights"
    LSE = "lse"
    # Of gradients: what attention gave, with its lse, and gradients of anything.
    ATTENDED = "output of attention"
    GRADIENT = "gradient"
    # Integers: how many tokens, where sequences end, and which block, slot, position or token.
    QUERY_LENGTHS = "lengths of queries"
    KEY_LENGTHS = "lengths of contexts"
    QUERY_BOUNDS = "bounds of queries"
    KEY_BOUNDS = "bounds of keys"
    BLOCK_IDS = "block ids"
    SLOTS = "slots"
    POSITIONS = "positions"
    OFFSETS = "positions of first queries"
    # Of groups of sequences that share their first blocks.
    GROUP_BOUNDS = "bounds of groups"
    SHARED_IDS = "ids of shared blocks"
    SHARED_LENGTHS = "lengths of what is shared"
    TOKEN_IDS = "token ids"


# Up to so many numbers of an array are compared one by one.
_FEW = 64


@dataclass(frozen=True)
class TensorType:
    """Name, shape, element type and role of one tensor.

    `also_accepts` are dtypes that convert safely once the values are within `limits`, the least and
    the largest that compiled code can take, which trusts what it is given; what `dtype` cannot hold
    is never within them. `by_row` is false where all elements of a row may be nearly 0 beside what
    they are made of: an error is then measured against the whole tensor only. `rounded` is the
    dtype that sums may be rounded to on the way, where that is coarser: matrix instructions take no
    f32.
    `weight_format` is how the bytes of a quantised weight are laid out.
    """

    name: str
    shape: tuple[AnySize, ...]
    dtype: str
    also_accepts: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None
    by_row: bool = True
    rounded: str | None = None
    role: Role = Role.ACTIVATION
    weight_format: str | None = None

    def __post_init__(self) -> None:
        if self.limits:
            least, most = self.limits
            held = np.iinfo(dtype(self.dtype).numpy)
            limits = (max(least, int(held.min)), min(most, int(held.max)))
            object.__setattr__(self, "limits", limits)

    def __str__(self) -> str:
        return f"{self.dtype} [{', '.join(map(str, self.shape))}]"

    @property
    def largest_shape(self) -> tuple[int, ...]:
        """The shape in numbers: the largest where a call chooses sizes."""
        return tuple(map(largest, self.shape))

    @property
    def takes_all(self) -> bool:
        """Whether there are limits, and the dtype has no number beyond them."""
        if not self.limits:
            return False
        held = np.iinfo(dtype(self.dtype).numpy)
        return self.limits == (held.min, held.max)

    @property
    def elements(self) -> int:
        """The number of elements; the most where a call chooses sizes."""
        return math.prod(self.largest_shape)

    @property
    def bytes(self) -> int:
        """Bytes of the elements."""
        return self.elements * dtype(self.dtype).numpy.itemsize

    @property
    def tolerance(self) -> float:
        """The error that is allowed, relative to the norm of the float64 reference."""
        return dtype(self.rounded or self.dtype).tolerance

    def check(self, array: np.ndarray) -> None:
        """Raise ArgumentError unless `array` has this rank, shape and dtype, and these limits."""
        self.check_type(array)
        self.check_limits(array)

    def check_type(self, array: np.ndarray) -> None:
        """Raise ArgumentError unless `array` has this rank, shape and dtype."""
        if not isinstance(array, np.ndarray):
            raise ArgumentError(
                f"{self.name}: expected a NumPy array {self._accepted}, got {type(array).__name__}"
                f"{array_hint(self.name, array, self.dtype)}"
            )
        if isinstance(array, np.ma.MaskedArray):
            raise ArgumentError(
                f"{self.name}: expected a NumPy array {self._accepted}, got a masked one; "
                f"convert with {self.name}.filled(...)"
            )
        # Bytes have several names.
        is_same = array.dtype == dtype(self.dtype).numpy
        got = self.dtype if is_same else dtype_name(array.dtype)
        if not self._fits(array.shape) or got not in (self.dtype, *self.also_accepts):
            shape = ", ".join(map(str, array.shape))
            hint = "" if got in (self.dtype, *self.also_accepts) else self._hint(array.dtype)
            raise ArgumentError(
                f"{self.name}: expected {self._accepted}, got {got} [{shape}]{hint}"
            )

    @property
    def _accepted(self) -> str:
        """Every dtype that a call may give, and the shape."""
        words = " or ".join((self.dtype, *self.also_accepts))
        return f"{words} {str(self).partition(' ')[2]}"

    def _fits(self, shape: tuple[int, ...]) -> bool:
        """Whether an array may have this shape: dynamic sizes are 1 or more."""
        return len(shape) == len(self.shape) and all(
            1 <= actual <= size.most if isinstance(size, DynamicSize) else actual == size
            for actual, size in zip(shape, self.shape, strict=True)
        )

    def check_limits(self, array: np.ndarray) -> None:
        """Raise ArgumentError unless every value is within the limits, where there are any."""
        if self.limits and not self.is_within_limits(array):
            least, most = self.limits
            index = tuple(np.argwhere((array < least) | (array > most))[0])
            where = ", ".join(map(str, index))
            raise ArgumentError(
                f"{self.name}[{where}]: expected {least} to {most}, got {array[index]}"
            )

    def is_within_limits(self, array: np.ndarray) -> bool:
        """Whether every value is one that compiled code can take."""
        if not self.limits:
            return True
        least, most = _extremes(array)
        return bool(self.limits[0] <= least and most <= self.limits[1])

    def _hint(self, given: np.dtype) -> str:
        """A hint how an array of another dtype becomes one that fits."""
        name = self.name
        if self.dtype == "bool" and given.kind == "f":
            return f"; convert with {name} == 0 if it is to be added, {name} != 0 if 1 is true"
        # Values in int64 are checked; a hint at int32 would have them wrap without a word.
        wanted = self.also_accepts[-1] if self.also_accepts else self.dtype
        # NumPy's files and other libraries keep the bits of bf16 in these; astype would take them
        # for numbers.
        bf16 = dtype("bf16")
        is_bf16 = given == bf16.void or (
            wanted == "bf16" and given in (bf16.carrier, np.dtype(np.int16))
        )
        view = f".view({bf16.spelling})" if is_bf16 else ""
        astype = "" if is_bf16 and wanted == "bf16" else f".astype({dtype(wanted).spelling})"
        return f"; convert with {name}{view}{astype}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form, as stored in a manifest; `dynamic` names the axes that a call sizes."""
        names = [size.name if isinstance(size, DynamicSize) else None for size in self.shape]
        stored = {"name": self.name, "shape": list(self.largest_shape), "dtype": self.dtype}
        return {**stored, "dynamic": names} if any(names) else stored


def _extremes(array: np.ndarray) -> tuple[int, int]:
    """The least and the largest number of an array."""
    if array.size > _FEW:
        return array.min(), array.max()
    # For so few NumPy takes ten times as long.
    numbers = array.ravel().tolist()
    return min(numbers), max(numbers)


def integers(
    name: str, shape: tuple[AnySize, ...], role: Role, limits: tuple[int, int] | None = None
) -> TensorType:
    """An int32 (int64 accepted) tensor whose values are within `limits`, both included."""
    return TensorType(name, shape, "i32", ("i64",), limits, role=role)


def hidden(shape: tuple[AnySize, ...], dtype: str) -> TensorType:
    """The hidden state of every token."""
    return TensorType("hidden", shape, dtype, role=Role.HIDDEN)


def query(shape: tuple[AnySize, ...], dtype: str) -> TensorType:
    """The queries of a call."""
    return TensorType("query", shape, dtype, role=Role.QUERY)


def key(shape: tuple[AnySize, ...], dtype: str) -> TensorType:
    """Keys, all of them or new ones for a cache."""
    return TensorType("key", shape, dtype, role=Role.KEY)


def value(shape: tuple[AnySize, ...], dtype: str) -> TensorType:
    """Values, all of them or new ones for a cache."""
    return TensorType("value", shape, dtype, role=Role.VALUE)


def key_cache(shape: tuple[AnySize, ...], dtype: str) -> TensorType:
    """The keys of all tokens so far."""
    return TensorType("key_cache", shape, dtype, role=Role.KEY_CACHE)


def value_cache(shape: tuple[AnySize, ...], dtype: str) -> TensorType:
    """The values of all tokens so far."""
    return TensorType("value_cache", shape, dtype, role=Role.VALUE_CACHE)


def key_scale(shape: tuple[AnySize, ...]) -> TensorType:
    """The factors of a quantised cache's keys."""
    return TensorType("key_scale", shape, "f32", role=Role.KEY_SCALE)


def value_scale(shape: tuple[AnySize, ...]) -> TensorType:
    """The factors of a quantised cache's values."""
    return TensorType("value_scale", shape, "f32", role=Role.VALUE_SCALE)


def weight(
    name: str, rows: int, columns: int, dtype: str, packed: str | None, experts: int | None = None
) -> tuple[TensorType, ...]:
    """A weight `[rows, columns]`: in `dtype`, or as the format `packed` stores it.

    With `experts` it is one for each, `[experts, rows, columns]`. Scales that are apart follow it,
    called <name>_scale. SpecError where that format's blocks do not divide the columns.
    """
    before = () if experts is None else (experts,)
    if packed is None:
        return (TensorType(name, (*before, rows, columns), dtype, role=Role.WEIGHT),)
    known = weight_format(packed)
    shape = (*before, *known.packed_shape(rows, columns))
    stored = TensorType(name, shape, known.dtype, role=Role.WEIGHT, weight_format=packed)
    scales = known.scale_shape(rows, columns)
    if scales is None:
        return (stored,)
    scale = TensorType(f"{name}_scale", (*before, *scales), "f32", role=Role.WEIGHT_SCALE)
    return stored, scale


def q_lens(batch: AnySize, most: int) -> TensorType:
    """How many queries of each sequence are real: int32 `[batch]`, 0 to `most`."""
    return integers("q_lens", (batch,), Role.QUERY_LENGTHS, (0, most))


def context_lens(batch: AnySize, most: int) -> TensorType:
    """How many keys of each sequence are real: int32 `[batch]`, 0 to `most`."""
    return integers("context_lens", (batch,), Role.KEY_LENGTHS, (0, most))
