"""The gradients of PyTorch's operators under torch.func's transforms; needs the extra `torch`."""

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

from torch.autograd import forward_ad  # noqa: E402
from torch.func import grad, jacfwd, jacrev, jvp, vmap  # noqa: E402

from irattn.core.errors import ArgumentError  # noqa: E402
from irattn.integrations import torch_attention, torch_ops  # noqa: E402
from irattn.integrations.torch import scaled_dot_product_attention as attention  # noqa: E402

pytestmark = pytest.mark.slow

pytorchs = torch.nn.functional.scaled_dot_product_attention
BOUNDS_Q, BOUNDS_K = (
    torch.tensor(one, dtype=torch.int32) for one in ([0, 12, 12, 33], [0, 20, 31, 48])
)


def given():
    """Query, key, value and an added mask; a key of one sequence is every sequence's."""
    torch.manual_seed(0)
    shapes = (2, 2, 5, 16), (1, 2, 9, 16), (2, 2, 9, 16), (2, 1, 5, 9)
    return [torch.randn(shape) for shape in shapes]


def gradients(attend, *tensors):
    return grad(lambda *own: attend(*own).pow(2).sum(), (0, 1, 2, 3))(*tensors)


def of_all(attend, *tensors):
    """The gradients of a sum over copies of tensors that a transform makes."""
    copies = [torch.stack([one, one / 2]) for one in tensors]
    return grad(lambda *own: vmap(attend)(*own).pow(2).sum(), (0, 1, 2, 3))(*copies)


def of_each(attend, *tensors):
    query, *others = tensors
    queries = torch.stack([query, query / 2])
    return vmap(lambda one: gradients(attend, one, *others))(queries)


def jacobian(attend, *tensors):
    query, *others = (one[:1, :1] for one in tensors)
    return [jacrev(lambda one: attend(one, *others)[..., :2])(query)]


def of_several(attend, *tensors):
    """The gradients of several gradients of an output, by the older of PyTorch's transforms."""
    own = [one.requires_grad_() for one in tensors]
    output = attend(*own)
    several = torch.stack([output.detach(), torch.ones_like(output)])
    return torch.autograd.grad(output, own, several, is_grads_batched=True)


@pytest.mark.filterwarnings("ignore:There is a performance drop")
@pytest.mark.parametrize("make", [gradients, of_all, of_each, jacobian, of_several])
def test_transforms_give_the_gradients_of_pytorchs(make):
    for found, wanted in zip(make(attention, *given()), make(pytorchs, *given()), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("lowers", [False, True])
def test_packed_attention_has_the_same_bits_under_a_transform(lowers):
    torch.manual_seed(0)
    tensors = [torch.randn(33, 4, 16), torch.randn(48, 2, 16), torch.randn(48, 2, 16)]
    tensors = [*tensors, torch.randn(4)]

    def loss(query, key, value, sinks):
        rows = torch_ops.packed_attention(query, key, value, BOUNDS_Q, BOUNDS_K, sinks)
        return rows.float().pow(2).sum()

    own = [one.clone().requires_grad_() for one in tensors]
    with torch.autocast("cpu", torch.bfloat16, enabled=lowers):
        loss(*own).backward()
        found = grad(loss, (0, 1, 2, 3))(*tensors)
    for one, wanted in zip(found, own, strict=True):
        assert torch.equal(one, wanted.grad)


def test_there_is_no_derivative_in_forward_mode():
    query, key, value, _mask = given()
    attend = lambda query: attention(query, key, value)  # noqa: E731
    packed = lambda rows: torch_ops.packed_attention(rows, rows, rows, BOUNDS_Q, BOUNDS_Q)  # noqa: E731
    rows = torch.randn(33, 2, 16)
    for ask in (
        lambda: jvp(attend, (query,), (query,)),
        lambda: jacfwd(attend)(query),
        lambda: jvp(packed, (rows,), (rows,)),
        lambda: jvp(lambda rows: torch_ops.rms_norm(rows, torch.ones(16)), (rows,), (rows,)),
    ):
        with pytest.raises(ArgumentError, match="no derivative in forward mode"):
            ask()
    weight, operator = torch.ones(16), torch.ops.irattn.attention
    calls = [
        (attend, query),
        (lambda query: operator(query, key, value), query),
        (packed, rows),
        (lambda rows: torch_ops.rms_norm(rows, weight), rows),
        (lambda weight: torch_ops.rms_norm(rows, weight), weight),
    ]
    for call, one in calls:
        for grads in (True, False):
            with (
                forward_ad.dual_level(),
                torch.set_grad_enabled(grads),
                pytest.raises(ArgumentError, match="no derivative in forward"),
            ):
                call(forward_ad.make_dual(one, one))


def test_training_makes_packed_attention_once(monkeypatch):
    made, run = [], torch_attention.run_on_tensors

    def noted(spec, *others):
        made.append(spec.op)
        return run(spec, *others)

    monkeypatch.setattr(torch_attention, "run_on_tensors", noted)
    rows = torch.randn(33, 2, 16, requires_grad=True)
    torch_ops.packed_attention(rows, rows, rows, BOUNDS_Q, BOUNDS_Q).sum().backward()
    assert made == ["packed_attention", "packed_attention_backward"]


def test_packed_attention_of_nothing_has_gradients_of_nothing():
    query, keys = torch.randn(0, 4, 16, requires_grad=True), torch.randn(48, 2, 16)
    none = torch.zeros(4, dtype=torch.int32)
    output, lse = torch_ops.packed_attention_with_lse(query, keys, keys, none, BOUNDS_K)
    assert (output.shape, lse.shape) == ((0, 4, 16), (4, 0))
    output.sum().backward()
    assert query.grad.shape == (0, 4, 16)
    rows = torch.randn(33, 4, 16, requires_grad=True)
    output, lse = torch_ops.packed_attention_with_lse(rows, keys[:0], keys[:0], BOUNDS_Q, none)
    output.sum().backward()
    assert not output.any()
    assert not rows.grad.any()
    assert lse.isneginf().all()
