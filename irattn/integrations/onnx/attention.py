"""ONNX's Attention."""

from typing import Any

import numpy as np

from irattn.api.kernels import run_stages
from irattn.core.errors import ArgumentError
from irattn.functional.shapes import mask_axes
from irattn.integrations.onnx.shapes import by_heads, check_arrays, flat, io_dtype
from irattn.runtime.kernel_cache import KernelCache
from irattn.runtime.size_policies import EXACT, POWER_OF_TWO
from irattn.specs.attention import AttentionSpec

# TensorProto's float, float16, double and bfloat16.
_SOFTMAX_PRECISIONS = (1, 10, 11, 16)

_Features = tuple[dict[str, Any], dict[str, np.ndarray]]


def attention(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    attn_mask: np.ndarray | None = None,
    past_key: np.ndarray | None = None,
    past_value: np.ndarray | None = None,
    nonpad_kv_seqlen: np.ndarray | None = None,
    *,
    is_causal: int = 0,
    kv_num_heads: int | None = None,
    left_window_size: int = -1,
    q_num_heads: int | None = None,
    qk_matmul_output_mode: int = 0,
    right_window_size: int = -1,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
    with_scores: bool = False,
    target: str = "cpu",
    exact_sizes: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """Attention of opsets 23, 24 and 25, as onnx 1.22 and later define it.

    Inputs and attributes have the operator's order, names and shapes, 3-D or 4-D; Q, K and V are
    float32, float16 or bfloat16. Gives Y, present_key, present_value and, `with_scores`, the
    qk_matmul_output that `qk_matmul_output_mode` asks for, for which the stages of attention run
    one by one; else None. The softmax is in f32, whatever `softmax_precision` says. `exact_sizes`
    has a kernel compiled for these sizes alone. ArgumentError or SpecError name what irattn cannot
    compute.
    """
    mode = qk_matmul_output_mode
    _check_attributes(softmax_precision, mode)
    check_arrays(query=query, key=key, value=value)
    optional = {
        "attn_mask": attn_mask,
        "past_key": past_key,
        "past_value": past_value,
        "nonpad_kv_seqlen": nonpad_kv_seqlen,
    }
    check_arrays(**{name: array for name, array in optional.items() if array is not None})
    is_flat = query.ndim == 3
    query = by_heads("query", query, "q_num_heads", q_num_heads)
    key = by_heads("key", key, "kv_num_heads", kv_num_heads)
    value = by_heads("value", value, "kv_num_heads", kv_num_heads)
    past = _past_length(past_key, past_value, nonpad_kv_seqlen)
    key, value = _joined("key", past_key, key), _joined("value", past_value, value)
    _check_fit(query, key, value)
    scores = (*query.shape[:3], key.shape[2])
    window = (left_window_size, right_window_size)
    fields, tensors = _hidden(scores, past, nonpad_kv_seqlen, bool(is_causal), window, with_scores)
    if attn_mask is not None:
        _add_mask(tensors, attn_mask, scores, query.dtype)
    for name in tensors.keys() & {"bias", "keep_mask"}:
        fields[name], tensors[name] = _broadcast(tensors[name], scores)
    fields |= {"softmax_scale": scale, "logits_soft_cap": softcap}
    tensors |= {"query": query, "key": key, "value": value}
    output, given = _run(fields, tensors, target, exact_sizes, mode if with_scores else None)
    return flat(output) if is_flat else output, key, value, given


def _run(
    fields: dict[str, Any],
    tensors: dict[str, np.ndarray],
    target: str,
    exact_sizes: bool,
    mode: int | None,
) -> tuple[np.ndarray, np.ndarray | None]:
    """The output, and the scores of a mode, if any."""
    query, key, value = (tensors[name] for name in ("query", "key", "value"))
    if 0 in (*query.shape, *key.shape, *value.shape):
        # No query, or none that sees a key.
        scores = np.zeros((*query.shape[:3], key.shape[2]), query.dtype)
        output = np.zeros((*query.shape[:3], value.shape[3]), query.dtype)
        return output, None if mode is None else scores
    spec = _spec(query, key, value, fields)
    kernels = KernelCache(EXACT if exact_sizes else POWER_OF_TWO, target=target)
    (output,) = kernels.outputs(spec, tensors)
    return output, None if mode is None else _scores(spec, tensors, mode, target)


def _spec(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, fields: dict[str, Any]
) -> AttentionSpec:
    batch, heads, q_len, head_dim = query.shape
    return AttentionSpec(
        io_dtype=io_dtype("query", query),
        batch=batch,
        num_q_heads=heads,
        num_kv_heads=key.shape[1],
        q_len=q_len,
        kv_len=key.shape[2],
        head_dim=head_dim,
        value_dim=value.shape[3],
        **fields,
    )


def _scores(
    spec: AttentionSpec, tensors: dict[str, np.ndarray], mode: int, target: str
) -> np.ndarray:
    """The scores after the stage that a mode names, in the type of the query."""
    stages = run_stages(spec, tensors, target=target)
    *_, last, softmax, _ = stages
    named = ("scale_scores", "soft_cap_scores", last, softmax)[mode]
    # Without a cap nothing changes there.
    return stages.get(named, stages["scale_scores"]).astype(tensors["query"].dtype)


def _hidden(
    scores: tuple[int, ...],
    past: int,
    nonpad: np.ndarray | None,
    causal: bool,
    window: tuple[int, int],
    is_staged: bool,
) -> _Features:
    """Fields and tensors that say which keys are hidden by where they stand.

    A query stands behind the past, or at the end of what is no padding.
    """
    batch, _, q_len, kv_len = scores
    positioned = {"causal": causal, "window": window}
    if nonpad is not None:
        lengths = _checked_lengths(nonpad, batch, kv_len)
        if not is_staged:
            q_lens = np.full(batch, q_len)
            return {**positioned, "ragged": True}, {"q_lens": q_lens, "context_lens": lengths}
        # The stages know no padding.
        return {}, {"keep_mask": _keep_mask(lengths - q_len, lengths, scores, causal, window)}
    if past == 0:
        return {**positioned, "alignment": "top_left"}, {}
    if past == kv_len - q_len:
        return {**positioned, "alignment": "bottom_right"}, {}
    # New keys that differ from the queries in number: neither alignment.
    whole = np.array([past]), np.array([kv_len])
    return {}, {"keep_mask": _keep_mask(*whole, scores, causal, window)}


def _keep_mask(
    first: np.ndarray,
    lengths: np.ndarray,
    scores: tuple[int, ...],
    causal: bool,
    window: tuple[int, int],
) -> np.ndarray:
    """`[batch or 1, 1, q_len, kv_len]`, where queries of each sequence stand at `first` and on."""
    _, _, q_len, kv_len = scores
    position = np.reshape(first, (-1, 1, 1, 1)) + np.arange(q_len)[:, None]
    token = np.arange(kv_len)
    keep: np.ndarray = (token < np.reshape(lengths, (-1, 1, 1, 1))) & (position == position)
    left, right = window
    if left >= 0:
        keep &= token >= position - left
    if right >= 0:
        keep &= token <= position + right
    return keep & (token <= position) if causal else keep


def _add_mask(
    tensors: dict[str, np.ndarray], mask: np.ndarray, scores: tuple[int, ...], element: np.dtype
) -> None:
    """Put a node's mask beside what is hidden anyway; keys past its end are hidden."""
    if mask.dtype not in (np.bool_, element):
        raise ArgumentError(f"attn_mask: expected bool or {element}, got {mask.dtype}")
    is_bool = mask.dtype == np.bool_
    missing = scores[-1] - mask.shape[-1] if mask.ndim else 0
    if missing > 0:
        hidden = np.full((*mask.shape[:-1], missing), False if is_bool else -np.inf, mask.dtype)
        mask = np.concatenate([mask, hidden], axis=-1)
    mask_axes("attn_mask", mask.shape, scores)
    if is_bool:
        tensors["keep_mask"] = tensors.get("keep_mask", np.True_) & mask
    else:
        tensors["bias"] = mask


def _broadcast(mask: np.ndarray, scores: tuple[int, ...]) -> tuple[str, np.ndarray]:
    """The axes along which a mask varies, and the mask as a tensor along these."""
    axes = mask_axes("attn_mask", mask.shape, scores)
    whole = mask.reshape((1,) * (len(scores) - mask.ndim) + mask.shape)
    return axes, np.broadcast_to(whole, (*whole.shape[:-1], scores[-1]))


def _check_attributes(softmax_precision: int | None, mode: int) -> None:
    if softmax_precision not in (None, *_SOFTMAX_PRECISIONS):
        raise ArgumentError(
            f"softmax_precision: expected one of {_SOFTMAX_PRECISIONS}, got {softmax_precision}"
        )
    if mode not in range(4):
        raise ArgumentError(f"qk_matmul_output_mode: expected 0 to 3, got {mode}")


def _past_length(
    past_key: np.ndarray | None, past_value: np.ndarray | None, nonpad: np.ndarray | None
) -> int:
    """The number of keys before those of the call; ArgumentError for half a past."""
    if (past_key is None) != (past_value is None):
        raise ArgumentError("past_key, past_value: expected both or none, got one")
    if past_key is None:
        return 0
    if nonpad is not None:
        raise ArgumentError("nonpad_kv_seqlen: expected none beside past_key, got both")
    return past_key.shape[2] if past_key.ndim == 4 else 0


def _joined(name: str, past: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    """Keys or values with those of the past before them."""
    if past is None:
        return new
    fits = past.ndim == 4 and past.shape[:2] == new.shape[:2] and past.shape[3] == new.shape[3]
    if not fits or past.dtype != new.dtype:
        batch, heads, _, columns = new.shape
        raise ArgumentError(
            f"past_{name}: expected {new.dtype} [{batch}, {heads}, past, {columns}], got "
            f"{past.dtype} {list(past.shape)}"
        )
    return np.concatenate([past, new], axis=2)


def _check_fit(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    io_dtype("query", query)
    for name, array in {"key": key, "value": value}.items():
        if array.dtype != query.dtype:
            raise ArgumentError(f"{name}: expected {query.dtype} as query, got {array.dtype}")
    if key.shape[:3] != value.shape[:3] or (key.shape[0], key.shape[3]) != query.shape[::3]:
        raise ArgumentError(
            f"key: expected the sizes of query {list(query.shape)} and value {list(value.shape)}, "
            f"got {list(key.shape)}"
        )


def _checked_lengths(lengths: np.ndarray, batch: int, kv_len: int) -> np.ndarray:
    if lengths.shape != (batch,) or lengths.dtype.kind != "i":
        raise ArgumentError(
            f"nonpad_kv_seqlen: expected int64 [{batch}], got {lengths.dtype} {list(lengths.shape)}"
        )
    if batch and (lengths.min() < 0 or lengths.max() > kv_len):
        raise ArgumentError(f"nonpad_kv_seqlen: expected 0 to {kv_len}, got {lengths.tolist()}")
    return lengths
