"""Attention as other libraries take it: contiguous arrays, and a mask made beforehand."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from irattn.lab.benchmark.work import sequence_spec
from irattn.specs import Spec
from irattn.specs.attention import AttentionSpec
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec

Tensors = Mapping[str, np.ndarray]

# The features that problems say; any other must have its default.
_SAYABLE = frozenset(
    {
        *("io_dtype", "batch", "value_dim", "softmax_scale", "causal", "alignment", "window"),
        *("alibi", "bias", "keep_mask", "ragged", "dynamic", "layout", "block_size"),
        "latent_cache",
    }
)


class NoWayError(Exception):
    """A peer cannot compute a spec; the text says why: `its attention has no sinks`."""


@dataclass(frozen=True)
class Pages:
    """Where the keys and values of a problem lie in blocks: every entry of `table` is in use.

    Without a `value_cache`, values are the first columns of the keys.
    """

    key_cache: np.ndarray
    value_cache: np.ndarray | None
    table: np.ndarray


@dataclass(frozen=True)
class Problem:
    """query [b, h, q, d] over key and value [b, kv heads, k, ·], and what is hidden.

    `is_causal`: query `i` sees key `j <= i`, and there are as many keys as queries. `mask`, which
    broadcasts to [b, h, q, k], is bool (True: attend) or f32 and added. Neither: all is seen.
    `window_left` says that the mask is that of a causal window, of as many keys as queries.
    """

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    scale: float
    is_causal: bool = False
    mask: np.ndarray | None = None
    window_left: int | None = None
    pages: Pages | None = None

    @property
    def group_size(self) -> int:
        """Query heads for each KV head."""
        return int(self.query.shape[1] // self.key.shape[1])


@dataclass(frozen=True)
class Problems:
    """All that a call computes, and how their outputs [b, h, q, ·] become the call's output."""

    problems: tuple[Problem, ...]
    assemble: Callable[[list[np.ndarray]], np.ndarray]


def problems_of(spec: Spec, tensors: Tensors) -> Problems:
    """The problems of a call of static sizes; NoWayError with a reason where there are none.

    Pages are gathered, which `Problem.pages` undoes for those who measure that, too.
    """
    if not isinstance(spec, AttentionSpec | PagedAttentionSpec | PackedSequences):
        raise NoWayError(f"it has no {spec.op}")
    if field := spec.first_beyond(_SAYABLE):
        raise NoWayError(f"its attention has no {field}")
    if "offsets" in tensors or getattr(spec, "layout", "HND") != "HND":
        raise NoWayError("its calls are set up for heads before tokens, aligned at an end")
    if isinstance(spec, PackedSequences):
        return _packed(spec, tensors)
    if isinstance(spec, PagedAttentionSpec):
        problem = _paged(spec, tensors)
    else:
        problem = _problem(spec, tensors, tensors["query"], tensors["key"], tensors["value"])
    return Problems((problem,), lambda outputs: outputs[0])


def _problem(
    spec: AttentionFeatures,
    tensors: Tensors,
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    *,
    pages: Pages | None = None,
) -> Problem:
    q_len, kv_len = query.shape[2], key.shape[2]
    arrays = (query, key, value, spec.scale)
    others = any(name in tensors for name in ("bias", "keep_mask", "alibi_slopes", "q_lens"))
    is_full = bool(np.all(tensors.get("context_lens", kv_len) == kv_len))
    if not others and is_full:
        is_square = q_len == kv_len
        if spec.window is None and (not spec.causal or (q_len == 1 and _is_at_end(spec))):
            return Problem(*arrays, pages=pages)
        if spec.causal and spec.window is None and is_square:
            return Problem(*arrays, is_causal=True, pages=pages)
        left = spec.window_left if spec.causal and is_square else None
        return Problem(*arrays, mask=_mask(spec, tensors, q_len, kv_len), window_left=left)
    return Problem(*arrays, mask=_mask(spec, tensors, q_len, kv_len))


def _is_at_end(spec: AttentionFeatures) -> bool:
    return spec.alignment == "bottom_right"


