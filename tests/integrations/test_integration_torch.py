"""The operator of PyTorch; needs the extra `torch`."""

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

import irattn  # noqa: E402
from irattn.core.dtypes import dtype, float_name  # noqa: E402
from irattn.core.errors import ArgumentError, CompileError, SpecError  # noqa: E402
from irattn.integrations import torch as integration  # noqa: E402
from irattn.reference import reference  # noqa: E402
from irattn.runtime import kernel_cache  # noqa: E402

pytestmark = pytest.mark.slow

attention = integration.scaled_dot_product_attention
operator = torch.ops.irattn.attention.default
pytorchs = torch.nn.functional.scaled_dot_product_attention

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16


def tensors(batch=2, heads=4, kv_heads=2, q_len=5, kv_len=9, value_dim=16, dtype=F32):
    """Query, key and value."""
    torch.manual_seed(0)
    return (
        torch.randn(batch, heads, q_len, 16, dtype=dtype),
        torch.randn(batch, kv_heads, kv_len, 16, dtype=dtype),
        torch.randn(batch, kv_heads, kv_len, value_dim, dtype=dtype),
    )


def is_close(output, expected):
    """Whether an output is as near to a float64 tensor as its element type's tolerance asks."""
    error = (output.detach().double() - expected).norm() / expected.norm()
    return float(error) <= dtype(float_name(output.dtype)).tolerance


def asked_for(monkeypatch):
    """The specs whose kernels calls ask for, as they come."""
    specs, loaded = [], kernel_cache._loaded

    def load(spec, *where):
        specs.append(spec)
        return loaded(spec, *where)

    monkeypatch.setattr(kernel_cache, "_loaded", load)
    return specs


