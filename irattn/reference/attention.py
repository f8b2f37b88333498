"""Attention over contiguous keys and values, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs import AttentionSpec

_ROWS_AT_A_TIME = 256


def attention(spec: AttentionSpec, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """The meaning of AttentionSpec, head by head."""
    query, key, value = (tensors[name].astype(np.float64) for name in ("query", "key", "value"))
    output = np.zeros(spec.outputs[0].shape)
    for b, head in np.ndindex(spec.batch, spec.num_q_heads):
        kv_head = head // spec.group_size
        output[b, head] = attend(
            query[b, head], key[b, kv_head], value[b, kv_head], spec.scale, spec.causal
        )
    return output


def attend(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, scale: float, causal: bool
) -> np.ndarray:
    """One head: query [q, k], key [t, k], value [t, n] to [q, n]; a row without keys is zeros."""
    output = np.zeros((len(query), value.shape[1]))
    keys_before = len(key) - len(query)
    for start in range(0, len(query), _ROWS_AT_A_TIME):
        rows = query[start : start + _ROWS_AT_A_TIME]
        end = len(key)
        if causal:
            # Nothing beyond the last row's own position matters to this chunk.
            end = max(0, min(end, start + len(rows) + keys_before))
        logits = rows @ key[:end].T * scale
        if causal:
            last_seen = np.arange(start, start + len(rows)) + keys_before
            logits[np.arange(end) > last_seen[:, None]] = -np.inf
        sees_any = (logits > -np.inf).any(axis=1)
        seen = logits[sees_any]
        if not len(seen):
            continue
        weights = np.exp(seen - seen.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        output[start : start + len(rows)][sees_any] = weights @ value[:end]
    return output
