"""The element type of a cache, and the scales of one whose numbers are quantised."""

from irattn.core.dtypes import FP8_NAMES, any_name
from irattn.core.errors import SpecError, shown
from irattn.core.tensors import AnySize, TensorType, key_scale, value_scale
from irattn.specs.base import Spec

CACHE_DTYPES = (*FP8_NAMES, "int8")
CACHE_SCALES = ("tensor", "head", "token")


class CacheElements(Spec):
    """The elements of a cache: `cache_dtype`, None for `io_dtype`, and `cache_scale`.

    A quantised cache stores numbers of 8 bits: `int8`, or floats in OCP's `fp8_e4m3` and `fp8_e5m2`
    or AMD's `fp8_e4m3fnuz` and `fp8_e5m2fnuz`. A key is its numbers times what the input
    `key_scale`, in f32, has for it, and a value its numbers times `value_scale`. `cache_scale`
    says how many scales there are:

    - `tensor` (fp8's default): one, `[1]`
    - `head`: one for each KV head, `[num_kv_heads]`
    - `token` (int8's default): one for each token and head, as the cache has them without its
      columns: beside blocks `[num_blocks, num_kv_heads, block_size]`, and with `layout` `NHD`
      `[num_blocks, block_size, num_kv_heads]`

    Writing divides a new token by its scale, in f32, and rounds the quotient to the nearest number
    of the type, ties to even; what is beyond the largest becomes that. int8 has -127 to 127.
    Scales of a tensor or of heads are given. Those of tokens are made: the largest magnitude of the
    token's head over the largest number of the type. They are written, too:
    `updated_key_scale` and `updated_value_scale`, in their own memory.
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

    @property
    def cache_element(self) -> str:
        """The element type of the caches."""
        return self.cache_dtype or self.io_dtype

    @property
    def scale_shape(self) -> tuple[AnySize, ...]:
        """The axes of a cache's scales."""
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
        return (*self.caches, *(make(self.scale_shape) for make, _ in makers))

    @property
    def updated(self) -> tuple[TensorType, ...]:
        """The caches as a write leaves them, and scales where each token has its own."""
        written = self.stored if self.cache_scale == "token" else self.caches
        return tuple(TensorType(f"updated_{one.name}", one.shape, one.dtype) for one in written)

    @property
    def cache_updates(self) -> dict[str, str]:
        """The caches that new tokens go into, by what a write makes of them."""
        return {one.name: one.name.removeprefix("updated_") for one in self.updated}


def _own_scale(cache_dtype: str | None) -> str | None:
    """The scales that a type has unless a spec says otherwise."""
    if cache_dtype is None:
        return None
    return "tensor" if cache_dtype in FP8_NAMES else "token"
