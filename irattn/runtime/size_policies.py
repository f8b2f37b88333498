"""Which spec is compiled for a call: of its sizes, of all up to a power of two, or of a bucket."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError, SpecError, shown
from irattn.core.numbers import whole
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.padding import LENGTHS
from irattn.specs import Spec
from irattn.specs.base import plain
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.features import AttentionFeatures

EXACT, POWER_OF_TWO = "exact", "power_of_two"

# As a caller gives one.
Policy: TypeAlias = str | Mapping[str, Sequence[int]]

# Sizes by the names of fields, rising.
Buckets: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]

# What a bucket may have more of than a call.
_BUCKET_NAMES = ("batch", "q_len", "kv_len", "max_blocks", "q_tokens", "kv_tokens")

# The least maxima: short calls share a kernel.
_LEAST = {"batch": 8, "num_blocks": 1024, "max_blocks": 64}
_LEAST |= dict.fromkeys(("q_len", "kv_len", "q_tokens", "kv_tokens", "num_tokens", "rows"), 1024)

# A size of one of these is most common, and costs least where it is known: other calls have it too.
_OFTEN_ONE = ("batch", "q_len")


def stored_policy(policy: Policy) -> str | Buckets:
    """A policy, checked; ArgumentError for what is none, SpecError for sizes that cannot be."""
    if isinstance(policy, Mapping):
        return tuple((name, _checked_sizes(name, sizes)) for name, sizes in policy.items())
    if policy not in (EXACT, POWER_OF_TWO):
        raise ArgumentError(
            f"policy: expected {EXACT}, {POWER_OF_TWO} or sizes by name, as {{'q_len': (1, 64)}}, "
            f"got {shown(policy)}"
        )
    return policy


@lru_cache(maxsize=MOST_REMEMBERED)
def compiled_spec(call: Spec, policy: str | Buckets) -> Spec:
    """The spec whose kernel makes a call, of which `call` is the static spec."""
    if policy == EXACT:
        return call
    if isinstance(policy, str):
        return _up_to_a_power_of_two(call)
    return _least_bucket(call, policy)


def _up_to_a_power_of_two(call: Spec) -> Spec:
    """The spec of all batches and lengths up to the next power of two."""
    if not isinstance(call, DynamicSizes):
        raise SpecError(
            f"policy: expected {EXACT} or buckets for {call.op}, whose sizes calls do not choose"
        )
    if getattr(call, "mask_blocks", None):
        # Kinds of blocks have sizes of their own.
        return call
    sizes = {name: getattr(call, name) for name in call.dynamic_names}
    dynamic = [name for name, size in sizes.items() if size > 1 or name not in _OFTEN_ONE]
    maxima = {name: max(_LEAST[name], power_of_two(sizes[name])) for name in dynamic}
    if isinstance(call, AttentionFeatures) and not call.reads_enough(**maxima):
        # Arrays that functions of scores read have sizes of their own.
        return call
    return call.replace(**maxima, dynamic=dynamic)


def power_of_two(size: int) -> int:
    """The least power of two that is not below a size."""
    return 1 << (size - 1).bit_length()


def _least_bucket(call: Spec, buckets: Buckets) -> Spec:
    """The static spec of the least sizes that hold a call's."""
    _check_bucketed(call, buckets)
    # The sizes of a layer's cache are its attention's.
    part: Any = getattr(call, "attention", call)
    wanted = {name: getattr(part, name) for name, _ in buckets}
    for room in itertools.product(*(sizes for _, sizes in buckets)):
        # Sizes rise: the first that fits is the least in each of them.
        if all(size <= most for size, most in zip(wanted.values(), room, strict=True)):
            sizes = dict(zip(wanted, room, strict=True))
            return call.replace(**sizes, **_told_lengths(call, sizes))
    largest = {name: sizes[-1] for name, sizes in buckets}
    raise ArgumentError(f"policy: expected at most {_said(largest)}, got {_said(wanted)}")


def _check_bucketed(call: Spec, buckets: Buckets) -> None:
    """SpecError for a spec that has not these sizes, or leaves sizes to its calls."""
    if dynamic := getattr(call, "dynamic", ()):
        raise SpecError(f"policy: expected static sizes for buckets, got dynamic {list(dynamic)}")
    for name, _ in buckets:
        if name not in call.field_names():
            raise SpecError(f"policy: expected sizes of {call.op}, got {name}, which is none")


def _told_lengths(call: Spec, names: Iterable[str]) -> dict[str, bool]:
    """The field of kernels with more tokens than a call, which are told how many are real."""
    has_lengths = "ragged" in call.field_names() and {*names} & {*LENGTHS.values()}
    return {"ragged": True} if has_lengths else {}


def _checked_sizes(name: str, given: object) -> tuple[int, ...]:
    if name not in _BUCKET_NAMES:
        raise SpecError(f"policy: expected sizes of {', '.join(_BUCKET_NAMES)}, got {shown(name)}")
    sizes = plain(given)
    if not isinstance(sizes, tuple) or not sizes:
        raise SpecError(f"{name}: expected a list of whole numbers, got {shown(given)}")
    return tuple(sorted({whole(name, size) for size in sizes}))


def _said(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes.items())
