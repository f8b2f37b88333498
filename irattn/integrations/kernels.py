"""The kernel of a call that other libraries make: one for many lengths, or of exactly its sizes."""

from functools import lru_cache

from irattn.api import kernels
from irattn.core.errors import CompileError
from irattn.runtime import Kernel
from irattn.specs.dynamic import DynamicSizes

# Kernels that are kept loaded.
_MOST_KERNELS = 256

# The least maxima: short calls share a kernel.
_LEAST = {"batch": 8, "q_len": 1024, "kv_len": 1024, "num_blocks": 1024, "max_blocks": 64}

# A size of one of these is most common, and costs least where it is known: other calls have it too.
_OFTEN_ONE = ("batch", "q_len")


def kernel_of(call: DynamicSizes, target: str, exact_sizes: bool = False) -> Kernel:
    """The kernel of a call, whose sizes the spec has; compiled where the store has it not.

    It serves all batches and lengths up to the next power of two, unless `exact_sizes`.
    CompileError where the compiler refuses it.
    """
    kernel = _loaded(call if exact_sizes else with_dynamic_sizes(call), target)
    if isinstance(kernel, CompileError):
        raise kernel
    return kernel


@lru_cache(maxsize=1024)
def with_dynamic_sizes(call: DynamicSizes) -> DynamicSizes:
    """The spec of many calls, this one among them."""
    sizes = {name: getattr(call, name) for name in call.dynamic_names}
    dynamic = [name for name, size in sizes.items() if size > 1 or name not in _OFTEN_ONE]
    maxima = {name: max(_LEAST[name], _power_of_two(sizes[name])) for name in dynamic}
    return call.replace(**maxima, dynamic=dynamic)


def _power_of_two(size: int) -> int:
    """The least power of two that is not below a size."""
    return 1 << (size - 1).bit_length()


@lru_cache(maxsize=_MOST_KERNELS)
def _loaded(spec: DynamicSizes, target: str) -> Kernel | CompileError:
    """The kernel, or what the compiler said: asking it twice would take as long again."""
    try:
        return kernels.load(spec, target=target)
    except CompileError as error:
        return error
