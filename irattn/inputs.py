"""Seeded inputs for a spec: random distributions and adversarial cases."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irattn.dtypes import dtype
from irattn.specs import PagedAttentionSpec, Spec
from irattn.tensors import TensorType

Tensors = dict[str, np.ndarray]
Sampler = Callable[[np.random.Generator, TensorType], np.ndarray]

_QUERY_AND_KEYS = ("query", "key", "key_cache")
_KEYS = ("key", "key_cache")
_VALUES = ("value", "value_cache")


@dataclass(frozen=True)
class Case:
    """One way to fill the inputs of a spec."""

    name: str
    sample: Sampler
    context: str = "mixed"

    def tensors(self, spec: Spec, seed: int = 0) -> Tensors:
        """The inputs of `spec`; equal seeds give equal inputs."""
        rng = np.random.default_rng(seed)
        tensors = {}
        for tensor in spec.inputs:
            if tensor.name in ("block_table", "context_lens"):
                continue
            values = self.sample(rng, tensor)
            tensors[tensor.name] = values.astype(dtype(tensor.dtype).numpy)
        if isinstance(spec, PagedAttentionSpec):
            tensors |= _paging(spec, self.context, rng)
        return tensors


def random_tensors(spec: Spec, seed: int = 0) -> Tensors:
    """Standard normal inputs with contexts of mixed lengths."""
    return CASES["normal"].tensors(spec, seed)


def cases_for(spec: Spec) -> list[Case]:
    """The cases that make sense for a spec."""
    paged = isinstance(spec, PagedAttentionSpec)
    return [case for case in CASES.values() if paged or case.context == "mixed"]


def _normal(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.standard_normal(tensor.shape, dtype=np.float32)


def _uniform(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.uniform(-1, 1, tensor.shape).astype(np.float32)


def _large_logits(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return _normal(rng, tensor) * np.float32(4 if tensor.name in _QUERY_AND_KEYS else 1)


def _large_values(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Values near the largest f16, so that a sum before the division would overflow it."""
    return _uniform(rng, tensor) * np.float32(60000 if tensor.name in _VALUES else 1)


def _subnormals(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Half of the numbers below the smallest normal one of the storage type."""
    tiny = {"f16": 2.0**-15, "bf16": 2.0**-127, "f32": 2.0**-127}[tensor.dtype]
    values = _normal(rng, tensor)
    values[rng.random(tensor.shape) < 0.5] *= np.float32(tiny)
    return values


def _equal_keys(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    values = _normal(rng, tensor)
    if tensor.name in _KEYS:
        values[...] = values[(0,) * (values.ndim - 1)]
    return values


def _one_token(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Token 0 of each sequence or block takes nearly all weight."""
    values = _normal(rng, tensor)
    if tensor.name == "query":
        values = np.abs(values) + np.float32(1)
    elif tensor.name in _KEYS:
        values[..., 1:, :] = -20
        values[..., 0, :] = 20
    return values


def _huge_scale(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Logits beyond a million, where a softmax without a maximum overflows.

    Keys are whole multiples of one vector of signs, queries are plus or minus 64 times that vector:
    different keys then differ by far more than rounding at this scale, and equal keys are equal.
    """
    signs = np.where(np.arange(tensor.shape[-1]) % 3 == 0, -1, 1)
    rows = tensor.shape[:-1]
    if tensor.name == "query":
        return (rng.choice([-64.0, 64.0], rows)[..., None] * signs).astype(np.float32)
    if tensor.name in _KEYS:
        return (rng.integers(-2048, 2049, rows)[..., None] * signs).astype(np.float32)
    return _normal(rng, tensor)


CASES = {
    case.name: case
    for case in (
        Case("normal", _normal),
        Case("uniform", _uniform),
        Case("large_logits", _large_logits),
        Case("large_values", _large_values),
        Case("subnormals", _subnormals),
        Case("equal_keys", _equal_keys),
        Case("one_token", _one_token),
        Case("huge_scale", _huge_scale),
        Case("full_context", _normal, "full"),
        Case("context_of_one", _normal, "one"),
        Case("masked_rows", _normal, "short"),
    )
}


def _paging(spec: PagedAttentionSpec, context: str, rng: np.random.Generator) -> Tensors:
    lens = _context_lens(spec, context, rng)
    wanted = spec.batch * spec.max_blocks
    if wanted <= spec.num_blocks:
        blocks = rng.permutation(spec.num_blocks)[:wanted]
    else:
        # Not enough blocks for all: sequences share some, as with a common prefix.
        blocks = rng.integers(0, spec.num_blocks, wanted)
    table = blocks.reshape(spec.batch, spec.max_blocks).astype(np.int32)
    used = -(-lens // spec.block_size)
    # What lies past a context is the engine's business; -1 is what many engines leave there.
    table[np.arange(spec.max_blocks) >= used[:, None]] = -1
    return {"block_table": table, "context_lens": lens}


def _context_lens(spec: PagedAttentionSpec, context: str, rng: np.random.Generator) -> np.ndarray:
    most = spec.max_context
    if context == "full":
        lens = np.full(spec.batch, most)
    elif context == "one":
        lens = np.ones(spec.batch)
    elif context == "short":
        # Fewer tokens than query rows, one sequence with none at all.
        lens = rng.integers(0, min(spec.q_len, most), spec.batch)
        lens[0] = 0
    else:
        lens = rng.integers(min(spec.q_len, most), most + 1, spec.batch)
        lens[-1] = most
    return lens.astype(np.int32)
