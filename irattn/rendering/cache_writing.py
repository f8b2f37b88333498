"""How new tokens are written into caches on CPUs: one dispatch for keys and values.

GPUs take the compiler's scatter, one kernel for keys and one for values. On CPUs its code moves
element by element: 512 tokens of 8 heads of 128 in f16 take a Zen 4 core 610 us, as rows of vectors
60, as long as a plain copy of them.
"""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.cache_formats import QuantisedCache, half_of, quantised_cache
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.values import Value, vector_type
from irattn.specs.cache_append import CacheAppendSpec
from irattn.specs.cache_elements import GROUP
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
    """Keys or values: the new ones, their cache, and how a head of a token is moved.

    `slot` is the name of its slot in a block; `scale` has what numbers of a quantised cache are
    multiplied with.
    """

    new: Value
    cache: Value
    slot: str
    columns: int
    step: int
    scale: Value | None = None

    @property
    def vector(self) -> str:
        """The type of what moves at once."""
        return vector_type([self.step], self.new.element)

    @property
    def groups(self) -> int:
        """The groups of columns of a token's head that have a scale each."""
        return self.columns // GROUP


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
    def has_batch(self) -> bool:
        """Whether new tokens have an axis of sequences."""
        return not isinstance(self.spec, CacheWriteSpec)

    @property
    def is_tokens_first(self) -> bool:
        """Whether tokens lie before heads in the cache, and in what has a batch."""
        return not isinstance(self.spec, CacheAppendSpec) and self.spec.layout == "NHD"

    @property
    def key(self) -> Moved:
        """The keys."""
        return self._moved("key")

    def _moved(self, name: str) -> Moved:
        new = self._input(name)
        columns = int(new.largest_shape[-1])
        # Numbers that are quantised are f32 on the way.
        moving = dtype("f32" if self.cache else new.dtype)
        step = half_of(self.spec) or math.gcd(columns, _VECTOR_BYTES // moving.numpy.itemsize)
        is_joint = not isinstance(self.spec, CacheAppendSpec) and self.spec.first_value_slot > 0
        slot = "value_slot" if is_joint and name == "value" else "slot_in_block"
        scale = whole(self._input(f"{name}_scale")) if self.cache else None
        return Moved(whole(new), whole(self._input(f"{name}_cache")), slot, columns, step, scale)

    @property
    def moved(self) -> list[Moved]:
        """The keys and, unless the cache is a latent one, the values."""
        names = {tensor.name for tensor in self.spec.inputs}
        return [self._moved(name) for name in ("key", "value") if name in names]

    @property
    def cache(self) -> QuantisedCache | None:
        """How numbers are quantised; None where they are moved as they are."""
        return quantised_cache(self.spec)

    @property
    def makes_scales(self) -> bool:
        """Whether tokens have scales of their own, which are written beside the blocks."""
        return self.cache is not None and self.cache.scale in ("token", "group")

    @property
    def scales(self) -> list[Value]:
        """The scales of a quantised cache."""
        return [moved.scale for moved in self.moved if moved.scale]

    @property
    def written(self) -> list[Value]:
        """The caches that are written to, and scales beside them."""
        caches = [moved.cache for moved in self.moved]
        return caches + (self.scales if self.makes_scales else [])

    @property
    def made(self) -> list[str]:
        """The names of what is written, in this order."""
        names = [moved.new.name for moved in self.moved]
        return names + ([scale.name for scale in self.scales] if self.makes_scales else [])

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch; its last arguments are written to."""
        given = [] if self.makes_scales else self.scales
        new = (moved.new for moved in self.moved)
        arguments = [self.places, *new, *given, *self.written]
        sizes = sorted({size for value in arguments for size in value.chosen})
        return CpuKernel(
            arguments=arguments,
            sources=[value.name for value in arguments],
            results=[],
            gives=[f"updated_{one.name}" for one in self.written],
            sizes=sizes,
            constants=self._constants,
            written=self.written,
        )

    def count(self, name: str) -> str:
        """How many `sequences`, or `tokens` in each: the name of a value of the kernel."""
        known = self._counts[name]
        return known if isinstance(known, str) else name

    @property
    def _counts(self) -> dict[str, int | str]:
        """The sequences and the tokens of each, as numbers or as values where a call chooses."""
        *axes, _ = self.key.new.shape
        if not self.has_batch:
            return {"sequences": 1, "tokens": axes[0]}
        return {"sequences": axes[0], "tokens": axes[1 if self.is_tokens_first else 2]}

    @property
    def _constants(self) -> dict[str, int]:
        constants = {"none": 0, "one": 1, "heads": self.spec.num_kv_heads}
        known = {name: count for name, count in self._counts.items() if isinstance(count, int)}
        return constants | known

    @property
    def tokens_here(self) -> int:
        """Tokens of a workgroup."""
        return _TOKENS if self.has_slots else _TOKENS_IN_A_ROW

    def _input(self, name: str) -> TensorType:
        return next(tensor for tensor in self.spec.inputs if tensor.name == name)


PLANS = {("cache_write", "linalg"): CacheWriting, ("cache_append", "linalg"): CacheWriting}
