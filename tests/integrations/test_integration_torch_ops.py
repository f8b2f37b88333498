"""More operators of PyTorch, on the CPU and where tensors lie on a GPU; needs the extra `torch`."""

from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

from irattn.compiling import catalog  # noqa: E402
from irattn.core.dtypes import dtype  # noqa: E402
from irattn.core.errors import ArgumentError, SpecError  # noqa: E402
from irattn.functional import arrays, calls, contiguous, head_numbers, places  # noqa: E402
from irattn.integrations import torch as attention_of_torch  # noqa: E402
from irattn.integrations import torch_layers, torch_ops  # noqa: E402
from irattn.lab.inputs import random_tensors  # noqa: E402
from irattn.reference import reference  # noqa: E402
from irattn.reference.philox import kept_weights  # noqa: E402
from support.lent import StandIn, ToldCalls  # noqa: E402

pytestmark = pytest.mark.slow

# Operators by entries of the catalogue, whose inputs they take in their order.
OPERATORS = {
    "gqa_paged_decode_tiny": torch_ops.paged_attention,
    "paged_update_decode_tiny": torch_ops.paged_update_attention,
    "packed_causal_tiny": torch_ops.packed_attention,
    "packed_paged_tiny": torch_ops.packed_paged_attention,
    "cache_write_tiny": torch_ops.cache_write,
    "rope_tiny": torch_ops.rope,
    "rms_norm_tiny": torch_ops.rms_norm,
    "packed_paged_update_tiny": torch_ops.packed_paged_update_attention,
    "layer_norm_tiny": torch_ops.layer_norm,
    "qkv_projection_decode_tiny": torch_ops.qkv_projection,
    "output_projection_tiny": torch_ops.output_projection,
    "mlp_decode_tiny": torch_ops.mlp,
}
OPTIONS = {
    "packed_causal_tiny": {"causal": True},
    "qkv_projection_decode_tiny": {"num_q_heads": 4, "num_kv_heads": 2},
}


def placed(array):
    """Where tensors lie: they stand for a GPU's memory."""
    return places.GpuPlace("emulator", "gfx1100") if isinstance(array, torch.Tensor) else None


@pytest.fixture(params=["cpu", "gpu"])
def lend(request, monkeypatch):
    """A function that makes a tensor of an array: the CPU's, or one that stands for a GPU's."""
    if request.param == "cpu":
        yield lambda array: torch.from_numpy(np.array(array))
        return
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    stand_in, empty = StandIn(), torch.empty
    monkeypatch.setattr(torch, "empty", lambda *a, **how: stand_in.told(empty(*a, **how)))
    for module in (arrays, calls, head_numbers, places):
        monkeypatch.setattr(module, "place_of", placed)
    monkeypatch.setattr(contiguous, "_calls", ToldCalls(contiguous._calls, stand_in))
    yield stand_in.torch
    stand_in.close()


def is_close(found, expected, element):
    error = np.linalg.norm(found.double().numpy() - expected) / np.linalg.norm(expected)
    return error <= dtype(element).tolerance


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_computes_what_its_spec_means(name, lend):
    spec = catalog.get(name)
    tensors = random_tensors(spec)
    given = {key: lend(array) for key, array in tensors.items()}
    results = OPERATORS[name](*given.values(), **OPTIONS.get(name, {}), exact_sizes=True)
    found = [] if results is None else [*results] if isinstance(results, tuple) else [results]
    found += [given[cache] for cache in spec.updates.values()]
    for one, wanted, tensor in zip(found, reference(spec, tensors), spec.outputs, strict=True):
        assert one.is_contiguous()
        assert is_close(one, wanted, tensor.dtype), tensor.name
    for key, array in tensors.items():
        if key not in spec.updates.values():
            np.testing.assert_array_equal(given[key].numpy(), array)


def test_one_kernel_serves_many_sizes(lend):
    spec = catalog.get("gqa_paged_decode_tiny")
    for batch in (1, 2):
        call = spec.replace(batch=batch)
        tensors = random_tensors(call)
        found = torch_ops.paged_attention(*(lend(array) for array in tensors.values()))
        assert is_close(found, *reference(call, tensors), "f32")


