"""Layers of Persimmon, the first GPT and Zamba 2 on GPUs: what only they have beside attention."""

import pytest

from irattn import DecoderLayerSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from support.emulated import failed_cases
from support.joined import artifacts_of

pytestmark = pytest.mark.slow

HEADS = {
    **{"num_q_heads": 2, "num_kv_heads": 1, "head_dim": 8, "block_size": 4, "num_blocks": 8},
    **{"max_blocks": 3, "batch": 2},
}
PACKED = PackedPagedAttentionSpec(**HEADS, q_tokens=7, io_dtype="f32")
DECODE = PagedAttentionSpec(**HEADS, q_len=1, io_dtype="bf16")
LAYER = DecoderLayerSpec(
    attention=PACKED, hidden_size=24, max_positions=12, intermediate_size=40, activation="gelu"
)
PERSIMMON = {"qk_norm": True, "layer_qk_norm": True, "norm_kind": "layer", "norm_bias": True}
GPT = {
    **{"norm_kind": "layer", "norm_bias": True, "pre_norm": False, "post_norm": True},
    **{"norms_residual": True, "use_rope": False},
}
ZAMBA = {"reads_embedded": True, "softmax_scale": 0.5}
MADE = [
    LAYER.replace(**PERSIMMON, rotary_dim=4),
    LAYER.replace(**GPT, gated=False, mlp_bias=True, io_dtype="bf16"),
    LAYER.replace(**ZAMBA, io_dtype="f16", dynamic=("q_tokens",)),
    LAYER.replace(reads_embedded=True, attention=DECODE),
]


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_layers_meet_the_reference_on_a_gpu(target):
    failed = {str(spec): failed_cases(one) for spec, one in artifacts_of(MADE, target).items()}
    assert not {name: cases for name, cases in failed.items() if cases}
