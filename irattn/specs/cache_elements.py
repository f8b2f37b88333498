"""The element type of a cache, and the scales of one whose numbers are quantised."""

from irattn.core.dtypes import FP8_NAMES, any_name
from irattn.core.errors import SpecError, shown
from irattn.core.tensors import AnySize, TensorType, key_scale, largest, value_scale
from irattn.specs.base import Spec

CACHE_DTYPES = (*FP8_NAMES, "int8", "int4")
CACHE_SCALES = ("tensor", "head", "token", "group")

# Columns of int4 that have a scale. The first half of them are the low halves of bytes, and the
# others the high halves.
GROUP = 32


class CacheElements(Spec):
    """The elements of a cache: `cache_dtype`, None for `io_dtype`, and `cache_scale`.

    A quantised cache stores numbers of 8 bits: `int8`, or floats in OCP's `fp8_e4m3` and `fp8_e5m2`
    or AMD's `fp8_e4m3fnuz` and `fp8_e5m2fnuz`; or of 4 bits, `int4`, two in a byte. A key is its
    numbers times what the input `key_scale`, in f32, has for it, and a value its numbers times
    `value_scale`. `cache_scale` says how many scales there are:

    - `tensor` (fp8's default): one, `[1]`
    - `head`: one for each KV head, `[num_kv_heads]`
    - `token` (int8's default): one for each token and head, as the cache has them without its
      columns: beside blocks `[num_blocks, num_kv_heads, block_size]`, and with `layout` `NHD`
      `[num_blocks, block_size, num_kv_heads]`
    - `group` (int4's, and of no other): one for each 32 columns of a token and head, as the last
      axis behind those of `token`

    Writing divides a new token by its scale, in f32, and rounds the quotient to the nearest number
    of the type, ties to even; what is beyond the largest becomes that. int8 has -127 to 127, and
    int4 -7 to 7. Scales of a tensor or of heads are given. Those of tokens and groups are
    made: the largest magnitude of the token's head, or of the group, over the largest number of the
    type. They are written, too: `updated_key_scale` and `updated_value_scale`, in their own memory.

    A cache of int4 is an array of uint8 and has half as many columns; `head_dim` and `value_dim`
    are multiples of 32. Byte `i` of the 16 of a group has column `i` in its lower four bits, and
    column `i + 16` in its upper ones, each with 8 added. GPUs round its keys, times their scales,
    to `io_dtype`.

    Of `int8` caches with queries in f16 or bf16, few queries are multiplied in whole numbers by
    CPUs with AVX2 or AVX-512: a query is rounded to 16 bits, in parts of its largest number, and
    so are a step's softmax weights times their scales. Errors stay below those of `io_dtype`. So
    it is with `int4` and AVX-512's VNNI, where heads have a multiple of 128 columns: weights are
    then in parts of the largest of their group.
    Of `fp8_e4m3` and `fp8_e5m2`, few queries in f16 or bf16 multiply pairs of bf16 where CPUs have
    AVX-512's VBMI and bf16: weights times scales are then rounded to bf16 with queries in bf16, and
    are sums of two bf16 with queries in f16, as these are.
    """

    cache_dtype: str | None
    cache_scale: str | None
    num_kv_heads: int

    def _check_elements(self) -> None:
        name = None if self.cache_dtype is None else any_name(self.cache_dtype)
        if self.cache_dtype is not None and name not in (*CACHE_DTYPES, self.io_dtype):
            known = ", ".join(CACHE_DTYPES)
            raise SpecError(
                f"cache_dtype: expected one of {known}, or nothing for io_dtype, "
                f"got {shown(self.cache_dtype)}"
            )
        name = None if name == self.io_dtype else name
        object.__setattr__(self, "cache_dtype", name)
        if self.cache_scale is None:
            object.__setattr__(self, "cache_scale", _own_scale(name))
        elif name is None:
            raise SpecError("cache_scale: only a cache with a cache_dtype has scales; leave it out")
        elif self.cache_scale not in CACHE_SCALES:
            raise SpecError(
                f"cache_scale: expected one of {', '.join(CACHE_SCALES)}, "
                f"got {shown(self.cache_scale)}"
            )
        elif (self.cache_scale == "group") != (name == "int4"):
            raise SpecError(
                f"cache_scale: expected group for int4, and for no other, got {self.cache_scale} "
                f"for {name}"
            )
        if name == "int4":
            self._check_groups()

    def _check_groups(self) -> None:
        for name in ("head_dim", "value_dim"):
            columns = getattr(self, name, None)
            if columns is not None and columns % GROUP:
                raise SpecError(
                    f"{name}: expected a multiple of {GROUP} for int4, which has a scale for as "
                    f"many columns, got {columns}"
                )

    @property
    def cache_element(self) -> str:
        """The element type of the caches."""
        return self.cache_dtype or self.io_dtype

    @property
    def makes_scales(self) -> bool:
        """Whether writing makes scales of new tokens."""
        return self.cache_scale in ("token", "group")

    def cached_columns(self, columns: int) -> int:
        """The elements that a row of so many columns has in a cache."""
        return columns // 2 if self.cache_dtype == "int4" else columns

    def _scale_shape(self, cache: TensorType) -> tuple[AnySize, ...]:
        """The axes of a cache's scales."""
        if self.cache_scale == "group":
            return (*self._slots, largest(cache.shape[-1]) // (GROUP // 2))
        if self.cache_scale == "token":
            return self._slots
        return (self.num_kv_heads if self.cache_scale == "head" else 1,)

    @property
    def _slots(self) -> tuple[AnySize, ...]:
        """The axes of a cache but for its columns: of the keys alone, where it has both."""
        raise NotImplementedError

    @property
    def caches(self) -> tuple[TensorType, ...]:
        """The keys and, unless they are a latent cache, the values."""
        raise NotImplementedError

    @property
    def stored(self) -> tuple[TensorType, ...]:
        """The caches, and the scales of quantised ones, in call order."""
        if self.cache_dtype is None:
            return self.caches
        makers = zip((key_scale, value_scale), self.caches, strict=False)
        return (*self.caches, *(make(self._scale_shape(cache)) for make, cache in makers))

    @property
    def updated(self) -> tuple[TensorType, ...]:
        """The caches as a write leaves them, and scales where each token has its own."""
        written = self.stored if self.makes_scales else self.caches
        return tuple(TensorType(f"updated_{one.name}", one.shape, one.dtype) for one in written)

    @property
    def cache_updates(self) -> dict[str, str]:
        """The caches that new tokens go into, by what a write makes of them."""
        return {one.name: one.name.removeprefix("updated_") for one in self.updated}


def _own_scale(cache_dtype: str | None) -> str | None:
    """The scales that a type has unless a spec says otherwise."""
    if cache_dtype is None:
        return None
    return "tensor" if cache_dtype in FP8_NAMES else _made_scale(cache_dtype)


def made_scale(cache_dtype: object, io_dtype: object) -> str | None:
    """The scales of a cache's type that writing makes; None where it stores `io_dtype`."""
    if cache_dtype is None:
        return None
    name = any_name(cache_dtype)
    return None if name == any_name(io_dtype) else _made_scale(name)


def _made_scale(cache_dtype: str | None) -> str:
    return "group" if cache_dtype == "int4" else "token"
