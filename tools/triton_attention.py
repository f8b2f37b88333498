"""Attention as one writes it in Triton: FlashAttention-2, and a decode that shares keys out.

T. Dao: FlashAttention-2 (2023), algorithm 1, with the split of keys of Flash-Decoding. Tensors are
contiguous, [heads, tokens, head_dim]; a group of query heads has one of keys and values.
"""

import triton
import triton.language as tl


@triton.jit
def _step(
    q, keys, values, score_scale, start, rows, kv_tokens, past, sums, most, total,
    BLOCK_N: tl.constexpr, HEAD_DIM: tl.constexpr, CAUSAL: tl.constexpr, ENDS: tl.constexpr,
):  # fmt: skip
    """BLOCK_N keys from `start` on: some of them hidden, or beyond the end, where it says so."""
    columns = start + tl.arange(0, BLOCK_N)
    dims = tl.arange(0, HEAD_DIM)
    there = columns < kv_tokens
    # Keys are loaded as columns: a transposition afterwards would go through LDS with conflicts.
    across = columns[None, :] * HEAD_DIM + dims[:, None]
    k = tl.load(keys + across, mask=there[None, :], other=0.0) if ENDS else tl.load(keys + across)
    scores = tl.dot(q, k) * score_scale
    if ENDS:
        scores = tl.where(there[None, :], scores, float("-inf"))
    if CAUSAL:
        scores = tl.where(columns[None, :] <= rows[:, None] + past, scores, float("-inf"))
    new_most = tl.maximum(most, tl.max(scores, 1))
    weights = tl.exp2(scores - new_most[:, None])
    factor = tl.exp2(most - new_most)
    total = total * factor + tl.sum(weights, 1)
    at = columns[:, None] * HEAD_DIM + dims[None, :]
    v = tl.load(values + at, mask=there[:, None], other=0.0) if ENDS else tl.load(values + at)
    sums = tl.dot(weights.to(v.dtype), v, sums * factor[:, None])
    return sums, new_most, total


@triton.jit
def attention(
    query, key, value, output, score_scale, q_tokens, kv_tokens,
    GROUP: tl.constexpr, HEAD_DIM: tl.constexpr, CAUSAL: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """BLOCK_M queries of a head: grid (tiles, query heads). `score_scale` has log2(e) in it."""
    tile, head = tl.program_id(0), tl.program_id(1)
    rows, dims = tile * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, HEAD_DIM)
    at = (head * q_tokens + rows[:, None]) * HEAD_DIM + dims[None, :]
    q = tl.load(query + at, mask=rows[:, None] < q_tokens, other=0.0)
    keys = key + head // GROUP * kv_tokens * HEAD_DIM
    values = value + head // GROUP * kv_tokens * HEAD_DIM
    sums = tl.zeros([BLOCK_M, HEAD_DIM], tl.float32)
    most = tl.full([BLOCK_M], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    past, end = kv_tokens - q_tokens, kv_tokens
    seen = kv_tokens
    if CAUSAL:
        # What all queries of the tile see, and what the last one does.
        seen = tl.minimum(tile * BLOCK_M + past + 1, kv_tokens)
        end = tl.minimum((tile + 1) * BLOCK_M + past, kv_tokens)
    seen = seen // BLOCK_N * BLOCK_N
    for start in range(0, seen, BLOCK_N):
        sums, most, total = _step(
            q, keys, values, score_scale, start, rows, kv_tokens, past, sums, most, total,
            BLOCK_N, HEAD_DIM, False, False,
        )  # fmt: skip
    for start in range(seen, end, BLOCK_N):
        sums, most, total = _step(
            q, keys, values, score_scale, start, rows, kv_tokens, past, sums, most, total,
            BLOCK_N, HEAD_DIM, CAUSAL, True,
        )  # fmt: skip
    result = (sums / total[:, None]).to(output.dtype.element_ty)
    tl.store(output + at, result, mask=rows[:, None] < q_tokens)


@triton.jit
def decode_part(
    query, key, value, sums_out, most_out, total_out, score_scale, kv_tokens, part_tokens,
    GROUP: tl.constexpr, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """One part of the keys for the query heads of a group: grid (parts, key heads).

    `part_tokens` is a multiple of BLOCK_N. What comes of it goes to `sums_out`, f32 [parts, query
    heads, head_dim], and to `most_out` and `total_out`, f32 [parts, query heads].
    """
    part, kv_head = tl.program_id(0), tl.program_id(1)
    rows, dims = tl.arange(0, BLOCK_M), tl.arange(0, HEAD_DIM)
    is_head = rows < GROUP
    head = kv_head * GROUP + rows
    at = head[:, None] * HEAD_DIM + dims[None, :]
    q = tl.load(query + at, mask=is_head[:, None], other=0.0)
    keys = key + kv_head * kv_tokens * HEAD_DIM
    values = value + kv_head * kv_tokens * HEAD_DIM
    sums = tl.zeros([BLOCK_M, HEAD_DIM], tl.float32)
    most = tl.full([BLOCK_M], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    first = part * part_tokens
    for start in range(first, tl.minimum(first + part_tokens, kv_tokens), BLOCK_N):
        sums, most, total = _step(
            q, keys, values, score_scale, start, rows, kv_tokens, 0, sums, most, total,
            BLOCK_N, HEAD_DIM, False, True,
        )  # fmt: skip
    place = part * tl.num_programs(1) * GROUP
    tl.store(sums_out + place * HEAD_DIM + at, sums, mask=is_head[:, None])
    tl.store(most_out + place + head, most, mask=is_head)
    tl.store(total_out + place + head, total, mask=is_head)


@triton.jit
def decode_merge(
    sums_in, most_in, total_in, output, heads, parts,
    HEAD_DIM: tl.constexpr, PARTS: tl.constexpr,
):  # fmt: skip
    """The output of one query head from its parts, at most PARTS: grid (query heads)."""
    head = tl.program_id(0)
    part, dims = tl.arange(0, PARTS), tl.arange(0, HEAD_DIM)
    there = part < parts
    at = part * heads + head
    most = tl.load(most_in + at, mask=there, other=float("-inf"))
    factor = tl.exp2(most - tl.max(most, 0))
    total = tl.sum(tl.load(total_in + at, mask=there, other=0.0) * factor, 0)
    places = at[:, None] * HEAD_DIM + dims[None, :]
    sums = tl.load(sums_in + places, mask=there[:, None], other=0.0)
    result = tl.sum(sums * factor[:, None], 0) / total
    tl.store(output + head * HEAD_DIM + dims, result.to(output.dtype.element_ty))
