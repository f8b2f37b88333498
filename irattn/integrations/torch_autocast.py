"""Attention under torch.autocast: in the dtype that PyTorch's own is computed in there."""

from collections.abc import Callable
from typing import Any, TypeAlias

from irattn.integrations.extras import need

torch = need("torch")

Tensor: TypeAlias = Any

_KEYS = {"cpu": "AutocastCPU", "cuda": "AutocastCUDA"}

# Rules of dispatch last as long as what they are registered with.
_library = torch.library.Library("irattn", "FRAGMENT")


def cast(*tensors: Tensor | None) -> tuple[Tensor | None, ...]:
    """Tensors as autocast has them on the first one's device: floats in its dtype, but float64."""
    first = tensors[0]
    assert first is not None
    device = first.device.type
    if device not in _KEYS or not torch.is_autocast_enabled(device):
        return tensors
    dtype = torch.get_autocast_dtype(device)
    return tuple(
        one.to(dtype) if one is not None and _is_lowered(one.dtype) else one for one in tensors
    )


def _is_lowered(dtype: Any) -> bool:
    return bool(dtype.is_floating_point) and dtype != torch.float64


def follow(operator: Any, count: int) -> None:
    """Have autocast decide the dtype of the first `count` tensors of an operator of irattn's.

    torch.library's own rule takes no options, and casts the numbers of heads, too.
    """
    for key in _KEYS.values():
        _library.impl(operator._name, _following(operator, count, key), key)


def _following(operator: Any, count: int, key: str) -> Callable[..., Any]:
    without = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))

    def run(*tensors: Tensor | None, **options: Any) -> Any:
        lowered = cast(*tensors[:count])
        with torch._C._ExcludeDispatchKeyGuard(without):
            return operator(*lowered, *tensors[count:], **options)

    return run
