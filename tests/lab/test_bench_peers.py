"""The peers of `irattn bench` compute the same, each in all its ways; needs their extras."""

import numpy as np
import pytest

from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.onnxruntime import Side as OnnxSide
from irattn.lab.benchmark.sides.torch import Side as TorchSide
from irattn.lab.benchmark.work import bench_tensors
from irattn.reference import reference
from support.bench_calls import CALLS, CAUSAL, DENSE, PAGED, TOLERANCES


def torch_side():
    pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")
    return TorchSide(1, "cpu")


def onnx_side():
    why = "needs ONNX Runtime: pip install 'irattn[onnxruntime]'"
    pytest.importorskip("onnxruntime", reason=why)
    pytest.importorskip("onnx", reason=why)
    return OnnxSide(1, "cpu")


def check_every_way(side, spec):
    (expected,) = reference(spec, bench_tensors(spec))
    ways = side.prepare(spec.to_json())
    for way in ways:
        (output,) = side.outputs(way)
        assert output.dtype == bench_tensors(spec)["query"].dtype
        np.testing.assert_allclose(
            output.astype(np.float64), expected, atol=TOLERANCES[spec.io_dtype], err_msg=way
        )
    return ways


@pytest.mark.parametrize("name", CALLS)
def test_pytorch(name):
    check_every_way(torch_side(), CALLS[name])


def test_the_ways_of_an_expert():
    """The group folded or as heads of a batch, windows in blocks, pages gathered or in the call."""
    decode, window = CALLS["decode"], CALLS["window"].replace(q_len=300, kv_len=300)
    assert check_every_way(torch_side(), CAUSAL) == ["enable_gqa", "KV heads as batch"]
    assert check_every_way(torch_side(), decode) == [
        "enable_gqa", "KV heads as batch", "folded", "matmul",
    ]  # fmt: skip
    assert "blocks of queries" in check_every_way(torch_side(), window)
    assert check_every_way(torch_side(), DENSE.replace(num_kv_heads=6)) == ["sdpa", "folded"]
    ways = check_every_way(torch_side(), PAGED)
    assert "gathered before, folded" in ways
    assert "gathered in the call" in ways


def test_pytorch_has_what_was_asked_for():
    side = torch_side()
    assert side.torch.get_num_threads() == 1
    assert side.version() == f"PyTorch {side.torch.__version__}"


@pytest.mark.parametrize("name", [name for name in CALLS if name != "bf16"])
def test_onnxruntime(name):
    check_every_way(onnx_side(), CALLS[name])


def test_onnxruntime_has_operators_of_its_own():
    assert check_every_way(onnx_side(), CAUSAL) == ["Attention", "GroupQueryAttention"]
    assert "MultiHeadAttention" in check_every_way(onnx_side(), DENSE.replace(num_kv_heads=6))


def test_onnxruntime_says_what_it_lacks():
    with pytest.raises(NoWayError, match="has no bf16"):
        onnx_side().prepare(CALLS["bf16"].to_json())
