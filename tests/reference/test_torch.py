"""The reference against PyTorch's scaled_dot_product_attention; needs the extra `torch`."""

import numpy as np
import pytest

from irattn import AttentionBackwardSpec, AttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

SPEC = AttentionSpec(
    batch=2, num_q_heads=6, num_kv_heads=2, q_len=9, kv_len=9, head_dim=16, value_dim=24,
    io_dtype="f32",
)  # fmt: skip
GRADIENT_SIZES = {
    **{"batch": 2, "num_q_heads": 6, "num_kv_heads": 2, "q_len": 9, "kv_len": 9},
    **{"head_dim": 16, "value_dim": 24, "io_dtype": "f32"},
}


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


@pytest.mark.parametrize(
    "changes",
    [
        {"causal": True},
        {"kv_len": 20, "softmax_scale": 0.7},
        {"bias": "hqk"},
        {"bias": "bk"},
        {"keep_mask": "bk"},
        {"num_kv_heads": 6},
    ],
    ids=str,
)
def test_the_gradient_equals_that_of_pytorch(changes):
    spec = AttentionBackwardSpec(**GRADIENT_SIZES | changes)
    tensors = random_tensors(spec)
    wide = {
        name: torch.from_numpy(array.astype(np.float64) if array.dtype != bool else array)
        for name, array in tensors.items()
    }
    names = ["query", "key", "value", *(["bias"] if spec.bias else [])]
    given = [wide[name].requires_grad_() for name in names]
    output = torch.nn.functional.scaled_dot_product_attention(
        *given[:3], attn_mask=wide.get("bias", wide.get("keep_mask")), is_causal=spec.causal,
        scale=spec.scale, enable_gqa=True,
    )  # fmt: skip
    exact = {name: tensor.detach().numpy() for name, tensor in wide.items()}
    exact["output"], exact["lse"] = reference(spec.forward, exact)
    expected = torch.autograd.grad(output, given, wide["output_gradient"])
    for one, wanted in zip(reference(spec, exact), expected, strict=True):
        np.testing.assert_allclose(one, wanted.numpy(), atol=1e-12)
