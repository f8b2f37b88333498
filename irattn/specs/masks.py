"""Masks by name: values that compose by `&`, `|` and `~`, for `mask_mod`.

`causal` is one, by which a query sees the keys up to its own place; functions give the others.
"""

from typing import Any

import numpy as np

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import whole
from irattn.specs.expressions.mask import Mask

__all__ = ["Mask", "causal", "dilated", "document", "prefix", "sliding", "tree"]

causal = Mask(lambda batch, head, query, key: key <= query)


def sliding(tokens: int) -> Mask:
    """A query sees the keys that are at most so many tokens before it, and all after it."""
    limit = whole("tokens", tokens, least=0)
    return Mask(lambda batch, head, query, key: query - key <= limit)


def document(documents: Any) -> Mask:
    """A query sees the keys of its own document.

    `documents`, int32 or int64 `[tokens]`, or `[batch, tokens]`, tell each token's document.
    """
    axes = len(documents.shape)
    if axes not in (1, 2):
        raise SpecError(
            f"documents: expected [tokens] or [batch, tokens], got {list(documents.shape)}"
        )
    if axes == 1:
        return Mask(lambda batch, head, query, key: documents[query] == documents[key])
    return Mask(lambda batch, head, query, key: documents[batch, query] == documents[batch, key])


def prefix(tokens: Any) -> Mask:
    """A query sees the first tokens: so many, or int32 or int64 `[batch]` of each sequence."""
    if hasattr(tokens, "shape") and len(tokens.shape) == 1:
        prefixes = tokens
        return Mask(lambda batch, head, query, key: key < prefixes[batch])
    limit = whole("tokens", tokens, least=0)
    return Mask(lambda batch, head, query, key: key < limit)


def dilated(step: int) -> Mask:
    """A query sees the keys whose distance from it is a multiple of a step."""
    apart = whole("step", step)
    return Mask(lambda batch, head, query, key: (query - key) % apart == 0)


def tree(parents: Any, *, context: int = 0) -> Mask:
    """A query sees itself and those before it on its way to the root, and all of the context.

    `parents`, integers `[tokens]` on the host, tell for each drafted token the one that it follows,
    a number below its own, or -1 for the last token of the context. Keys are those of the context,
    then those of the tokens.
    """
    above = np.asarray(parents)
    if above.ndim != 1 or above.dtype.kind not in "iu":
        raise SpecError(f"parents: expected integers [tokens], got {shown(parents)}")
    if (above >= np.arange(len(above))).any() or (above < -1).any():
        raise SpecError("parents: expected for each token a number from -1 to less than its own")
    ancestors = np.eye(len(above), dtype=bool)
    for token, parent in enumerate(above):
        if parent >= 0:
            ancestors[token] |= ancestors[parent]
    before = whole("context", context, least=0)
    if not before:
        return Mask(lambda batch, head, query, key: ancestors[query, key])
    return Mask(lambda batch, head, query, key: (key < before) | ancestors[query, key - before])
