#!/usr/bin/env python3
"""Say what quantised caches lose: relative errors by type and scale, in float64 on the host.

`python3 tools/cache_errors.py` prints the table of irattn/pages/run.md. Keys and values are
normal, or have outliers: 4 of 128 columns of each key are 16 times as large, as those of language
models are. An error is the norm of what differs over the norm of what is exact: of keys as they are
read back, and of what queries attend to over keys and values.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from irattn import CacheWriteSpec, PagedAttentionSpec
from irattn.core.dtypes import dtype
from irattn.reference import reference
from irattn.reference.quantised_cache import dequantised
from irattn.specs.cache_elements import CACHE_DTYPES, CACHE_SCALES

TOKENS, HEADS, COLUMNS, BLOCK = 512, 2, 128, 16
OUTLIERS, SIZE = 4, 16.0
CACHES = {"num_kv_heads": HEADS, "head_dim": COLUMNS, "num_blocks": TOKENS // BLOCK}

Tensors = dict[str, np.ndarray]


def main() -> None:
    print("| type | scale | keys | attended | keys with outliers | attended |")
    print("|---|---|---|---|---|---|")
    for row in rows():
        print(f"| {' | '.join(row)} |")


def rows() -> Iterator[list[str]]:
    """The rows of the table: a type, a scale, and the errors of both distributions."""
    given = [drawn(has_outliers) for has_outliers in (False, True)]
    for cache_dtype in CACHE_DTYPES:
        for scale in ["group"] if cache_dtype == "int4" else CACHE_SCALES[:-1]:
            found = [error for one in given for error in errors(one, cache_dtype, scale)]
            yield [cache_dtype, scale, *(f"{100 * error:.2f} %" for error in found)]


def drawn(has_outliers: bool) -> Tensors:
    """Queries, and keys and values of a sequence."""
    rng = np.random.default_rng(0)
    made = {name: rng.standard_normal((TOKENS, HEADS, COLUMNS)) for name in ("key", "value")}
    if has_outliers:
        made["key"][..., rng.permutation(COLUMNS)[:OUTLIERS]] *= SIZE
    query = rng.standard_normal((1, HEADS, 8, COLUMNS))
    return {name: array.astype(np.float32) for name, array in {**made, "query": query}.items()}


def errors(given: Tensors, cache_dtype: str, scale: str) -> tuple[float, float]:
    """The relative errors of keys, and of what is attended to."""
    exact, quantised = written(given), written(given, cache_dtype, scale)
    spec = spec_of(cache_dtype, scale)
    keys = dequantised(spec, quantised["key_cache"], quantised["key_scale"])
    off = attended(given, quantised, cache_dtype, scale), attended(given, exact)
    return relative(keys, exact["key_cache"]), relative(*off)


def spec_of(cache_dtype: str | None, scale: str | None) -> CacheWriteSpec:
    """The writing of all tokens."""
    return CacheWriteSpec(
        **CACHES, num_tokens=TOKENS, io_dtype="f32", cache_dtype=cache_dtype, cache_scale=scale
    )


def written(given: Tensors, cache_dtype: str | None = None, scale: str | None = None) -> Tensors:
    """The caches of all tokens; scales of the tensor and of heads are those of their largest."""
    spec = spec_of(cache_dtype, scale)
    tensors = {tensor.name: np.zeros(tensor.largest_shape) for tensor in spec.inputs}
    tensors |= {name: given[name] for name in ("key", "value")}
    tensors["slot_mapping"] = np.arange(TOKENS)
    for name in ("key", "value"):
        if scale in ("tensor", "head"):
            axes = (0, 1, 2) if scale == "tensor" else (0, 2)
            largest = np.abs(given[name]).max(axis=axes).reshape(-1)
            tensors[f"{name}_scale"] = (largest / dtype(spec.cache_element).largest).astype("f4")
    made = zip(spec.outputs, reference(spec, tensors), strict=True)
    left = {output.name.removeprefix("updated_"): array for output, array in made}
    return {name: tensors[name] for name in tensors if name.endswith("_scale")} | left


def attended(
    given: Tensors, caches: Tensors, cache_dtype: str | None = None, scale: str | None = None
) -> np.ndarray:
    """The output of attention over caches."""
    spec = PagedAttentionSpec(
        **CACHES,
        **{"num_q_heads": HEADS, "q_len": 8, "max_blocks": TOKENS // BLOCK, "io_dtype": "f32"},
        cache_dtype=cache_dtype,
        cache_scale=scale,
    )
    table = {"block_table": np.arange(TOKENS // BLOCK)[None], "context_lens": np.array([TOKENS])}
    return reference(spec, {"query": given["query"], **caches, **table})[0]


def relative(found: np.ndarray, exact: np.ndarray) -> float:
    """The norm of what differs over the norm of what is exact."""
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


if __name__ == "__main__":
    main()