def test_an_mlp_with_biases(lend):
    spec = catalog.get("mlp_plain_tiny")
    tensors = random_tensors(spec)
    found = torch_ops.mlp(
        *(lend(tensors[name]) for name in ("hidden", "up_weight", "down_weight")),
        *(lend(tensors[name]) for name in ("up_bias", "down_bias")),
        activation="gelu_tanh", gated=False, exact_sizes=True,
    )  # fmt: skip
    assert is_close(found, *reference(spec, tensors), "f32")


def test_rotations_may_come_from_tables(lend):
    spec = catalog.get("rope_tiny").replace(given_tables=True, max_positions=64)
    tensors = random_tensors(spec)
    found = torch_ops.rope(*map(lend, tensors.values()), exact_sizes=True)
    for one, wanted in zip(found, reference(spec, tensors), strict=True):
        assert is_close(one, wanted, "f32")


@pytest.mark.parametrize("name", ["gqa_paged_decode_tiny", "packed_paged_tiny"])
def test_slopes_of_heads_go_over_pages(name, lend):
    spec = catalog.get(name).replace(alibi=True)
    tensors = random_tensors(spec)
    slopes = lend(tensors["alibi_slopes"])
    given = [lend(tensors[tensor.name]) for tensor in catalog.get(name).inputs]
    found = OPERATORS[name](*given, alibi_slopes=slopes, exact_sizes=True)
    assert is_close(found, *reference(spec, tensors), "f32")


def test_attention_with_places_slopes_and_the_sums_of_exponentials(lend):
    spec = catalog.get("offsets_tiny").replace(alibi=True, return_lse=True)
    tensors = random_tensors(spec)
    given = {name: lend(array) for name, array in tensors.items()}
    how = {"is_causal": True, "enable_gqa": True, "return_lse": True, "exact_sizes": True}
    found = attention_of_torch.scaled_dot_product_attention(**given, **how)
    for one, wanted in zip(found, reference(spec, tensors), strict=True):
        assert is_close(one, wanted, "f32")

    @torch.compile(fullgraph=True, backend="aot_eager")
    def block(given):
        return attention_of_torch.scaled_dot_product_attention(**given, **how)

    for one, other in zip(block(given), found, strict=True):
        assert torch.equal(one, other)


def test_attention_takes_tensors_on_a_gpu(lend):
    spec = catalog.get("gqa_causal_tiny")
    tensors = random_tensors(spec)
    found = attention_of_torch.scaled_dot_product_attention(
        *map(lend, tensors.values()), is_causal=True, enable_gqa=True, exact_sizes=True
    )
    assert is_close(found, *reference(spec, tensors), "f32")


def test_tokens_before_heads_are_taken_by_their_layout(lend, monkeypatch):
    spec = catalog.get("gqa_causal_tiny")
    tensors = random_tensors(spec)
    views = [lend(array.swapaxes(1, 2).copy()).transpose(1, 2) for array in tensors.values()]
    copied = []
    contiguous_of = torch.Tensor.contiguous
    monkeypatch.setattr(
        torch.Tensor, "contiguous", lambda t: contiguous_of(t if t.is_contiguous() else noted(t))
    )

    def noted(tensor):
        copied.append(tensor.shape)
        return tensor

    found = attention_of_torch.scaled_dot_product_attention(
        *views, is_causal=True, enable_gqa=True, exact_sizes=True
    )
    assert is_close(found, *reference(spec, tensors), "f32")
    # On the CPU, where IREE's runtime takes no strides, they are copied.
    assert len(copied) == (0 if arrays.place_of is placed else 3)


HEADS, KV_HEADS, TOKENS, DIM = 4, 2, 64, 32


def by_token(heads, tokens=TOKENS):
    return torch.randn(2, tokens, heads, DIM).transpose(1, 2)


def by_head(heads, tokens=TOKENS):
    return torch.randn(2, heads, tokens, DIM)


def of_one_product(batch, tokens):
    """Queries, keys and values that a product with all their weights gives, as slices of it."""
    widths = [heads * DIM for heads in (HEADS, KV_HEADS, KV_HEADS)]
    parts = torch.randn(batch, tokens, sum(widths)).split(widths, -1)
    return [part.unflatten(-1, (-1, DIM)).transpose(1, 2) for part in parts]