MASKS = {
    "none": lambda b, h, q, n: None,
    "keys": lambda b, h, q, n: torch.arange(n)[None] % 3 > 0,
    "padding, expanded": lambda b, h, q, n: (torch.rand(b, 1, 1, n) > 0.3).expand(b, h, q, n),
    "added": lambda b, h, q, n: torch.randn(b, 1, q, n),
    "added, every axis": lambda b, h, q, n: torch.randn(b, h, q, n),
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("element", [F32, F16, BF16], ids=str)
@pytest.mark.parametrize("exact_sizes", [False, True], ids=["dynamic", "exact"])
def test_it_is_pytorchs_function(mask, element, exact_sizes):
    query, key, value = tensors(value_dim=24, dtype=element)
    attn_mask = MASKS[mask](2, 4, 5, 9)
    if attn_mask is not None and attn_mask.is_floating_point():
        attn_mask = attn_mask.to(element)
    exact = [x if x is None or x.dtype == torch.bool else x.double()
             for x in (query, key, value, attn_mask)]  # fmt: skip
    expected = pytorchs(*exact, enable_gqa=True, scale=0.4)
    output = attention(
        query, key, value, attn_mask, enable_gqa=True, scale=0.4, exact_sizes=exact_sizes
    )
    assert (output.dtype, output.shape) == (element, expected.shape)
    assert is_close(output, expected)


@pytest.mark.parametrize(("q_len", "kv_len"), [(5, 9), (9, 5), (1, 9), (70, 70)])
def test_causal_is_aligned_as_pytorchs(q_len, kv_len):
    query, key, value = tensors(q_len=q_len, kv_len=kv_len, kv_heads=4)
    expected = pytorchs(query.double(), key.double(), value.double(), is_causal=True)
    assert is_close(attention(query, key, value, None, 0.0, True), expected)


@pytest.mark.parametrize(
    "how",
    [
        {"is_causal": True, "alignment": "bottom_right", "window": [3, -1]},
        {"window": [2, 1]},
        {"logits_soft_cap": 1.5},
        {"is_causal": True, "logits_soft_cap": 1.5, "window": [4, 0], "scale": 0.7},
    ],
    ids=str,
)
@pytest.mark.parametrize("with_sinks", [False, True], ids=["", "sinks"])
def test_it_has_irattns_features(how, with_sinks):
    query, key, value = tensors()
    sinks = torch.linspace(-1, 2, 4, dtype=BF16) if with_sinks else None
    spec = irattn.AttentionSpec(
        io_dtype="f32", batch=2, num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=9, head_dim=16,
        causal=how.get("is_causal", False), window=how.get("window"), sinks=with_sinks,
        alignment=how.get("alignment", "top_left"), softmax_scale=how.get("scale"),
        logits_soft_cap=how.get("logits_soft_cap"),
    )  # fmt: skip
    arrays = {"query": query.numpy(), "key": key.numpy(), "value": value.numpy()}
    if with_sinks:
        arrays["sinks"] = sinks.float().numpy()
    expected = torch.from_numpy(reference(spec, arrays)[0])
    output = attention(query, key, value, sinks=sinks, enable_gqa=True, **how)
    assert is_close(output, expected)


def test_masks_and_causal_go_together():
    query, key, value = tensors(kv_heads=4)
    mask = torch.rand(2, 1, 5, 9) > 0.3
    both = mask & mask.new_ones(5, 9).tril()
    expected = pytorchs(query.double(), key.double(), value.double(), both)
    assert is_close(attention(query, key, value, mask, is_causal=True), expected)


def test_rows_that_see_no_key_are_zeros():
    query, key, value = tensors(kv_heads=4)
    mask = torch.ones(2, 1, 5, 9, dtype=torch.bool)
    mask[0, :, 1:3] = False
    assert not attention(query, key, value, mask)[0, :, 1:3].any()
    assert not attention(query, key[:, :, :0], value[:, :, :0]).any()
    assert attention(query[:0], key[:0], value[:0]).shape == (0, 4, 5, 16)
    assert attention(query[:, :, :0], key, value).shape == (2, 4, 0, 16)


def test_a_batch_of_one_is_every_batch():
    query, key, value = tensors(kv_heads=4)
    expected = pytorchs(query[:1].double(), key.double(), value.double())
    assert is_close(attention(query[:1], key, value), expected)


def test_axes_before_the_heads_have_gradients():
    query, key, value = (x[0].requires_grad_() for x in tensors())
    mask = torch.rand(5, 9) > 0.3
    output = attention(query, key, value, mask, enable_gqa=True)
    expected = pytorchs(*(x.double() for x in (query, key, value)), mask, enable_gqa=True)
    assert output.shape == expected.shape
    assert is_close(output, expected)
    found, meant = (
        torch.autograd.grad(one.square().sum(), (query, key, value)) for one in (output, expected)
    )
    assert all(map(is_close, found, meant))


def test_tensors_may_lie_in_any_way():
    query, key, value = tensors(q_len=64, kv_len=64, kv_heads=4, dtype=BF16)
    expected = pytorchs(query.double(), key.double(), value.double())
    across = query.transpose(1, 2).contiguous().transpose(1, 2)
    # Dense, at an address that is no multiple of 64.
    shifted = torch.empty(key.numel() + 1, dtype=BF16)[1:].view(key.shape).copy_(key)
    value.requires_grad_()
    assert is_close(attention(across, shifted, value), expected)


def test_dense_tensors_are_used_where_they_lie():
    query, key, value = tensors()
    call = {"enable_gqa": True, "exact_sizes": True}
    attention(query, key, value, **call)
    before = irattn.transfers()
    output = attention(query, key, value, **call)
    assert irattn.transfers() == before
    # Whoever writes to it next writes to memory that is its own.
    assert output.add_(1).is_contiguous()


def test_lengths_of_a_whole_step_are_not_copied():
    query, key, value = tensors(q_len=64, kv_len=128)
    attention(query, key, value, enable_gqa=True)
    before = irattn.transfers()
    attention(query, key, value, enable_gqa=True)
    assert irattn.transfers() == before


def test_a_kernel_serves_many_sizes(monkeypatch):
    specs = asked_for(monkeypatch)
    for batch, q_len, kv_len in ((2, 3, 3), (3, 40, 50), (8, 2, 100)):
        query, key, value = tensors(batch, q_len=q_len, kv_len=kv_len)
        attention(query, key, value, enable_gqa=True)
    assert len(specs) == 3
    assert len(set(specs)) == 1


def test_an_expanded_mask_is_not_written_out(monkeypatch):
    specs = asked_for(monkeypatch)
    query, key, value = tensors(kv_heads=4)
    attention(query, key, value, torch.ones(2, 1, 1, 9, dtype=torch.bool).expand(2, 4, 5, 9))
    assert specs[0].keep_mask == "bk"


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_compiled_without_a_break(dynamic):
    def block(query, key, value, mask):
        rotated = query * 2
        return attention(rotated, key, value, mask, enable_gqa=True, logits_soft_cap=3.0) + 1

    compiled = torch.compile(block, backend="aot_eager", fullgraph=True, dynamic=dynamic)
    for kv_len in (9, 12):
        query, key, value = tensors(kv_len=kv_len)
        mask = torch.rand(2, 1, 5, kv_len) > 0.3
        expected = block(query, key, value, mask)
        torch.testing.assert_close(compiled(query, key, value, mask), expected)


def test_pytorchs_own_checks_of_an_operator():
    query, key, value = tensors(dtype=F16)
    options = {"enable_gqa": True, "window": [3, 1], "logits_soft_cap": 2.0}
    mask = torch.rand(2, 1, 5, 9) > 0.3
    for arguments in ((query, key, value), (query, key, value, mask, torch.zeros(4))):
        torch.library.opcheck(operator, arguments, options)


def test_pytorchs_own_checks_of_an_operator_with_gradients():
    query, key, value = (one.requires_grad_() for one in tensors())
    for first in (query, query[:1].detach().requires_grad_()):
        added = torch.randn(5, 1, requires_grad=True)
        for others in ((), (added, torch.zeros(4, requires_grad=True))):
            torch.library.opcheck(operator, (first, key, value, *others), {"enable_gqa": True})


def test_there_is_no_gradient_with_lengths():
    query, key, value = tensors(kv_heads=4)
    lengths = {name: torch.tensor([2, 3], dtype=torch.int32) for name in ("q_lens", "context_lens")}
    for return_lse in (False, True):
        given = query.detach().requires_grad_()
        result = attention(given, key, value, **lengths, return_lse=return_lse)
        with pytest.raises(ArgumentError, match="there is no gradient with q_lens, context_lens"):
            (result[0] if return_lse else result).sum().backward()


def test_what_the_compiler_refuses_is_asked_once(monkeypatch):
    asked = []

    def refuse(spec, *where, **how):
        asked.append(spec)
        raise CompileError("refused")

    monkeypatch.setattr(kernel_cache, "artifact_for", refuse)
    query, key, value = tensors(heads=6, kv_heads=6)
    for _ in range(2):
        with pytest.raises(CompileError, match="refused"):
            attention(query, key, value)
    assert len(asked) == 1


def test_a_program_ends_in_silence():
    """IREE's bindings print what is still there when Python has ended."""
    program = """
import torch
from irattn.integrations.torch import scaled_dot_product_attention
scaled_dot_product_attention(*torch.randn(3, 1, 2, 4, 16))
"""
    # A program that has to compile says so.
    attention(*torch.randn(3, 1, 2, 4, 16))
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


Q, K, V = tensors()
REFUSED = {
    "query: expected [batch, num_q_heads, q_len, head_dim], got [4, 5, 16]": ((Q[0], K, V), {}),
    "query: expected f32, f16 or bf16, got torch.float64": ((Q.double(), K, V), {}),
    "value: expected f32 as query, got f16": ((Q, K, V.half()), {}),
    "key: expected 4 heads as in query, got 2; enable_gqa=True": ((Q, K, V), {"enable_gqa": False}),
    "key: expected head_dim 16 as in query [2, 4, 5, 16], got [2, 2, 9, 8]": (
        (Q, K[..., :8], V), {}),
    "key: expected batch 2, got 3": ((Q, K[[0, 1, 0]], V[[0, 1, 0]]), {}),
    "key: expected it on cpu, got meta": ((Q, K.to("meta"), V), {}),
    "attn_mask: expected bool or f32 as query, got torch.int64": (
        (Q, K, V, torch.ones(5, 9, dtype=torch.int64)), {}),
    "attn_mask: expected a shape that broadcasts to [2, 4, 5, 9]": (
        (Q, K, V, torch.ones(5, 8)), {}),
    "dropout_p: expected a number from 0": ((Q, K, V), {"dropout_p": 1.0}),
    "key: expected a number of heads that divides query's 3, got 2": ((Q[:, :3], K, V), {}),
    "window: expected [left, right], got (3,)": ((Q, K, V), {"window": [3]}),
    "key: expected a tensor, got NoneType": ((Q, None, V), {}),
    "value: expected a tensor, got ndarray; give torch.as_tensor(value)": ((Q, K, V.numpy()), {}),
    "attn_mask: expected a tensor, got list": ((Q, K, V, [True]), {}),
    "scale: expected a number, got '1'": ((Q, K, V), {"scale": "1"}),
    "scale: expected a number, got tensor([1.])": ((Q, K, V), {"scale": torch.ones(1)}),
    "is_causal: expected true or false, got 2": ((Q, K, V), {"is_causal": 2}),
    "alignment: expected bottom_right or top_left, got 3": ((Q, K, V), {"alignment": 3}),
    "window: expected whole numbers, or None, got [1.5, 0]": ((Q, K, V), {"window": [1.5, 0]}),
    "window: expected [left, right], or None, got 5": ((Q, K, V), {"window": 5}),
    "logits_soft_cap: expected": ((Q, K, V), {"logits_soft_cap": -1.0}),
    "alignment: expected bottom_right or top_left, got 'left'": ((Q, K, V), {"alignment": "left"}),
    "alignment: expected bottom_right or top_left, got 'offsets'": (
        (Q, K, V), {"alignment": "offsets"}),
    "sinks: expected [4], one for each head, got [2]": ((Q, K, V), {"sinks": torch.zeros(2)}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused(message):
    (query, *arguments), options = REFUSED[message]
    # With a gradient, too.
    for given in (query, query.clone().requires_grad_()):
        with pytest.raises((ArgumentError, SpecError)) as caught:
            attention(given, *arguments, **{"enable_gqa": True, **options})
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
def test_tensors_without_contents_give_one_of_the_results_shape(mode):
    query, key, value = (one.to("meta") for one in (Q, K, V))
    with mode():
        output, lse = attention(query, key, value, enable_gqa=True, return_lse=True)
        assert (output.shape, output.device.type) == ((*Q.shape[:3], V.shape[3]), "meta")
        assert (lse.shape, lse.device.type) == (Q.shape[:3], "meta")
        with pytest.raises(ArgumentError, match="key: expected it on meta, got cpu"):
            attention(query, K, value, enable_gqa=True)
        with pytest.raises(SpecError, match=r"window: expected \[left, right\], got \(1,\)"):
            attention(query, key, value, enable_gqa=True, window=[1])
        with pytest.raises(SpecError, match="logits_soft_cap: expected a number from"):
            attention(query, key, value, enable_gqa=True, logits_soft_cap=-1.0)


def test_a_scale_may_be_a_tensor_without_axes():
    expected = attention(Q, K, V, scale=0.5, enable_gqa=True)
    torch.testing.assert_close(
        attention(Q, K, V, scale=torch.tensor(0.5), enable_gqa=True), expected
    )
    with pytest.raises(ArgumentError, match="scale: expected a number"):
        attention(Q, K, V, scale=torch.tensor(0.5, requires_grad=True), enable_gqa=True)


def test_a_side_of_a_window_may_be_none_where_a_gradient_is_asked_for():
    query, key, value = tensors(heads=1, kv_heads=1, q_len=3, kv_len=3)
    expected, given = attention(query, key, value, window=[1, -1]), query.requires_grad_()
    torch.testing.assert_close(attention(given, key, value, window=(1, None)), expected)


def test_a_head_that_is_too_large_is_refused():
    wide = torch.zeros(1, 1, 2, 304)
    with pytest.raises(SpecError, match="at most 256, or 288 or 320 or 384 or 512 or 576, got 304"):
        attention(wide, wide, wide)
