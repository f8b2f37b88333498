"""Tensors of PyTorch that have no elements row by row; needs the extra `torch`."""

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

import irattn  # noqa: E402
from irattn.core.errors import ArgumentError  # noqa: E402
from irattn.integrations import torch_ops  # noqa: E402
from irattn.integrations.torch import scaled_dot_product_attention as attention  # noqa: E402

pytestmark = pytest.mark.slow

operator = torch.ops.irattn.attention.default


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged], ids=str)
def test_nested_tensors_are_refused_by_name(layout):
    query = torch.randn(2, 4, 5, 16)
    nested = torch.nested.nested_tensor(list(query), layout=layout)
    calls = [
        lambda: attention(nested, nested, nested),
        lambda: attention(query, query, nested),
        lambda: irattn.attention(query, query, query, attn_mask=nested),
        lambda: irattn.apply_rope(nested, query),
        lambda: operator(query, nested, query),
        lambda: torch_ops.rms_norm(query[0, 0], nested),
    ]
    names = ("query", "value", "attn_mask", "query", "key", "weight")
    for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
        for name, call in zip(names, calls, strict=True):
            said = f"^{name}: expected a dense array, got a nested"
            with mode(), pytest.raises(ArgumentError, match=said):
                call()


def test_sparse_tensors_are_refused_by_name():
    sparse = torch.eye(8).to_sparse()
    for call in (attention, irattn.attention):
        with pytest.raises(ArgumentError, match="key: expected a dense array, got one of"):
            call(torch.eye(8), sparse, torch.eye(8))