# By how they lie: query, key and value, and how many of them are copied, as kernels take no strides
# but those of tokens before heads in all of them.
LYING = {
    "by heads": (lambda: [by_head(HEADS), by_head(KV_HEADS), by_head(KV_HEADS)], 0),
    "by tokens": (lambda: [by_token(HEADS), by_token(KV_HEADS), by_token(KV_HEADS)], 0),
    "a query by tokens": (lambda: [by_token(HEADS), by_head(KV_HEADS), by_head(KV_HEADS)], 1),
    "of one product": (lambda: of_one_product(2, TOKENS), 3),
    "a token of one product": (
        lambda: [of_one_product(1, 1)[0], *(by_head(KV_HEADS)[:1] for _ in range(2))],
        0,
    ),
    "between addresses": (
        lambda: [
            torch.randn(2 * HEADS * TOKENS * DIM + 1)[1:].view(2, HEADS, TOKENS, DIM),
            by_head(KV_HEADS),
            by_head(KV_HEADS),
        ],
        1,
    ),
}


@pytest.mark.parametrize("lying", LYING)
def test_what_lies_as_no_kernel_takes_it_is_copied(lying, lend, monkeypatch):
    make, count = LYING[lying]
    given = make()
    expected = torch.nn.functional.scaled_dot_product_attention(*given, enable_gqa=True)
    if arrays.place_of is not placed:
        # IREE's runtime takes no strides at all.
        found = attention_of_torch.scaled_dot_product_attention(*given, enable_gqa=True)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
        return
    taken, run = [], contiguous.run

    def told(call, tensors, **how):
        taken.extend(lend.__self__.told(tensor) for tensor in tensors.values())
        return run(call, tensors, **how)

    monkeypatch.setattr(contiguous, "run", told)
    found = attention_of_torch.scaled_dot_product_attention(
        *given, enable_gqa=True, exact_sizes=True
    )
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    copied = [one.data_ptr() != own.data_ptr() for one, own in zip(taken, given, strict=True)]
    assert sum(copied) == count


@pytest.mark.parametrize("lying", ["heads first", "tokens first"])
def test_a_call_that_was_made_before_takes_its_own_tensors(lying, lend):
    def drawn(heads, seed):
        made = torch.randn(1, TOKENS, heads, DIM, generator=torch.Generator().manual_seed(seed))
        made = lend.__self__.told(made) if hasattr(lend, "__self__") else made
        return made.view(1, heads, TOKENS, DIM) if lying == "heads first" else made.transpose(1, 2)

    how = {"enable_gqa": True}
    keep = lend(np.arange(TOKENS * TOKENS).reshape(1, 1, TOKENS, TOKENS) % 3 == 0)
    shared = drawn(KV_HEADS, 1)
    # Of the first call keys are values, of the second they are not.
    for key, value in ((shared, shared), (drawn(KV_HEADS, 2), drawn(KV_HEADS, 3))):
        given = drawn(HEADS, 0), key, value, keep
        found = attention_of_torch.scaled_dot_product_attention(*given, exact_sizes=True, **how)
        expected = torch.nn.functional.scaled_dot_product_attention(*given, **how)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    if arrays.place_of is placed:
        assert len(contiguous._calls.repeated) == 1


@torch.no_grad()
def test_what_watches_operators_sees_one():
    given = [torch.randn(1, 2, 8, 32) for _ in range(3)]
    assert not attention_of_torch._is_watched(*given)
    with torch.enable_grad():
        assert attention_of_torch._is_watched(*given)
    with torch._subclasses.FakeTensorMode():
        assert attention_of_torch._is_watched(*given)
    assert attention_of_torch._is_watched(given[0], torch.nn.Parameter(given[1]), given[2])


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_one_of_pytorch_s(name):
    given = [torch.from_numpy(array) for array in random_tensors(catalog.get(name)).values()]
    options = {**OPTIONS.get(name, {}), "exact_sizes": True}
    torch.library.opcheck(
        OPERATORS[name], given, options, test_utils=("test_schema", "test_faketensor")
    )


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_breaks_no_graph(name):
    operator, options = OPERATORS[name], {**OPTIONS.get(name, {}), "exact_sizes": True}
    tensors = random_tensors(catalog.get(name))
    # Each operator is another graph of the same function, of which few are kept.
    torch._dynamo.reset()

    @torch.compile(fullgraph=True, backend="aot_eager")
    def block(*given):
        return listed(operator(*given, **options))

    eager, compiled = (
        [torch.from_numpy(array.copy()) for array in tensors.values()] for _ in range(2)
    )
    expected, found = listed(operator(*eager, **options)), block(*compiled)
    for one, other in zip((*eager, *expected), (*compiled, *found), strict=True):
        assert torch.equal(one, other)


