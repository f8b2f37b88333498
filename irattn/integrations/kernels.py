"""The kernel of a call that other libraries make: one for many lengths, or of exactly its sizes."""

from functools import lru_cache

from irattn import api
from irattn.errors import CompileError
from irattn.runtime import Kernel
from irattn.specs.attention import AttentionSpec

# Kernels that are kept loaded.
_MOST_KERNELS = 256

# The least maxima: short calls share a kernel. Batches of one are most common, and cost least as
# a size that is known.
_LEAST_LENGTH = 1024
_LEAST_BATCH = 8


def kernel_of(call: AttentionSpec, target: str, exact_sizes: bool = False) -> Kernel:
    """The kernel of a call, whose sizes the spec has; compiled where the store has it not.

    It serves all batches and lengths up to the next power of two, unless `exact_sizes`.
    CompileError where the compiler refuses it.
    """
    kernel = _loaded(call if exact_sizes else with_dynamic_sizes(call), target)
    if isinstance(kernel, CompileError):
        raise kernel
    return kernel


def with_dynamic_sizes(call: AttentionSpec) -> AttentionSpec:
    """The spec of many calls, this one among them. A size of one stays as it is."""
    least = {"batch": _LEAST_BATCH, "q_len": _LEAST_LENGTH, "kv_len": _LEAST_LENGTH}
    sizes = {name: getattr(call, name) for name in least}
    # One key in all is no decode, but the first token of one: its successors have more.
    dynamic = [name for name, size in sizes.items() if size > 1 or name == "kv_len"]
    maxima = {name: max(least[name], _power_of_two(sizes[name])) for name in dynamic}
    return call.replace(**maxima, dynamic=dynamic)


def _power_of_two(size: int) -> int:
    """The least power of two that is not below a size."""
    return 1 << (size - 1).bit_length()


@lru_cache(maxsize=_MOST_KERNELS)
def _loaded(spec: AttentionSpec, target: str) -> Kernel | CompileError:
    """The kernel, or what the compiler said: asking it twice would take as long again."""
    try:
        return api.load(spec, target=target)
    except CompileError as error:
        return error
