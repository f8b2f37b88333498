"""Masks by name: values that compose by `&`, `|` and `~`, for `mask_mod`.

`causal` is one, by which a query sees the keys up to its own place; functions give the others.
"""

from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import SpecError, shown
from irattn.core.numbers import whole
from irattn.specs.expressions.mask import Mask
from irattn.specs.trees import WORD_BITS, as_words, is_on_path, paths_to_root

__all__ = ["Mask", "causal", "dilated", "document", "prefix", "sliding", "tree"]


def _is_not_after(batch: Any, head: Any, query: Any, key: Any) -> Any:
    return key <= query


causal = Mask(_is_not_after)


def sliding(tokens: int) -> Mask:
    """A query sees the keys that are at most so many tokens before it, and all after it."""
    limit = whole("tokens", tokens, least=0)
    return Mask(lambda batch, head, query, key: query - key <= limit, (sliding, (limit,)))


def document(documents: Any) -> Mask:
    """A query sees the keys of its own document.

    `documents`, int32 or int64 `[tokens]`, or `[batch, tokens]`, tell each token's document.
    """
    if not hasattr(documents, "shape"):
        raise SpecError(f"documents: expected an array of integers, got {shown(documents)}")
    shape = documents.shape
    if len(shape) not in (1, 2) or any_name(documents.dtype) not in ("i32", "i64"):
        raise SpecError(
            f"documents: expected int32 or int64 [tokens] or [batch, tokens], got "
            f"{documents.dtype} {list(shape)}"
        )
    made = (document, (documents,))
    if len(shape) == 1:
        return Mask(lambda batch, head, query, key: documents[query] == documents[key], made)
    return Mask(
        lambda batch, head, query, key: documents[batch, query] == documents[batch, key], made
    )


def prefix(tokens: Any) -> Mask:
    """A query sees the first tokens: so many, or int32 or int64 `[batch]` of each sequence."""
    if hasattr(tokens, "shape") and len(tokens.shape) == 1:
        prefixes = tokens
        return Mask(lambda batch, head, query, key: key < prefixes[batch], (prefix, (tokens,)))
    limit = whole("tokens", tokens, least=0)
    return Mask(lambda batch, head, query, key: key < limit, (prefix, (limit,)))


def dilated(step: int) -> Mask:
    """A query sees the keys whose distance from it is a multiple of a step."""
    apart = whole("step", step)
    return Mask(lambda batch, head, query, key: (query - key) % apart == 0, (dilated, (apart,)))


def tree(parents: Any, *, context: Any = 0, positions: bool = False) -> Mask:
    """A query sees itself and those before it on its way to the root, and all of the context.

    `parents`, integers `[tokens]` or `[batch, tokens]` on the host, tell for each drafted token the
    one that it follows, a number below its own, or -1 for the last token of the context. Keys are
    those of the context, so many tokens or int32 or int64 `[batch]` of each sequence, then those of
    the tokens. Queries are the tokens; with `positions`, as over a cache in blocks, they are
    numbered as keys are.
    """
    try:
        # A copy: what a mask is made of stays.
        above = np.array(parents)
    except ValueError:
        # Lists of unlike lengths.
        above = np.empty(0)
    if above.ndim not in (1, 2) or above.dtype.kind not in "iu":
        raise SpecError(
            f"parents: expected integers [tokens] or [batch, tokens], got {shown(parents)}"
        )
    is_told = hasattr(context, "shape") and len(context.shape) == 1
    return _tree(above, context if is_told else whole("context", context, least=0), positions)


def _tree(above: np.ndarray, contexts: Any, positions: bool) -> Mask:
    """The mask of trees that are none other, after contexts of a length or of several."""
    is_told = not isinstance(contexts, int)
    count = -(-above.shape[-1] // WORD_BITS)
    paths = np.stack([as_words(paths_to_root(one), count) for one in np.atleast_2d(above).tolist()])
    is_shared = above.ndim == 1
    own_paths = paths[0] if is_shared else paths

    def seen(batch: Any, head: Any, query: Any, key: Any) -> Any:
        before = contexts[batch] if is_told else contexts
        token = query - before if positions else query
        of_tree = (token,) if is_shared else (batch, token)
        words = [own_paths[(*of_tree, n)] for n in range(count)]
        return (key < before) | is_on_path(words, key - before)

    return Mask(seen, (_tree, (above, contexts, positions)))