def listed(results):
    """The results of an operator, of which there may be none."""
    return () if results is None else results if isinstance(results, tuple) else (results,)


def test_what_is_elsewhere_is_refused_by_name():
    given = [torch.from_numpy(a) for a in random_tensors(catalog.get("rms_norm_tiny")).values()]
    with pytest.raises(ArgumentError, match="x: expected it on the CPU or a GPU, got meta"):
        torch_layers.rms_norm(*(tensor.to("meta") for tensor in given))
    with pytest.raises(ArgumentError, match="weight: expected it on cpu, got meta"):
        torch_layers.rms_norm(given[0], given[1].to("meta"))


def test_a_cache_that_is_not_dense_is_refused():
    given = [torch.from_numpy(a) for a in random_tensors(catalog.get("cache_write_tiny")).values()]
    given[2] = given[2].transpose(0, 1).contiguous().transpose(0, 1)
    with pytest.raises(ArgumentError, match="key_cache: expected elements that lie row by row"):
        torch_ops.cache_write(*given, exact_sizes=True)


TRAINED = {"causal": {"is_causal": True}, "an added mask": {"attn_mask": "added"}}


def trained(function, given, options, weights):
    """The output's gradients by all that is given."""
    own = {
        name: tensor.clone().requires_grad_(tensor.dtype != torch.bool)
        for name, tensor in given.items()
    }
    masks = {name: own[kind] for name, kind in options.items() if name == "attn_mask"}
    others = {name: value for name, value in options.items() if name != "attn_mask"}
    output = function(own["query"], own["key"], own["value"], **masks, **others, enable_gqa=True)
    (output * weights).sum().backward()
    return [tensor.grad for tensor in own.values() if tensor.grad is not None]


@pytest.mark.parametrize("name", TRAINED)
def test_attention_has_the_gradients_of_pytorch_s(name):
    torch.manual_seed(0)
    given = {
        "query": torch.randn(2, 4, 21, 16),
        "key": torch.randn(1, 2, 21, 16).expand(2, -1, -1, -1).contiguous(),
        "value": torch.randn(2, 2, 21, 16),
        "added": torch.randn(4, 21, 21),
    }
    weights = torch.randn(2, 4, 21, 16)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    expected = trained(sdpa, given, TRAINED[name], weights)
    found = trained(attention_of_torch.scaled_dot_product_attention, given, TRAINED[name], weights)
    for one, wanted in zip(found, expected, strict=True):
        torch.testing.assert_close(one, wanted, rtol=1e-4, atol=1e-5)


class Block(torch.nn.Module):
    """A small transformer of one layer, whose attention is given."""

    def __init__(self, attend):
        super().__init__()
        self.attend = attend
        self.embedding = torch.nn.Embedding(11, 32)
        self.qkv, self.out = torch.nn.Linear(32, 64), torch.nn.Linear(32, 11)

    def forward(self, tokens):
        rows = self.embedding(tokens)
        query, key, value = self.qkv(rows).split([32, 16, 16], -1)
        heads = [x.unflatten(-1, (-1, 8)).transpose(1, 2) for x in (query, key, value)]
        attended = self.attend(*heads, is_causal=True, enable_gqa=True)
        return self.out(rows + attended.transpose(1, 2).flatten(2))


