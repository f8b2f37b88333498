"""NumPy as a plain baseline: f32 products and softmax, a KV head at a time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from irattn.lab.benchmark.problems import Problem
from irattn.lab.benchmark.sides.base import best_rate
from irattn.lab.benchmark.sides.peer import One, PeerSide

# Far more than caches hold.
_READ_BYTES = 1 << 28
_GEMM = 2048


class Side(PeerSide):
    """NumPy, in one way; OpenBLAS has the threads."""

    def version(self) -> str:
        return f"NumPy {np.__version__}"

    def ways_of(self, problem: Problem) -> dict[str, One]:
        return {"plain": lambda: attend(problem)}

    def array(self, result: object) -> np.ndarray:
        assert isinstance(result, np.ndarray)
        return result

    def limits(self, dtypes: Sequence[str]) -> dict[str, float]:
        """sgemm and sums of products, which read at memory's speed; NumPy has no other gemm."""
        square = np.ones((_GEMM, _GEMM), np.float32)
        rates = {"read": self._read_rate()}
        if "f32" in dtypes:
            rates["f32"] = best_rate(2 * _GEMM**3, lambda: square @ square)
        return rates

    def _read_rate(self) -> float:
        """Bytes per second; each thread reads a part of its own."""
        parts = np.array_split(np.ones(_READ_BYTES // 4, np.float32), self.threads)
        with ThreadPoolExecutor(self.threads) as pool:
            return best_rate(_READ_BYTES, lambda: list(pool.map(lambda x: np.dot(x, x), parts)))


def attend(problem: Problem) -> np.ndarray:
    """The f32 output [b, h, q, d] of a problem."""
    query, key, value = problem.query, problem.key, problem.value
    output = np.empty((*query.shape[:3], value.shape[3]), np.float32)
    group = problem.group_size
    for b, kv_head in np.ndindex(key.shape[:2]):
        heads = slice(kv_head * group, (kv_head + 1) * group)
        keys, values = (array[b, kv_head].astype(np.float32) for array in (key, value))
        logits = query[b, heads].astype(np.float32) * np.float32(problem.scale) @ keys.T
        _hide(logits, problem, b, heads)
        logits -= logits.max(axis=-1, keepdims=True)
        weights = np.exp(logits, out=logits)
        output[b, heads] = weights @ values / weights.sum(axis=-1, keepdims=True)
    return output


def _hide(logits: np.ndarray, problem: Problem, b: int, heads: slice) -> None:
    """Apply what is hidden and added to the logits [group, q, k] of one KV head."""
    if problem.is_causal:
        logits[:, np.triu(np.ones(logits.shape[1:], np.bool_), 1)] = -np.inf
    if problem.mask is None:
        return
    whole = (*problem.query.shape[:3], problem.key.shape[2])
    mask = np.broadcast_to(problem.mask, whole)[b, heads]
    if mask.dtype == np.bool_:
        logits[~mask] = -np.inf
    else:
        logits += mask
