"""The reference against PyTorch's scaled_dot_product_attention; needs the extra `torch`."""

import numpy as np
import pytest

from irattn import AttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

SPEC = AttentionSpec(
    batch=2, num_q_heads=6, num_kv_heads=2, q_len=9, kv_len=9, head_dim=16, value_dim=24,
    io_dtype="f32",
)  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"causal": True},
        {"softmax_scale": 0.7},
        {"kv_len": 20},
        {"kv_len": 20, "causal": True, "alignment": "top_left"},
        {"bias": "hqk"},
        {"keep_mask": "bk"},
        {"num_kv_heads": 6},
    ],
    ids=str,
)
def test_reference_equals_pytorch(changes):
    spec = SPEC.replace(**changes)
    tensors = random_tensors(spec)
    query, key, value = (
        torch.from_numpy(tensors[name].astype(np.float64)) for name in ("query", "key", "value")
    )
    mask = tensors.get("bias", tensors.get("keep_mask"))
    if mask is not None:
        mask = torch.from_numpy(mask.astype(np.float64) if mask.dtype != bool else mask)
    expected = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=spec.causal, scale=spec.scale, enable_gqa=True
    )
    np.testing.assert_allclose(reference(spec, tensors)[0], expected.numpy(), atol=1e-12)
