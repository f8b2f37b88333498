"""What compiled graphs compute, against the reference, on the CPU: every formulation, dialect and
dtype, odd sizes and all."""

import pytest

from irattn import AttentionSpec, PagedAttentionSpec
from irattn.core.errors import RenderError
from irattn.rendering import GraphRequest, render
from irattn.targets import get as get_target
from support.joined import together

ATTENTION = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=33, kv_len=33, head_dim=32, causal=True, io_dtype="f32"
)
PAGED = PagedAttentionSpec(
    batch=3,
    num_q_heads=4,
    num_kv_heads=2,
    q_len=33,
    head_dim=32,
    block_size=16,
    num_blocks=20,
    max_blocks=5,
    io_dtype="f32",
)

FORMULATIONS = ("fused", "blocked")
DTYPES = ("f32", "f16", "bf16")

EVERY_DTYPE = [ATTENTION.replace(io_dtype=io_dtype, head_dim=64) for io_dtype in DTYPES]
PAGED_IN_EVERY_DTYPE = [PAGED.replace(io_dtype=io_dtype) for io_dtype in DTYPES]
# What specs drawn at random (test_combinations) leave out.
SHAPES = [
    {"q_len": 100, "kv_len": 7},
    {"q_len": 65, "kv_len": 130},
    {"head_dim": 192, "value_dim": 128},
    {"softmax_scale": -0.1},
]
# Those drawn at random are not said in torch: several changes have a graph, where they go together.
TORCH_SHAPES = [
    {"q_len": 65, "kv_len": 13, "softmax_scale": -0.1},
    {"causal": False, "softmax_scale": 0.75, "batch": 2, "num_kv_heads": 1, "head_dim": 80},
    {"q_len": 1, "kv_len": 100},
    {"q_len": 7, "kv_len": 77, "head_dim": 40, "value_dim": 24},
    {"keep_mask": "bk", "num_kv_heads": 4},
    {"bias": "hqk"},
    {"keep_mask": "hq", "bias": "k", "batch": 2, "kv_len": 50, "alignment": "top_left"},
]
IN_TORCH = [ATTENTION.replace(**changes) for changes in TORCH_SHAPES]
NOT_IN_TORCH = ATTENTION.replace(head_dim=192, value_dim=128)

PAGED_SHAPES = [
    PAGED.replace(**changes)
    for changes in (
        {"q_len": 7, "head_dim": 80},
        {"q_len": 100, "max_blocks": 7},
        {"block_size": 1, "max_blocks": 40, "num_blocks": 130},
        {"block_size": 7},
        {"block_size": 64, "max_blocks": 2},
        {"num_blocks": 4},
        {"softmax_scale": 0.75},
        # Graphs count tokens in 32 bits: a window beyond them hides nothing.
        {"window": (2**40, 2**40)},
    )
]
ATTENTION_SPECS = [*EVERY_DTYPE, *(ATTENTION.replace(**changes) for changes in SHAPES)]
PAGED_SPECS = [*PAGED_IN_EVERY_DTYPE, *PAGED_SHAPES]


@pytest.mark.slow
@pytest.mark.parametrize(
    "one",
    [
        *(one for how in FORMULATIONS for one in together(ATTENTION_SPECS, how)),
        *(one for how in FORMULATIONS for one in together(PAGED_SPECS, how)),
        *together([*EVERY_DTYPE, *IN_TORCH], dialect="torch"),
    ],
    ids=str,
)
def test_it_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_torch_has_no_wide_heads():
    with pytest.raises(RenderError, match="head_dim above 128"):
        render(GraphRequest(NOT_IN_TORCH, get_target("cpu"), dialect="torch"))