def losses(attend, wrap):
    torch.manual_seed(0)
    model = Block(attend)
    step, tokens = wrap(model), torch.randint(0, 11, (2, 20))
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(50):
        loss = torch.nn.functional.cross_entropy(step(tokens).transpose(1, 2), tokens.roll(-1, 1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()


@pytest.mark.parametrize("wrap", [lambda model: model, "compiled"], ids=["eager", "compiled"])
def test_a_model_learns_as_with_pytorch_s_attention(wrap):
    if wrap == "compiled":
        torch._dynamo.reset()
        wrap = lambda model: torch.compile(model, fullgraph=True, backend="aot_eager")  # noqa: E731
    expected = [*losses(torch.nn.functional.scaled_dot_product_attention, lambda model: model)]
    found = [*losses(attention_of_torch.scaled_dot_product_attention, wrap)]
    np.testing.assert_allclose(found, expected, rtol=1e-3)
    assert expected[-1] < 0.2 * expected[0]


def test_the_gradient_is_an_operator_of_pytorch_s():
    spec = catalog.get("attention_backward_tiny").replace(sinks=True, q_len=8, kv_len=8)
    tensors = {k: torch.from_numpy(array) for k, array in random_tensors(spec).items()}
    names = ("query", "key", "value", "output", "lse", "output_gradient")
    given = [*(tensors[name] for name in names), None, tensors["sinks"]]
    operator = attention_of_torch.torch_gradients.gradient_operator
    torch.library.opcheck(
        operator, given, {"causal": True}, test_utils=("test_schema", "test_faketensor")
    )
    asking = [tensors[name].clone().requires_grad_() for name in names[:3]]
    torch.library.opcheck(
        attention_of_torch._with_lse,
        asking,
        {"causal": True, "enable_gqa": True, "exact_sizes": True},
    )


def test_dropout_is_drawn_by_pytorch_s_generator():
    given = [torch.randn(2, 2, 21, 16).requires_grad_() for _ in range(3)]
    torch.manual_seed(7)
    seed = torch.randint(-(2**31), 2**31, (3,), dtype=torch.int32).numpy()
    places = np.arange(21)[:, None], np.arange(21)
    kept = np.stack([kept_weights(0.3, seed, n, *places) for n in range(4)])
    weights = (given[0] @ given[1].transpose(2, 3) / 4).softmax(-1)
    wanted = weights * torch.from_numpy(kept).view(2, 2, 21, 21) / 0.7 @ given[2]
    torch.manual_seed(7)
    output = attention_of_torch.scaled_dot_product_attention(*given, dropout_p=0.3)
    torch.testing.assert_close(output, wanted, rtol=1e-4, atol=1e-5)
    gradients = [torch.autograd.grad((one * one).sum(), given) for one in (output, wanted)]
    torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-5)
    again = attention_of_torch.scaled_dot_product_attention(*given, dropout_p=0.3)
    assert not torch.equal(again, output)


BOUNDS_Q, BOUNDS_K = (
    torch.tensor(one, dtype=torch.int32) for one in ([0, 12, 12, 33], [0, 20, 31, 48])
)


def each_alone(query, key, value, slopes):
    """Causal attention of packed sequences by PyTorch's, one after the other."""
    for rows, tokens in zip(pairwise(BOUNDS_Q), pairwise(BOUNDS_K), strict=True):
        heads = [query[slice(*rows)], key[slice(*tokens)], value[slice(*tokens)]]
        heads = [one.transpose(0, 1) for one in heads]
        ahead = heads[1].shape[1] - heads[0].shape[1]
        behind = torch.arange(heads[0].shape[1])[:, None] + ahead - torch.arange(heads[1].shape[1])
        mask = torch.where(behind >= 0, -slopes[:, None, None] * behind, -torch.inf)
        yield torch.nn.functional.scaled_dot_product_attention(
            *heads, attn_mask=mask, enable_gqa=True
        ).transpose(0, 1)


def test_packed_attention_has_a_gradient():
    torch.manual_seed(0)
    given = [torch.randn(40, 4, 16), torch.randn(50, 2, 16), torch.randn(50, 2, 16)]
    weights, slopes = torch.randn(40, 4, 16), torch.rand(4)
    own, others, compiled = ([one.clone().requires_grad_() for one in given] for _ in range(3))

    def attended(*tensors):
        output = torch_ops.packed_attention(
            *tensors, BOUNDS_Q, BOUNDS_K, alibi_slopes=slopes, causal=True
        )
        return (output * weights).sum()

    attended(*own).backward()
    torch.compile(attended, fullgraph=True, backend="aot_eager")(*compiled).backward()
    (torch.cat([*each_alone(*others, slopes)]) * weights[:33]).sum().backward()
    for one, same, wanted in zip(own, compiled, others, strict=True):
        torch.testing.assert_close(one.grad, wanted.grad, rtol=1e-4, atol=1e-5)
        assert torch.equal(one.grad, same.grad)


def test_packed_tensors_without_contents_have_gradients_without():
    query = torch.randn(33, 4, 16, device="meta", requires_grad=True)
    key, value = torch.randn(2, 48, 2, 16, device="meta")
    bounds = (one.to("meta") for one in (BOUNDS_Q, BOUNDS_K))
    torch_ops.packed_attention(query, key, value, *bounds).sum().backward()
    assert (query.grad.shape, query.grad.device.type) == (query.shape, "meta")


def test_a_window_is_checked_of_tensors_without_contents():
    query, key, value = (torch.randn(9, 2, 16, device="meta") for _ in range(3))
    bounds = torch.zeros(2, dtype=torch.int32, device="meta")
    for window in ([1], [-2, 0], []):
        with pytest.raises(SpecError, match="window: expected"):
            torch_ops.packed_attention(query, key, value, bounds, bounds, window=window)


def packed_causal(*tensors):
    return torch_ops.packed_attention(*tensors, BOUNDS_Q, BOUNDS_K, causal=True)


def dense_causal(*tensors):
    return attention_of_torch.scaled_dot_product_attention(
        *(one.transpose(0, 1)[None] for one in tensors), is_causal=True, enable_gqa=True
    )


@pytest.mark.parametrize("attend", [packed_causal, dense_causal])
def test_autocast_lowers_attention_as_it_does_that_of_torch(attend):
    torch.manual_seed(0)
    shapes = [(40, 4, 16), (50, 2, 16), (50, 2, 16)]
    given = [torch.randn(shape, requires_grad=True) for shape in shapes]
    lowered = [one.detach().bfloat16().requires_grad_() for one in given]
    with torch.autocast("cpu", torch.bfloat16):
        # A part of what is given may be in its dtype already, as what products give is.
        output = attend(*given[:2], given[2].bfloat16())
        with torch.no_grad():
            assert torch.equal(attend(*given), output)
        with torch.autocast("cpu", enabled=False):
            assert attend(*given).dtype == torch.float32
    expected = attend(*lowered)
    assert output.dtype == torch.bfloat16
    assert torch.equal(output, expected)
    for one in (output, expected):
        one.float().square().sum().backward()
    for one, wanted in zip(given, lowered, strict=True):
        assert one.grad.dtype == torch.float32
        assert torch.equal(one.grad, wanted.grad.float())


def test_one_alone_may_ask_for_a_gradient_wherever_it_lies():
    torch.manual_seed(0)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    for asking in range(3):
        whole = [torch.randn(1, 8, 2, 32).requires_grad_(n == asking) for n in range(3)]
        gradients = []
        for attend in (attention_of_torch.scaled_dot_product_attention, sdpa):
            output = attend(*(one.transpose(1, 2)[..., ::2] for one in whole))
            gradients += torch.autograd.grad((output * output).sum(), whole[asking])
        torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [(0, 2, 8, 16), (1, 2, 0, 16)])
