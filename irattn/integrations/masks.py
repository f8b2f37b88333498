"""Note what transformers' masks say of a call, by what the host knows when they are made.

Nothing of a mask on a GPU is read back: that would wait for all that was launched, and a graph that
is being captured forbids it.
"""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from irattn.integrations.torch import torch

Tensor: TypeAlias = Any


@dataclass(frozen=True)
class Pattern:
    """A causal mask of queries that end the keys: what each sees, besides what is padding.

    `window` counts the tokens that a query sees, its own included, None for all before it;
    `padding` is `[batch, kv_len]`, true for real keys, None where all are.
    """

    window: int | None
    padding: Tensor | None


@dataclass
class Made:
    """Notes on a mask that transformers made: its pattern, where that is known.

    `version` is PyTorch's count of the mask's changes, None for tensors that have none; `lengths`
    is what the first layer that asked for them was given.
    """

    pattern: Pattern | None
    version: int | None
    lengths: dict[str, Tensor] | None = None


# Of masks that are made once for all layers.
_made: MutableMapping[Tensor, Made] = torch.utils.weak.WeakIdKeyDictionary()


def noting(theirs: Any) -> Any:
    """transformers' function that makes masks of bools, which notes what each says."""

    def make(**how: Any) -> Tensor | None:
        mask = theirs(**how)
        if mask is not None and mask.shape[-2] == 1:
            # `generate` gives layers a dense copy of what is not dense, of which nothing is noted.
            mask = mask.contiguous()
        # While a graph is compiled, a mask is not a thing that can be looked up.
        if mask is not None and not torch.compiler.is_compiling():
            _made[mask] = Made(_pattern(**how), _version(mask))
        return mask

    return make


def pattern_of(mask: Tensor | None, window: int | None) -> Pattern | None:
    """The pattern of a layer's mask, where it is known, and the layer has the same window."""
    made = _found(mask)
    pattern = made.pattern if made else None
    return pattern if pattern and pattern.window == window else None


def lengths_of(mask: Tensor | None, batch: int) -> dict[str, Tensor]:
    """How many queries and keys of each sequence a mask of bools leaves, as int32 `[batch]`.

    Keys from the last one that any query sees on are as good as not there: a static cache has room
    for many. The numbers stay where the mask is. None of masks that are not made once for all
    layers, but while a graph is compiled, in which layers share what they compute alike.
    """
    if mask is None or mask.dtype != torch.bool:
        return {}
    if torch.compiler.is_compiling():
        return _lengths(mask, batch)
    made = _found(mask)
    if made is None:
        return {}
    if made.lengths is None:
        made.lengths = _lengths(mask, batch)
    return made.lengths


def _found(mask: Tensor | None) -> Made | None:
    """The notes on a mask, unless it was changed since."""
    if mask is None or torch.compiler.is_compiling():
        return None
    made = _made.get(mask)
    return made if made and made.version == _version(mask) else None


def _version(mask: Tensor) -> int | None:
    return None if mask.is_inference() else mask._version


def _lengths(mask: Tensor, batch: int) -> dict[str, Tensor]:
    q_len, kv_len = mask.shape[-2:]
    numbers = torch.arange(1, kv_len + 1, dtype=torch.int32, device=mask.device)
    seen = mask.any(dim=1).any(dim=1)
    context_lens = (seen * numbers).amax(-1).expand(batch).contiguous()
    return {"q_lens": torch.full_like(context_lens, q_len), "context_lens": context_lens}


def _pattern(
    q_length: int,
    kv_length: int,
    q_offset: Any = 0,
    kv_offset: Any = 0,
    attention_mask: Tensor | None = None,
    local_size: int | None = None,
    allow_is_causal_skip: bool = True,
    use_vmap: bool = False,
    **_: Any,
) -> Pattern | None:
    """The pattern of a mask that is asked for so; None where that does not tell.

    transformers allows to leave a mask to `is_causal` where it asks for a causal one, within
    `local_size` tokens if that is given, and nothing else. An offset of a static cache is a tensor.
    """
    if use_vmap or not allow_is_causal_skip or not isinstance(q_offset, int):
        return None
    if q_offset - kv_offset != kv_length - q_length:
        return None
    if attention_mask is None:
        return Pattern(local_size, None)
    padding = attention_mask[:, kv_offset : kv_offset + kv_length]
    if padding.dtype != torch.bool or padding.shape[1] != kv_length:
        return None
    if padding.device.type == "cpu" and bool(padding.all()):
        return Pattern(local_size, None)
    return Pattern(local_size, padding)
