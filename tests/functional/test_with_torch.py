"""`irattn.attention` on tensors of PyTorch, beside PyTorch's own function."""

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

import irattn  # noqa: E402
from irattn.core.dtypes import dtype, float_name  # noqa: E402
from irattn.core.errors import ArgumentError  # noqa: E402
from irattn.functional.repeated import RepeatedCalls, View  # noqa: E402

pytestmark = pytest.mark.slow

pytorchs = torch.nn.functional.scaled_dot_product_attention
TYPES = (torch.float32, torch.float16, torch.bfloat16)


def tensors(element=torch.float32, q_len=5, kv_len=9):
    torch.manual_seed(0)
    query = torch.randn(2, 4, q_len, 16, dtype=element)
    return query, *torch.randn(2, 2, 2, kv_len, 16, dtype=element)


def assert_is(output, expected, element):
    assert (type(output), output.dtype) == (torch.Tensor, element)
    error = (output.double() - expected).norm() / expected.norm()
    assert float(error) <= dtype(float_name(element)).tolerance


@pytest.mark.parametrize("element", TYPES, ids=str)
@pytest.mark.parametrize("policy", ["power_of_two", "exact"])
def test_tensors_in_tensors_out(element, policy):
    given = tensors(element)
    expected = pytorchs(*(x.double() for x in given), is_causal=True, enable_gqa=True)
    output = irattn.attention(
        *given, is_causal=True, enable_gqa=True, alignment="top_left", policy=policy
    )
    assert_is(output, expected, element)


@pytest.mark.parametrize("element", TYPES, ids=str)
def test_masks_as_pytorch_takes_them(element):
    given = tensors(element)
    exact = [x.double() for x in given]
    keep = (torch.rand(2, 1, 1, 9) > 0.3).expand(2, 4, 5, 9)
    bias = torch.randn(1, 4, 5, 1, dtype=element)
    for mask, theirs in ((keep, keep), (bias, bias.double().expand(1, 4, 5, 9))):
        expected = pytorchs(*exact, theirs, enable_gqa=True)
        output = irattn.attention(*given, attn_mask=mask, enable_gqa=True)
        assert_is(output, expected, element)


def test_masks_may_lie_in_any_way():
    query, key, value = tensors()
    for mask in (torch.randn(9, 5).T, torch.randn(4, 9, 10).mT[:, ::2]):
        expected = pytorchs(
            query.double(), key.double(), value.double(), mask.double(), enable_gqa=True
        )
        output = irattn.attention(query, key, value, attn_mask=mask, enable_gqa=True)
        assert_is(output, expected, torch.float32)


@pytest.mark.parametrize("element", TYPES, ids=str)
def test_axes_before_the_heads_as_pytorch_takes_them(element):
    given, mask = tensors(element), torch.rand(2, 1, 1, 9) > 0.3
    for own in (
        [tensor[0] for tensor in given],
        [tensor[:, None] for tensor in given],
        [tensor[:, None].expand(2, 3, -1, -1, -1) for tensor in given],
    ):
        theirs = mask[0] if own[0].dim() == 3 else mask[:, None]
        expected = pytorchs(*(x.double() for x in own), theirs, enable_gqa=True)
        output = irattn.attention(*own, attn_mask=theirs, enable_gqa=True)
        assert output.shape == expected.shape
        assert_is(output, expected, element)


@pytest.mark.parametrize("element", TYPES, ids=str)
def test_tensors_may_lie_in_any_way(element):
    query, key, value = tensors(element)
    across = query.transpose(1, 2).contiguous().transpose(1, 2)
    shifted = torch.empty(key.numel() + 1, dtype=element)[1:].view(key.shape).copy_(key)
    expected = pytorchs(query.double(), key.double(), value.double(), enable_gqa=True)
    output = irattn.attention(across, shifted, value, enable_gqa=True)
    assert_is(output, expected, element)