def _mask(spec: AttentionFeatures, tensors: Tensors, q_len: int, kv_len: int) -> np.ndarray:
    """The mask: bools of what is seen or, where something is added, numbers with -inf."""
    lens = [np.asarray(tensors.get(name, [most])).reshape(-1, 1, 1, 1)
            for name, most in (("q_lens", q_len), ("context_lens", kv_len))]  # fmt: skip
    query, token = np.arange(q_len)[:, None], np.arange(kv_len)
    position = query + (lens[1] - lens[0] if _is_at_end(spec) else 0)
    keep = np.asarray(token < lens[1])
    if spec.causal:
        keep = keep & (token <= position)
    if spec.window_left is not None:
        keep = keep & (token >= position - spec.window_left)
    if spec.window_right is not None:
        keep = keep & (token <= position + spec.window_right)
    if "keep_mask" in tensors:
        keep = keep & tensors["keep_mask"]
    if (lens[0] < q_len).any() or not keep.any(axis=-1).all():
        raise NoWayError("it gives no zeros for queries that see no key")
    if "bias" not in tensors and "alibi_slopes" not in tensors:
        return keep
    added = np.zeros((), np.float32)
    if "bias" in tensors:
        added = added + tensors["bias"].astype(np.float32)
    if "alibi_slopes" in tensors:
        slopes = tensors["alibi_slopes"].reshape(-1, 1, 1)
        added = added - slopes * np.abs(position - token).astype(np.float32)
    return np.where(keep, added, np.float32(-np.inf))


def _paged(spec: PagedAttentionSpec, tensors: Tensors) -> Problem:
    most = int(tensors["context_lens"].max())
    table = np.maximum(tensors["block_table"][:, : -(-most // spec.block_size)], 0)
    key, value = (part[:, :, :most] for part in _gathered(spec, tensors, table))
    is_full = bool((tensors["context_lens"] == most).all()) and most % spec.block_size == 0
    caches = (tensors["key_cache"], tensors.get("value_cache"))
    pages = Pages(*caches, table) if is_full else None
    return _problem(spec, tensors, tensors["query"], key, value, pages=pages)


def _gathered(
    spec: PagedAttentionSpec | PackedPagedAttentionSpec, tensors: Tensors, table: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Copies of the keys and values of each sequence in a row."""
    key = gathered(tensors["key_cache"], table)
    if spec.latent_cache:
        return key, key[..., : spec.v_dim]
    return key, gathered(tensors["value_cache"], table)


def gathered(cache: np.ndarray, table: np.ndarray) -> np.ndarray:
    """A copy of the blocks of each sequence in a row: [b, kv heads, tokens, d]."""
    blocks: np.ndarray = cache[table].swapaxes(1, 2)
    b, heads, count, size, d = blocks.shape
    return blocks.reshape(b, heads, count * size, d)


def _packed(spec: PackedSequences, tensors: Tensors) -> Problems:
    for name in ("bias", "keep_mask", "alibi_slopes"):
        if name in tensors:
            raise NoWayError(f"packed attention with {name} is not set up for it")
    bounds = pairwise(tensors["cu_seqlens_q"].tolist())
    spans = [
        (slice(*rows), key_and_value)
        for rows, key_and_value in zip(bounds, keys_of_packed(spec, tensors), strict=True)
        if rows[0] < rows[1] and key_and_value[0].shape[2]
    ]

    def assemble(outputs: list[np.ndarray]) -> np.ndarray:
        whole = np.zeros(spec.outputs[0].largest_shape, outputs[0].dtype)
        for (rows, _), output in zip(spans, outputs, strict=True):
            whole[rows] = output[0].swapaxes(0, 1)
        return whole

    problems = []
    for rows, (key, value) in spans:
        one = sequence_spec(spec, rows.stop - rows.start, key.shape[2])
        problems.append(_problem(one, {}, _sequence(tensors["query"], rows), key, value))
    return Problems(tuple(problems), assemble)


def keys_of_packed(spec: PackedSequences, tensors: Tensors) -> Iterator[tuple[np.ndarray, ...]]:
    """The keys and values of each sequence, [1, kv heads, tokens, d]."""
    if not isinstance(spec, PackedPagedAttentionSpec):
        for tokens in pairwise(tensors["cu_seqlens_k"].tolist()):
            yield tuple(_sequence(tensors[name], slice(*tokens)) for name in ("key", "value"))
        return
    for s, length in enumerate(tensors["context_lens"].tolist()):
        table = tensors["block_table"][s : s + 1, : -(-length // spec.block_size)]
        yield tuple(part[:, :, :length] for part in _gathered(spec, tensors, table))


def _sequence(array: np.ndarray, part: slice) -> np.ndarray:
    """A copy of one packed sequence: [1, heads, tokens, d]."""
    return np.ascontiguousarray(array[part].swapaxes(0, 1))[None]
