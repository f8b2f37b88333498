"""Functions of scores as PyTorch's FlexAttention takes and composes them."""

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

import irattn  # noqa: E402
from irattn.core.errors import SpecError  # noqa: E402

pytestmark = pytest.mark.slow


def tensors():
    """Query, key and value of four heads and nine tokens."""
    torch.manual_seed(0)
    return torch.randn(3, 1, 4, 9, 16).unbind()


def test_masks_that_and_masks_composes_read_their_arrays():
    from torch.nn.attention.flex_attention import and_masks, create_block_mask, flex_attention

    documents = torch.tensor([0, 0, 1, 1, 1, 2, 2, 2, 2])

    def near(batch, head, query, key):
        return key <= query + 2**head

    def same(batch, head, query, key):
        return documents[query] == documents[key]

    both = and_masks(near, same)
    blocks = create_block_mask(both, 1, 4, 9, 9, device="cpu")
    expected = flex_attention(*tensors(), block_mask=blocks)
    torch.testing.assert_close(irattn.attention(*tensors(), mask_mod=both), expected)


def test_a_tensor_that_a_function_makes_is_refused():
    with pytest.raises(SpecError, match="arrays that are read are variables of the function"):
        irattn.attention(*tensors(), score_mod=lambda score, b, h, q, k: score + torch.arange(4)[h])
