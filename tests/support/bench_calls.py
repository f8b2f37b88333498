"""Small calls of attention in every form that the peers of a benchmark are given."""

import numpy as np

from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec
from irattn.lab.benchmark.work import bench_tensors
from irattn.reference import reference

DENSE = AttentionSpec(
    batch=2, num_q_heads=6, num_kv_heads=2, q_len=9, kv_len=9, head_dim=16, io_dtype="f32"
)
CAUSAL = DENSE.replace(causal=True)
PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=1, head_dim=16, block_size=4, num_blocks=9,
    max_blocks=3, io_dtype="f32",
)  # fmt: skip
PACKED = PackedAttentionSpec(
    batch=3, num_q_heads=4, num_kv_heads=2, q_tokens=12, kv_tokens=12, head_dim=16, causal=True,
    io_dtype="f32",
)  # fmt: skip
CALLS = {
    "full": DENSE,
    "causal": CAUSAL,
    "window": CAUSAL.replace(window=(3, None)),
    "both ways": DENSE.replace(window=(2, 1)),
    "more keys": CAUSAL.replace(kv_len=14),
    "top left": CAUSAL.replace(kv_len=14, alignment="top_left"),
    "decode": CAUSAL.replace(q_len=1),
    "bias": DENSE.replace(bias="hqk"),
    "alibi": CAUSAL.replace(alibi=True, num_kv_heads=6),
    "ragged": CAUSAL.replace(ragged=True),
    "f16": CAUSAL.replace(io_dtype="f16"),
    "bf16": CAUSAL.replace(io_dtype="bf16", num_kv_heads=6),
    "paged decode": PAGED,
    "paged prefill": PAGED.replace(q_len=5),
    "packed": PACKED,
}

# The errors that are allowed between libraries.
TOLERANCES = {"f32": 1e-5, "f16": 2e-3, "bf16": 2e-2}


def check_every_way(side, spec):
    """The ways of a side, each of which computes what the reference does."""
    (expected,) = reference(spec, bench_tensors(spec))
    ways = side.prepare(spec.to_json())
    for way in ways:
        (output,) = side.outputs(way)
        assert output.dtype == bench_tensors(spec)["query"].dtype
        np.testing.assert_allclose(
            output.astype(np.float64), expected, atol=TOLERANCES[spec.io_dtype], err_msg=way
        )
    return ways
