"""How new tokens are written into caches on CPUs: one dispatch for keys and values.

GPUs take the compiler's scatter, one kernel for keys and one for values. On CPUs its code moves
element by element: 512 tokens of 8 heads of 128 in f16 take a Zen 4 core 610 us, as rows of vectors
60, as long as a plain copy of them.
"""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.blocked.kernels import BlockedKernel, whole
from irattn.rendering.values import Value, vector_type
from irattn.specs.cache_append import CacheAppendSpec
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.targets import Target

# Of a workgroup, where each has a slot: 8 and 32 take as long.
_TOKENS = 16

# Of a workgroup, where they lie in a row in each head, and it moves head after head: 2048 tokens of
# 8 heads of 128 columns take two Zen 4 cores 0.50 of the time in f32 and 0.62 in bf16 of 16 tokens
# one after the other, each with all its heads; 64 0.55 and 0.62, 256 0.55 and 0.60. Keys of a head
# and then its values take as long; with slots up to 1.1 of the time.
_TOKENS_IN_A_ROW = 128

# What moves at once: a line of a core's cache.
_VECTOR_BYTES = 64


@dataclass(frozen=True)
class Moved:
    """Keys or values: the new ones, their cache, and how a head of a token is moved."""

    new: Value
    cache: Value
    columns: int
    step: int

    @property
    def name(self) -> str:
        """`key` or `value`."""
        return self.new.name

    @property
    def vector(self) -> str:
        """The type of what moves at once."""
        return vector_type([self.step], self.new.element)


@dataclass(frozen=True)
class WriteLoop:
    """A loop of a workgroup, over `tokens` or `heads`, and from where to where its counter runs."""

    over: str
    counter: str
    range: str


@dataclass(frozen=True)
class CacheWriting:
    """Which token goes where: values named %b, %t and %h count sequences, their tokens and heads.

    A token of `cache_write` and `paged_update_attention` has a slot or none; those of
    `cache_append` lie one after the other from an offset.
    """

    spec: CacheWriteSpec | CacheAppendSpec | PagedUpdateAttentionSpec
    target: Target

    @property
    def has_slots(self) -> bool:
        """Whether each token names its slot."""
        return not isinstance(self.spec, CacheAppendSpec)

    @property
    def places(self) -> Value:
        """The slots, or the offsets."""
        return whole(self._input("slot_mapping" if self.has_slots else "offsets"))

    @property
    def place(self) -> str:
        """Which of them is a token's."""
        axes = self._token_axes if self.has_slots else self._token_axes[:-1]
        return ", ".join(axes)

    @property
    def moved(self) -> list[Moved]:
        """Keys and values."""
        moved = []
        for name in ("key", "value"):
            new = self._input(name)
            columns = int(new.largest_shape[-1])
            step = math.gcd(columns, _VECTOR_BYTES // dtype(new.dtype).numpy.itemsize)
            moved.append(Moved(whole(new), whole(self._input(f"{name}_cache")), columns, step))
        return moved

    @property
    def caches(self) -> list[Value]:
        """What is written to."""
        return [one.cache for one in self.moved]

    @property
    def tied(self) -> str:
        """The caches as what the dispatch gives, in their own memory."""
        return ", ".join(f"%{cache.name}{cache.extent}" for cache in self.caches)

    @property
    def kernel(self) -> BlockedKernel:
        """The dispatch; its last arguments are written to."""
        moved = self.moved
        arguments = [self.places, *(one.new for one in moved), *self.caches]
        sizes = sorted({size for value in arguments for size in value.chosen})
        grid = (self.count("sequences"), "%groups", "")
        names = [f"%{value.name}" for value in arguments]
        return BlockedKernel(arguments, names, [], sizes, grid, self._constants)

    def count(self, name: str) -> str:
        """How many `sequences`, or `tokens` in each: a value of the kernel."""
        known = self._counts[name]
        return known if isinstance(known, str) else f"%{name}"

    @property
    def _counts(self) -> dict[str, int | str]:
        """They as numbers, or as values where a call chooses."""
        shape = dict(zip(self._new_axes, self.moved[0].new.shape, strict=False))
        return {"sequences": shape.get("%b", 1), "tokens": shape["%t"]}

    @property
    def _constants(self) -> dict[str, int]:
        constants = {"none": 0, "one": 1, "heads": self.spec.num_kv_heads}
        constants |= {name: count for name, count in self._counts.items() if isinstance(count, int)}
        for one in self.moved:
            constants |= {f"{one.name}_columns": one.columns, f"{one.name}_step": one.step}
        return constants

    @property
    def tokens_here(self) -> int:
        """Tokens of a workgroup."""
        return _TOKENS if self.has_slots else _TOKENS_IN_A_ROW

    @property
    def loops(self) -> tuple[WriteLoop, WriteLoop]:
        """The outer and the inner one: tokens in a row lie in a row in each head."""
        tokens = WriteLoop("tokens", "%t", "%first to %end")
        if self.has_slots:
            return tokens, WriteLoop("heads", "%h", "%none to %written_heads")
        return WriteLoop("heads", "%h", "%none to %heads"), tokens

    @property
    def new_place(self) -> str:
        """Where a head of a token lies among the new ones."""
        return ", ".join(self._new_axes)

    @property
    def cache_place(self) -> str:
        """Where it goes."""
        if not self.has_slots:
            return "%b, %h, %token"
        if self._is_tokens_first:
            return "%block, %slot_in_block, %h"
        return "%block, %h, %slot_in_block"

    @property
    def _is_tokens_first(self) -> bool:
        return not isinstance(self.spec, CacheAppendSpec) and self.spec.layout == "NHD"

    @property
    def _new_axes(self) -> tuple[str, ...]:
        if isinstance(self.spec, CacheWriteSpec):
            return ("%t", "%h")
        return ("%b", "%t", "%h") if self._is_tokens_first else ("%b", "%h", "%t")

    @property
    def _token_axes(self) -> list[str]:
        return [axis for axis in self._new_axes if axis != "%h"]

    def _input(self, name: str) -> TensorType:
        return next(tensor for tensor in self.spec.inputs if tensor.name == name)


PLANS = {("cache_write", "linalg"): CacheWriting, ("cache_append", "linalg"): CacheWriting}
