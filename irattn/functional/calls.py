"""The call of a kernel that an array function makes: its words, where it runs, its results."""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from irattn.core.errors import RenderError, SpecError
from irattn.functional.arrays import Taken, like
from irattn.functional.places import place_of
from irattn.runtime import DeviceArray
from irattn.runtime.kernel import Kernel
from irattn.runtime.kernel_cache import KernelCache
from irattn.runtime.loading import DIRECT
from irattn.runtime.size_policies import Policy, stored_policy
from irattn.specs import Spec

_S = TypeVar("_S", bound=Spec)

# Fields of specs that have another name in PyTorch's words.
_WORDS = {"softmax_scale": "scale", "causal": "is_causal", "mask_blocks": "block_mask"}


def spec_of(make: Callable[..., _S], **fields: Any) -> _S:
    """The static spec of a call; SpecError in the words of the call's arguments.

    `make` may remember specs, of fields that can be looked up.
    """
    try:
        try:
            return make(**fields)
        except TypeError:
            # Arrays, and what is no field's value: the spec itself takes or refuses these.
            return getattr(make, "__wrapped__", make)(**fields)
    except SpecError as error:
        raise SpecError(_in_words(error)) from error


def _in_words(error: Exception) -> str:
    """The text of an error, by the name of the argument that the spec's field is given by."""
    field, colon, rest = str(error).partition(":")
    return f"{_WORDS.get(field, field)}{colon}{rest}"


def run(
    call: Spec,
    tensors: Mapping[str, Taken],
    *,
    policy: Policy,
    target: str | None,
    device: str,
    donate: Collection[str] = (),
) -> tuple[Taken, ...]:
    """The outputs of a call, by a kernel that runs where its arrays are."""
    where = _where(tensors, target, device)
    try:
        return _kernels(stored_policy(policy), *where).outputs(call, tensors, donate=donate)
    except RenderError as error:
        raise RenderError(_in_words(error)) from error


def kernel_of(
    call: Spec, tensors: Mapping[str, Taken], *, policy: Policy, target: str | None, device: str
) -> Kernel | None:
    """The kernel that takes a call's arrays on a GPU as they are; None for those elsewhere.

    None where a policy of buckets has arrays padded, too.
    """
    if not isinstance(policy, str) or not all(map(place_of, tensors.values())):
        return None
    return _kernels(policy, *_where(tensors, target, device)).kernel(call)


def given_back(query: Any, *results: Taken) -> Any:
    """Results as arrays of the query's kind: one, or a tuple of several."""
    back = tuple(like(query, result) for result in results)
    return back[0] if len(back) == 1 else back


@lru_cache(maxsize=64)
def _kernels(
    policy: Any, target: str | None, device: str, launcher: str | None = None
) -> KernelCache:
    named = policy if isinstance(policy, str) else dict(policy)
    return KernelCache(named, target=target, device=device, launcher=launcher)


def _where(
    tensors: Mapping[str, Taken], target: str | None, device: str
) -> tuple[str | None, str, str | None]:
    """Target, device and launcher: those that are named, or those of where arrays lie."""
    for array in tensors.values():
        if place := place_of(array):
            return target or place.target, place.device, DIRECT
    places = [array.device for array in tensors.values() if isinstance(array, DeviceArray)]
    if target is not None or device != "auto" or not places:
        return target, device, None
    (first, *_) = places
    if first.is_host:
        return "cpu", device, None
    return target, str(first), None