def test_paged_attention_and_rope_give_tensors():
    query, key, _ = tensors(torch.bfloat16, kv_len=5)
    rotated = irattn.apply_rope(query, key, torch.arange(5))
    own = irattn.apply_rope(query.float().numpy(), key.float().numpy())
    for found, expected in zip(rotated, own, strict=True):
        assert_is(found, torch.from_numpy(expected).double(), torch.bfloat16)
    # One block a sequence: attention over contiguous keys.
    table, lengths = torch.tensor([[0], [1]]), torch.tensor([5, 5])
    output = irattn.paged_attention(query, key, key, table, lengths)
    exact = [x.double() for x in (query, key, key)]
    assert_is(output, pytorchs(*exact, is_causal=True, enable_gqa=True), torch.bfloat16)


def test_nothing_is_copied_with_exact_sizes():
    given = tensors()
    call = {"enable_gqa": True, "policy": "exact"}
    irattn.attention(*given, **call)
    before = irattn.transfers()
    output = irattn.attention(*given, **call)
    assert irattn.transfers() == before
    # Whoever writes to it writes to memory that is its own.
    assert output.add_(1).is_contiguous()


def test_empty_tensors_give_empty_tensors():
    query, key, value = tensors(torch.bfloat16)
    output = irattn.attention(query[:, :, :0], key, value, enable_gqa=True)
    assert (output.shape, output.dtype) == ((2, 4, 0, 16), torch.bfloat16)
    output, lse = irattn.attention(
        query, key[:, :, :0], value[:, :, :0], enable_gqa=True, return_lse=True
    )
    assert not output.any()
    assert bool((lse == -torch.inf).all())


def test_no_columns_are_logits_of_0():
    query, key, value = tensors()
    given = (query[..., :0], key[..., :0], value)
    expected = torch.nn.functional.scaled_dot_product_attention(*given, enable_gqa=True)
    torch.testing.assert_close(irattn.attention(*given, enable_gqa=True), expected)
    call = {"enable_gqa": True, "return_lse": True}
    nothing, lse = irattn.attention(query, key, value[..., :0], **call)
    assert nothing.shape == (*query.shape[:3], 0)
    torch.testing.assert_close(lse, irattn.attention(query, key, value, **call)[1])


def test_a_gradient_is_refused_by_name():
    query, key, value = tensors()
    with pytest.raises(ArgumentError, match=r"value: .* value\.detach\(\), .*integrations\.torch"):
        irattn.attention(query, key, value.requires_grad_(), enable_gqa=True)
    with pytest.raises(ArgumentError, match="query: expected an array with contents"):
        irattn.attention(*(x.detach().to("meta") for x in (query, key, value)), enable_gqa=True)
    with pytest.raises(ArgumentError, match="query: expected a dense array"):
        irattn.attention(query.to_sparse(), key, value.detach(), enable_gqa=True)


def test_views_that_negate_are_negated():
    query, key, value = tensors()
    mask, sinks = torch.randn(5, 9), torch.randn(4)
    views = map(torch._neg_view, (query, key, value))
    negated = map(torch.neg, (query, key, value))
    expected = irattn.attention(*negated, attn_mask=-mask, enable_gqa=True)
    found = irattn.attention(*views, attn_mask=torch._neg_view(mask), enable_gqa=True)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)
    # One of one element is dense, whatever its strides.
    imaginary = torch.complex(sinks, sinks)[:1].conj().imag
    assert imaginary.is_neg()
    assert imaginary.is_contiguous()
    of_one_head = [tensor[:, :1] for tensor in (query, key, value)]
    torch.testing.assert_close(
        irattn.attention(*of_one_head, sinks=imaginary),
        irattn.attention(*of_one_head, sinks=-sinks[:1]),
        rtol=0,
        atol=0,
    )
    with pytest.raises(ArgumentError, match=r"view that negates others; give .*resolve_neg\(\)"):
        irattn.DeviceArray.from_dlpack(torch._neg_view(query))