def test_attention_of_nothing_has_gradients_of_nothing(shape):
    given = [torch.randn(shape, requires_grad=True) for _ in range(3)]
    output, lse = attention_of_torch.scaled_dot_product_attention(*given, return_lse=True)
    assert (output.shape, lse.shape) == (shape, shape[:3])
    output.sum().backward()
    assert [one.grad.shape for one in given] == [shape] * 3


def test_there_is_no_gradient_of_a_gradient():
    given = [torch.randn(1, 2, 8, 16, requires_grad=True) for _ in range(3)]
    output = attention_of_torch.scaled_dot_product_attention(*given)
    first, *_ = torch.autograd.grad(output.sum(), given, create_graph=True)
    with pytest.raises(ArgumentError, match="no gradient of a gradient"):
        first.sum().backward()


def test_no_tokens_are_taken_by_every_operator():
    def ones(*shape):
        return torch.ones(shape)

    def zeros(*shape):
        return torch.zeros(shape, dtype=torch.int32)

    caches = (ones(6, 2, 4, 16), ones(6, 2, 4, 8))
    filled = [torch.zeros_like(cache) for cache in caches]
    packed = (zeros(3), zeros(2, 3), zeros(2))
    new = (ones(0, 2, 16), ones(0, 2, 8), zeros(0))
    calls = [
        (torch_ops.paged_attention, (ones(2, 4, 0, 16), *caches, *packed[1:]), (2, 4, 0, 8)),
        (torch_ops.packed_paged_attention, (ones(0, 4, 16), *caches, *packed), (0, 4, 8)),
        (torch_ops.packed_paged_update_attention, (ones(0, 4, 16), *new, *caches, *packed),
         (0, 4, 8)),
        (torch_ops.rms_norm, (ones(0, 16), ones(16)), (0, 16)),
        (torch_ops.mlp, (ones(1, 0, 16), ones(64, 16), ones(16, 32)), (1, 0, 16)),
        (torch_ops.output_projection, (ones(2, 4, 0, 16), ones(32, 64)), (2, 0, 32)),
    ]  # fmt: skip
    for operator, given, shape in calls:
        assert operator(*given).shape == shape
    rotated = torch_ops.rope(ones(2, 4, 0, 16), ones(2, 2, 0, 16), zeros(2, 0))
    assert [one.shape for one in rotated] == [(2, 4, 0, 16), (2, 2, 0, 16)]
    torch_ops.cache_write(*new[:2], *caches, new[2])
    # What no query sees is written.
    written = (ones(1, 2, 16), ones(1, 2, 8), zeros(1))
    torch_ops.paged_update_attention(ones(2, 4, 0, 16), *written, *filled, *packed[1:])
    assert (filled[0].sum(), filled[1].sum()) == (2 * 16, 2 * 8)
    unseen = torch_ops.packed_paged_attention(
        ones(3, 4, 16), *caches, zeros(3), zeros(2, 0), zeros(2)
    )
    assert not unseen.any()
    with pytest.raises(ArgumentError, match=r"context_lens\[1\]: expected 0, got 5"):
        torch_ops.packed_paged_attention(
            ones(3, 4, 16), *caches, zeros(3), zeros(2, 0), torch.tensor([0, 5])
        )
    # A query that sees no key has its head's sink as its lse.
    keys, sinks = (ones(0, 2, 16), ones(0, 2, 8)), torch.arange(4.0)
    output, lse = torch_ops.packed_attention_with_lse(
        ones(2, 4, 16), *keys, zeros(2), zeros(2), sinks
    )
    assert not output.any()
    assert torch.equal(lse, sinks[:, None].expand(4, 2))


