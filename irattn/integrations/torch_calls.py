"""Run a call of an operator of PyTorch's: tensors are taken where they lie."""

from collections.abc import Collection, Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError, shown
from irattn.functional.arrays import like, taken
from irattn.functional.calls import run
from irattn.integrations.extras import need
from irattn.runtime.size_policies import EXACT, POWER_OF_TWO
from irattn.specs import Spec
from irattn.specs.logits import stored_cap, stored_window

torch = need("torch")

Tensor: TypeAlias = Any


def given(tensors: Mapping[str, Tensor | None]) -> dict[str, Tensor]:
    return {name: tensor for name, tensor in tensors.items() if tensor is not None}


def run_on_tensors(
    spec: Spec, tensors: Mapping[str, Tensor], options: Mapping[str, Any]
) -> tuple[Tensor, ...]:
    """The outputs of a call that are no caches; those are written."""
    name, first = next(iter(tensors.items()))
    check_reachable(name, first.device)
    check_same_device(first.device, tensors)
    arrays = {name: taken(name, tensor.detach()) for name, tensor in tensors.items()}
    updates = spec.updates
    _check_in_place(updates.values(), tensors)
    policy = EXACT if options.get("exact_sizes") else POWER_OF_TWO
    how: dict[str, Any] = {"policy": policy, "target": None, "device": "auto"}
    results = run(spec, arrays, **how, donate=tuple(updates.values()))
    named = zip((tensor.name for tensor in spec.outputs), results, strict=True)
    outputs = {name: like(first, result) for name, result in named}
    for name, cache in updates.items():
        written = outputs.pop(name)
        if written.data_ptr() != tensors[cache].data_ptr():
            tensors[cache].copy_(written)
    return tuple(outputs.values())


def apart(results: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The results of an operator, which may not share the memory that they lie in side by side."""
    first, *others = results
    return first, *(other.clone() for other in others)


def check_tensors(tensors: Mapping[str, Any]) -> None:
    """ArgumentError for what is no tensor of PyTorch's."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise ArgumentError(
                f"{name}: expected a tensor, got {type(tensor).__name__}"
                f"{'; give torch.as_tensor(' + name + ')' if tensor is not None else ''}"
            )


def check_words(numbers: Mapping[str, Any], flags: Mapping[str, Any]) -> None:
    """ArgumentError for what is no number, which may be None, and for a flag that is no bool."""
    for name, number in numbers.items():
        if number is not None and not _is_number(number):
            raise ArgumentError(f"{name}: expected a number, got {shown(number)}")
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise ArgumentError(f"{name}: expected true or false, got {shown(flag)}")


def _is_number(given: Any) -> bool:
    """Whether PyTorch takes it as a float: a tensor, too, if it has no axes and no gradient."""
    if isinstance(given, torch.Tensor):
        return not given.dim() and not given.requires_grad
    return isinstance(given, Real | torch.SymFloat | torch.SymInt)


def check_features(
    window: Sequence[Any] | None = None, logits_soft_cap: float | None = None, **_: Any
) -> None:
    """Refuse a window, or a cap, of tensors without contents as a call of others does."""
    stored_cap(logits_soft_cap)
    if window is not None:
        # What a compiler leaves open is any size.
        sides = [0 if isinstance(side, torch.SymInt) else side for side in window]
        stored_window(tuple(sides), causal=False)


def check_reachable(name: str, device: Any) -> None:
    """ArgumentError for a tensor whose device irattn cannot reach."""
    if device.type not in ("cpu", "cuda"):
        raise ArgumentError(f"{name}: expected it on the CPU or a GPU, got {device}")


def check_same_device(wanted: Any, tensors: Mapping[str, Tensor]) -> None:
    """ArgumentError for a tensor that is on another device than the first one's."""
    for name, tensor in tensors.items():
        if tensor.device != wanted:
            raise ArgumentError(f"{name}: expected it on {wanted}, got {tensor.device}")


def _check_in_place(names: Collection[str], tensors: Mapping[str, Tensor]) -> None:
    for name in names:
        if not tensors[name].is_contiguous():
            raise ArgumentError(
                f"{name}: expected elements that lie row by row, as it is written in place"
            )
