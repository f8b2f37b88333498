"""ONNX Runtime as a peer of `irattn bench` computes the same in all its ways; needs its extra."""

import pytest

from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.onnxruntime import Side
from support.bench_calls import CALLS, CAUSAL, DENSE, check_every_way

pytest.importorskip("onnxruntime", reason="needs ONNX Runtime: pip install 'irattn[onnxruntime]'")


@pytest.mark.parametrize("name", [name for name in CALLS if name != "bf16"])
def test_onnxruntime(name):
    check_every_way(Side(1, "cpu"), CALLS[name])


def test_onnxruntime_has_operators_of_its_own():
    assert check_every_way(Side(1, "cpu"), CAUSAL) == ["Attention", "GroupQueryAttention"]
    assert "MultiHeadAttention" in check_every_way(Side(1, "cpu"), DENSE.replace(num_kv_heads=6))


def test_onnxruntime_says_what_it_lacks():
    with pytest.raises(NoWayError, match="has no bf16"):
        Side(1, "cpu").prepare(CALLS["bf16"].to_json())
