"""What compiled graphs compute, against the reference, on the CPU: every formulation, dialect and
dtype, odd sizes and all."""

import pytest

from irattn import AttentionSpec, PagedAttentionSpec
from irattn.errors import RenderError
from irattn.rendering import render
from irattn.targets import get as get_target
from irattn.verification import verify_spec

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

LINALG = [("linalg", "fused"), ("linalg", "blocked")]
ALL = [*LINALG, ("torch", None)]


def assert_meets_the_reference(spec, dialect, formulation):
    verdict = verify_spec(
        spec, get_target("cpu"), dialect=dialect, formulation=formulation, device="cpu"
    )
    assert verdict.passed, verdict


@pytest.mark.parametrize(("dialect", "formulation"), ALL)
@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_attention_in_every_dtype(dialect, formulation, io_dtype):
    spec = ATTENTION.replace(io_dtype=io_dtype, head_dim=64)
    assert_meets_the_reference(spec, dialect, formulation)


@pytest.mark.parametrize(("dialect", "formulation"), LINALG)
@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_paged_attention_in_every_dtype(dialect, formulation, io_dtype):
    assert_meets_the_reference(PAGED.replace(io_dtype=io_dtype), dialect, formulation)


# What specs drawn at random (test_combinations) leave out.
SHAPES = [
    {"q_len": 100, "kv_len": 7},
    {"q_len": 65, "kv_len": 130},
    {"head_dim": 192, "value_dim": 128},
    {"softmax_scale": -0.1},
]
# Those drawn at random are not said in torch.
TORCH_SHAPES = [
    *SHAPES,
    {"causal": False},
    {"batch": 2},
    {"num_kv_heads": 4},
    {"num_kv_heads": 1},
    {"q_len": 1, "kv_len": 1},
    {"q_len": 1, "kv_len": 100},
    {"q_len": 7, "kv_len": 77},
    {"q_len": 64, "kv_len": 64},
    {"head_dim": 40, "value_dim": 24},
    {"head_dim": 80},
    {"softmax_scale": 0.75},
    {"keep_mask": "bk"},
    {"bias": "hqk"},
    {"keep_mask": "hq", "bias": "k", "batch": 2},
    {"kv_len": 50, "alignment": "top_left"},
]


def name_of(changes):
    return ",".join(f"{name}={value}" for name, value in changes.items())


@pytest.mark.parametrize(("dialect", "formulation"), LINALG)
@pytest.mark.parametrize("changes", SHAPES, ids=name_of)
def test_attention_shapes(dialect, formulation, changes):
    assert_meets_the_reference(ATTENTION.replace(**changes), dialect, formulation)


@pytest.mark.parametrize("changes", TORCH_SHAPES, ids=name_of)
def test_torch_shapes(changes):
    spec = ATTENTION.replace(**changes)
    if spec.head_dim > 128:
        with pytest.raises(RenderError, match="head_dim above 128"):
            render(spec, get_target("cpu"), dialect="torch")
        return
    assert_meets_the_reference(spec, "torch", None)


@pytest.mark.parametrize(("dialect", "formulation"), LINALG)
@pytest.mark.parametrize(
    "changes",
    [
        {"q_len": 7, "head_dim": 80},
        {"q_len": 100, "max_blocks": 7},
        {"block_size": 1, "max_blocks": 40, "num_blocks": 130},
        {"block_size": 7},
        {"block_size": 64, "max_blocks": 2},
        {"num_blocks": 4},
        {"softmax_scale": 0.75},
    ],
    ids=lambda changes: ",".join(f"{k}={v}" for k, v in changes.items()),
)
def test_paged_attention_shapes(dialect, formulation, changes):
    assert_meets_the_reference(PAGED.replace(**changes), dialect, formulation)


@pytest.mark.parametrize(("dialect", "formulation"), LINALG)
def test_a_window_beyond_32_bits_hides_nothing(dialect, formulation):
    """Graphs count tokens in 32 bits."""
    wide = PAGED.replace(window=(2**40, 2**40))
    assert_meets_the_reference(wide, dialect, formulation)
