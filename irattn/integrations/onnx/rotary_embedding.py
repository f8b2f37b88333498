"""ONNX's RotaryEmbedding."""

import numpy as np

from irattn.api import kernels
from irattn.core.errors import ArgumentError
from irattn.integrations.onnx.shapes import by_heads, check_arrays, flat, io_dtype
from irattn.specs.rope import RopeSpec


def rotary_embedding(
    data: np.ndarray,
    cos_cache: np.ndarray,
    sin_cache: np.ndarray,
    position_ids: np.ndarray | None = None,
    *,
    interleaved: int = 0,
    num_heads: int | None = None,
    rotary_embedding_dim: int = 0,
    target: str = "cpu",
) -> np.ndarray:
    """RotaryEmbedding of opset 23; the result is like `data`.

    `data` `[batch, heads, tokens, head_dim]`, or `[batch, tokens, heads * head_dim]` with
    `num_heads`, is float32, float16 or bfloat16. Each kernel is compiled for its sizes.
    ArgumentError or SpecError name what irattn cannot compute.
    """
    check_arrays(data=data, cos_cache=cos_cache, sin_cache=sin_cache)
    if position_ids is not None:
        check_arrays(position_ids=position_ids)
    whole = by_heads("data", data, "num_heads", num_heads or None)
    batch, heads, tokens, head_dim = whole.shape
    if whole.size == 0:
        return data
    cos, sin, positions = _tables(cos_cache, sin_cache, position_ids, (batch, tokens))
    spec = RopeSpec(
        io_dtype=io_dtype("data", whole),
        batch=batch,
        num_q_heads=heads,
        # The op turns a query and a key, and there is no key here: one head is the least.
        num_kv_heads=1,
        q_len=tokens,
        head_dim=head_dim,
        max_positions=len(cos),
        rope_style="interleaved" if interleaved else "rotate_half",
        rotary_dim=rotary_embedding_dim or None,
        given_tables=True,
    )
    rotated, _ = kernels.load(spec, target=target)(whole, whole[:, :1], positions, cos, sin)
    return flat(rotated) if data.ndim == 3 else rotated


def _tables(
    cos: np.ndarray, sin: np.ndarray, positions: np.ndarray | None, tokens: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cosines and sines by position, f32, and each token's position."""
    by_token = positions is None
    rows = list(tokens) if by_token else ["positions"]
    for name, table in {"cos_cache": cos, "sin_cache": sin}.items():
        shape = list(table.shape)
        if len(shape) != len(rows) + 1 or (by_token and shape[:2] != rows):
            raise ArgumentError(
                f"{name}: expected {[*rows, 'rotary_embedding_dim / 2']} "
                f"with{'out' if by_token else ''} position_ids, got {shape}"
            )
    if positions is None:
        positions = np.arange(tokens[0] * tokens[1]).reshape(tokens)
    elif positions.shape != tokens or positions.min() < 0 or positions.max() >= len(cos):
        raise ArgumentError(
            f"position_ids: expected {list(tokens)} of 0 to {len(cos) - 1}, got "
            f"{list(positions.shape)} of {positions.min()} to {positions.max()}"
        )
    cos, sin = (x.reshape(-1, x.shape[-1]).astype(np.float32) for x in (cos, sin))
    return cos, sin, positions