def test_heads_of_no_columns_have_weights():
    """Every key that is seen weighs the same, and an lse is of these, also beside no values."""
    value, bounds = torch.randn(4, 2, 8), torch.tensor([0, 4], dtype=torch.int32)
    nothing = torch.zeros(4, 2, 0)
    output, lse = torch_ops.packed_attention_with_lse(nothing, nothing, value, bounds, bounds)
    torch.testing.assert_close(output, value.mean(dim=0).expand(4, 2, 8))
    torch.testing.assert_close(lse, torch.full((2, 4), 4.0).log())
    keys = torch.randn(4, 2, 8)
    of_no_values = torch_ops.packed_attention_with_lse(keys, keys, nothing, bounds, bounds)
    scores = torch.einsum("qhd,khd->hqk", keys, keys) / 8**0.5
    assert of_no_values[0].shape == (4, 2, 0)
    torch.testing.assert_close(of_no_values[1], scores.logsumexp(dim=-1))
    # A new value is written though its key has nothing to write.
    cache, slot = torch.zeros(1, 2, 4, 8), torch.tensor([2])
    torch_ops.packed_paged_update_attention(
        *(nothing[:1], nothing[:1], value[:1], slot, torch.zeros(1, 2, 4, 0), cache),
        *(torch.tensor([0, 1]), torch.tensor([[0]]), torch.tensor([3])),
    )
    assert torch.equal(cache[0, :, 2], value[0])


def test_heads_and_columns_of_nothing_fit():
    bounds, none = torch.tensor([0, 4]), torch.tensor([0, 0])
    keys, cache = torch.ones(4, 2, 8), torch.ones(3, 2, 4, 8)
    table = (torch.zeros(0, 2, dtype=torch.int32), torch.zeros(0, dtype=torch.int32))
    for operator, given in (
        (torch_ops.packed_attention, (torch.ones(0, 3, 8), keys, keys, none, bounds)),
        (torch_ops.packed_attention_with_lse, (torch.ones(0, 3, 8), keys, keys, none, bounds)),
        (torch_ops.paged_attention, (torch.ones(0, 3, 1, 8), cache, cache, *table)),
    ):
        with pytest.raises(SpecError, match="a divisor of num_q_heads = 3, got 2"):
            operator(*given)
    with pytest.raises(ArgumentError, match=r"key: expected head_dim 6 as in query \[0, 2, 6\]"):
        torch_ops.packed_attention(torch.ones(0, 2, 6), keys, keys, none, bounds)
