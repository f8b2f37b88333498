"""PyTorch as a peer of `irattn bench` computes the same in all its ways; needs its extra."""

import numpy as np
import pytest

from irattn import AttentionBackwardSpec, GatedDeltaRuleSpec, LinearSpec, MixtureOfExpertsSpec
from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.torch import Side
from irattn.lab.benchmark.work import bench_tensors
from irattn.reference import reference
from support.bench_calls import CALLS, CAUSAL, DENSE, PAGED, check_every_way

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")


@pytest.fixture(autouse=True)
def settings():
    """A side sets what holds for its process: other tests share this one."""
    threads, has_gradients = torch.get_num_threads(), torch.is_grad_enabled()
    yield
    torch.set_num_threads(threads)
    torch.set_grad_enabled(has_gradients)


@pytest.mark.parametrize("name", CALLS)
def test_pytorch(name):
    check_every_way(Side(1, "cpu"), CALLS[name])


def test_the_ways_of_an_expert():
    """The group folded or as heads of a batch, windows in blocks, pages gathered or in the call."""
    decode, window = CALLS["decode"], CALLS["window"].replace(q_len=300, kv_len=300)
    assert check_every_way(Side(1, "cpu"), CAUSAL) == ["enable_gqa", "KV heads as batch"]
    assert check_every_way(Side(1, "cpu"), decode) == [
        "enable_gqa", "KV heads as batch", "folded", "matmul",
    ]  # fmt: skip
    assert "blocks of queries" in check_every_way(Side(1, "cpu"), window)
    assert check_every_way(Side(1, "cpu"), DENSE.replace(num_kv_heads=6)) == ["sdpa", "folded"]
    ways = check_every_way(Side(1, "cpu"), PAGED)
    assert "gathered before, folded" in ways
    assert "gathered in the call" in ways


@pytest.mark.parametrize("layout", ["HND", "NHD"])
def test_the_gated_delta_rule_is_that_of_transformers(layout):
    pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")
    spec = GatedDeltaRuleSpec(
        num_k_heads=1, num_v_heads=2, q_len=5, key_dim=8, value_dim=16, layout=layout,
        io_dtype="f32", qk_l2_norm=True,
    )  # fmt: skip
    side = Side(1, "cpu")
    ways = side.prepare(spec.to_json())
    assert ways == ["torch_chunk_gated_delta_rule", "torch_recurrent_gated_delta_rule"]
    for way in ways:
        for one, expected in zip(
            side.outputs(way), reference(spec, bench_tensors(spec)), strict=True
        ):
            np.testing.assert_allclose(one, expected, rtol=1e-4, atol=2e-5)
    with pytest.raises(NoWayError, match="its gated delta rule has no ragged"):
        side.prepare(spec.replace(ragged=True).to_json())


def test_the_gradient_of_attention_is_autograd_s():
    spec = AttentionBackwardSpec(
        num_q_heads=4, num_kv_heads=2, q_len=9, kv_len=9, head_dim=8, causal=True, io_dtype="f32"
    )
    side = Side(1, "cpu")
    ways = side.prepare(spec.to_json())
    assert ways == ["enable_gqa", "expanded heads"]
    for way in ways:
        for one, expected in zip(
            side.outputs(way), reference(spec, bench_tensors(spec)), strict=True
        ):
            np.testing.assert_allclose(one, expected, rtol=1e-4, atol=2e-5)
    for changes, reason in (
        ({"sinks": True}, "no sinks"),
        ({"kv_len": 12}, "is aligned at the first"),
    ):
        with pytest.raises(NoWayError, match=f"its.* attention.* {reason}"):
            side.prepare(spec.replace(**changes).to_json())


def test_pytorch_has_what_was_asked_for():
    side = Side(1, "cpu")
    assert side.torch.get_num_threads() == 1
    assert side.version() == f"PyTorch {side.torch.__version__}"


@pytest.mark.parametrize("fields", [{}, {"q_len": 1, "is_normalized": False}, {"io_dtype": "bf16"}])
def test_experts_are_a_loop_or_one_product_of_groups(fields):
    how = {"batch": 2, "q_len": 5, "io_dtype": "f32", **fields}
    spec = MixtureOfExpertsSpec(
        hidden_size=32, intermediate_size=48, num_experts=8, experts_per_token=3, **how
    )
    side, tensors = Side(1, "cpu"), bench_tensors(spec)
    ways = side.prepare(spec.to_json())
    assert ways == ["loop over experts", "grouped_mm"]
    (expected,) = reference(spec, tensors)
    for way in ways:
        (output,) = side.outputs(way)
        error = np.linalg.norm(output.astype(float) - expected) / np.linalg.norm(expected)
        assert (output.shape, error < spec.outputs[0].tolerance) == (expected.shape, True)
    with pytest.raises(NoWayError, match="its experts are set up without shared_size"):
        side.prepare(spec.replace(shared_size=16).to_json())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"weight_format": "q4_k", "activation_format": "int8"},
        {"weight_format": "int8_channel"},
    ],
)
def test_products_with_weights(fields):
    """Quantised ones over the numbers that they stand for."""
    spec = LinearSpec(q_len=3, in_columns=256, out_columns=40, io_dtype="bf16", **fields)
    side, tensors = Side(1, "cpu"), bench_tensors(spec)
    side.set_up(spec)
    (way,) = side.ways
    (output,) = side.outputs(way)
    (expected,) = reference(spec, tensors)
    error = np.linalg.norm(output.astype(float) - expected) / np.linalg.norm(expected)
    assert error < spec.outputs[0].tolerance