def test_tensors_of_somebodys_class_are_pytorchs():
    class Own(torch.Tensor):
        pass

    given = tensors()
    expected = irattn.attention(*given, enable_gqa=True)
    found = irattn.attention(*(one.as_subclass(Own) for one in given), enable_gqa=True)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_a_copy_of_a_turned_tensor_is_none_of_the_tensor():
    own = torch.randn(1, 4, 4, 16).transpose(1, 2)
    assert View.between(0, own, own.contiguous()) == View(0)
    # As many heads as tokens: the shapes do not tell.
    turned = own.transpose(1, 2).clone()
    assert View.between(0, own, turned, is_turned=True) is None
    view = View.between(0, own, own.transpose(1, 2), is_turned=True)
    torch.testing.assert_close(view.of((own,)), turned, rtol=0, atol=0)


def test_functions_read_tensors_of_any_width_and_of_modules():
    query, _, _ = given = torch.randn(3, 1, 2, 5, 16)
    module = torch.nn.Module()
    module.slopes = torch.nn.Parameter(torch.randn(2))
    module.register_buffer("kinds", torch.tensor([0, 1, 1, 0, 1], dtype=torch.uint8))
    wide = torch.randn(5, dtype=torch.float64)

    def kept(score, batch, head, query, key):
        return score.clamp(max=0.5) * (module.kinds[query] + 1) + wide[key]

    found = irattn.attention(*given, score_mod=kept, policy="exact")
    place = torch.arange(5)
    logits = kept(query.double() @ given[1].double().mT / 4, 0, 0, place[:, None], place)
    assert_is(found, logits.softmax(-1) @ given[2].double(), torch.float32)
    with pytest.raises(ArgumentError, match=r"slopes: .* no gradient .* slopes\.detach"):
        irattn.attention(*given, score_mod=lambda s, b, h, q, k: s + module.slopes[h])


@pytest.mark.filterwarnings("ignore")
def test_torch_compile_runs_it_between_graphs():
    given = tensors()

    def block(query, key, value):
        return irattn.attention(query * 2, key, value, enable_gqa=True) + 1

    with torch.no_grad():
        expected = block(*given)
        compiled = torch.compile(block, backend="eager")
        torch.testing.assert_close(compiled(*given), expected, rtol=0, atol=0)
        # Arrays of NumPy, which PyTorch would trace as tensors.
        found = compiled(*(one.numpy() for one in given))
        assert (found == expected.numpy()).all()
        torch._dynamo.reset()
        with pytest.raises(RuntimeError, match=r"irattn\.attention runs between graphs, .* one"):
            torch.compile(block, backend="eager", fullgraph=True)(*given)


def test_tensors_without_contents_are_refused_by_name():
    query, key, value = tensors()
    # A call that is repeated looks at less.
    for _ in range(2):
        irattn.attention(query, key, value, enable_gqa=True)
    with pytest.raises(ArgumentError, match=r"^key: .* device meta; the operators of "):
        irattn.attention(query, key.to("meta"), value, enable_gqa=True)
    with pytest.raises(ArgumentError, match=r"^query: expected .* outside of torch\.func's "):
        torch.vmap(lambda one: irattn.attention(one, key, value, enable_gqa=True))(query[:, None])
    with torch._subclasses.FakeTensorMode():
        fakes = tensors()
        with pytest.raises(ArgumentError, match=r"^query: expected .* with contents, got a Fake"):
            irattn.attention(*fakes, enable_gqa=True)


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
def test_a_call_of_tensors_without_memory_repeats_none_with():
    # At an address whose last bits are a FakeTensor's, which are 0.
    real = torch.zeros(64)
    fake = torch._subclasses.FakeTensorMode().from_tensor(real)
    calls = RepeatedCalls({})
    assert calls.key((real,), ()) == calls.key((real.clone(),), ())
    assert calls.key((real,), ()) != calls.key((fake,), ())
