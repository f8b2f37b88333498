"""Gradients of attention at random: of the reference beside autograd, and of code beside it.

IRATTN_GRADIENTS=200 draws as many, and compiles each for CPUs, and for a GPU what lanes take of it:

    IRATTN_GRADIENTS=200 pytest tests/graphs/test_random_gradients.py
"""

import os
import re

import numpy as np
import pytest

import irattn
from irattn import AttentionBackwardSpec
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.reference.philox import kept_weights
from irattn.rendering.attention_backward_lanes import takes_lanes
from irattn.runtime import load_artifact
from irattn.runtime.kernel import Kernel
from irattn.targets import get
from support import draws
from support.gradient_bounds import of_bounds
from support.joined import Graph, compiled_together, text_of
from support.torch_functions import computed

DRAWS = os.environ.get("IRATTN_GRADIENTS")


def exact_tensors(spec, seed):
    """Random inputs in float64, with the output and the log-sum-exp that belong to them."""
    exact = {
        name: one if one.dtype.kind in "bi" else one.astype(np.float64)
        for name, one in random_tensors(spec, seed=seed).items()
    }
    exact["output"], exact["lse"] = reference(spec.forward, exact)
    return exact


def names_of_gradients(spec):
    return [tensor.name.removesuffix("_gradient") for tensor in spec.outputs]


@pytest.mark.parametrize("seed", range(int(DRAWS or 20)))
def test_the_reference_by_finite_differences(seed):
    spec = draws.gradient(seed)
    exact, rng = exact_tensors(spec, seed), np.random.default_rng(seed)
    gradients = reference(spec, exact)
    for name, gradient in zip(names_of_gradients(spec), gradients, strict=True):
        way = rng.standard_normal(gradient.shape)
        ahead, behind = (
            (reference(spec.forward, {**exact, name: exact[name] + step})[0]
             * exact["output_gradient"]).sum()
            for step in (1e-6 * way, -1e-6 * way)
        )  # fmt: skip
        slope = (gradient * way).sum()
        size = np.abs(gradient * way).sum()
        assert abs((ahead - behind) / 2e-6 - slope) < 1e-6 * (1 + size), (name, spec)


@pytest.mark.parametrize("seed", range(int(DRAWS or 20)))
def test_the_reference_beside_autograd(seed):
    torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")
    spec = draws.gradient(seed)
    exact = exact_tensors(spec, seed)
    wide = {name: torch.from_numpy(one) for name, one in exact.items()}
    given = [wide[name].requires_grad_() for name in names_of_gradients(spec)]
    output = attended(torch, spec, wide)
    np.testing.assert_allclose(output.detach(), exact["output"], atol=1e-9)
    expected = torch.autograd.grad(output, given, wide["output_gradient"], allow_unused=True)
    for name, one, wanted in zip(
        names_of_gradients(spec), reference(spec, exact), expected, strict=True
    ):
        # Autograd knows none of what no logit depends on.
        wanted = np.zeros(one.shape) if wanted is None else wanted.numpy()
        np.testing.assert_allclose(one, wanted, atol=1e-9, err_msg=f"{name}: {spec}")


def attended(torch, spec, given):
    """Attention in PyTorch's own words. A row that sees nothing has zeros."""
    keys, values = (
        given[name].repeat_interleave(spec.group_size, dim=1) for name in ("key", "value")
    )
    logits = given["query"] @ keys.transpose(2, 3) * spec.scale
    if spec.logits_soft_cap:
        logits = spec.logits_soft_cap * torch.tanh(logits / spec.logits_soft_cap)
    first = spec.kv_len - spec.q_len if spec.alignment == "bottom_right" else 0
    ahead = torch.arange(spec.kv_len)[None] - (torch.arange(spec.q_len)[:, None] + first)
    if spec.score_mod:
        logits = computed(spec.score_mod, given, scores=logits)
    if spec.bias:
        logits = logits + given["bias"]
    if spec.alibi:
        logits = logits - given["alibi_slopes"].view(-1, 1, 1) * ahead.abs()
    left, right = spec.window or (None, None)
    sees = torch.ones_like(ahead, dtype=torch.bool)
    for hides in (
        ahead > 0 if spec.causal else None,
        None if right is None else ahead > right,
        None if left is None else ahead < -left,
    ):
        sees = sees if hides is None else sees & ~hides
    sees = sees & given["keep_mask"] if spec.keep_mask else sees
    sees = sees & computed(spec.mask_mod, given, scores=logits) if spec.mask_mod else sees
    logits = torch.where(sees, logits, -torch.inf)
    sinks = given["sinks"].view(1, -1, 1, 1).expand(*logits.shape[:3], 1) if spec.sinks else None
    top = logits.detach().amax(dim=-1, keepdim=True)
    top = torch.where(top > -torch.inf, top, 0.0)
    weights = torch.where(logits > -torch.inf, torch.exp(logits - top), 0.0)
    below = weights.sum(dim=-1, keepdim=True)
    below = below if sinks is None else below + torch.exp(sinks - top)
    if spec.dropout_p:
        queries, keys = np.arange(spec.q_len)[:, None], np.arange(spec.kv_len)
        seed, heads = given["dropout_seed"].numpy(), range(spec.batch * spec.num_q_heads)
        kept = [kept_weights(spec.dropout_p, seed, head, queries, keys) for head in heads]
        kept = torch.from_numpy(np.stack(kept)).view(weights.shape)
        weights = weights * kept * spec.kept_factor
    return weights @ values / torch.where(below > 0, below, 1.0)


@pytest.mark.parametrize("seed", range(int(DRAWS or 2)))
def test_code_for_cpus(seed):
    spec = draws.gradient(seed)
    tensors = random_tensors(spec, seed=seed)
    outputs = irattn.load(irattn.compile(spec, target="cpu"))(*tensors.values())
    assert_right(spec, outputs, tensors)


@pytest.mark.parametrize("seed", range(int(DRAWS or 1)))
def test_code_of_lanes(seed):
    """Gradients of random specs in kernels of lanes, for one chip after the other."""
    drawn = draws.gradient(seed)
    target = ("gfx1100", "gfx942", "gfx1201")[seed % 3]
    # RDNA multiplies no matrices in f32.
    spec = drawn.replace(
        head_dim=128 if drawn.head_dim == 4 else 64,
        value_dim=None,
        io_dtype="f16" if drawn.io_dtype == "f32" and target != "gfx942" else drawn.io_dtype,
    )
    assert takes_lanes(spec, get(target))
    tensors = random_tensors(spec, seed=seed)
    session = EmulatedSession(irattn.compile(spec, target=target), "emulator")
    outputs = Kernel(session).outputs(**tensors)
    assert_right(spec, outputs, tensors)


BROKEN = {
    "no scale": (r"mulf %beyond, %factor", "addf %beyond, %no_scores"),
    "delta of the first row": (r"(%delta\[%b, %head, )%m\]", r"\1%none]"),
    "a key too many": (r"(\(p, k, n\) -> \(k - n, p) \+ 1\)", r"\1 + 2)"),
    "no derivative of the cap": (r"subf (\S+), %bend_again", r"addf \1, %no_scores"),
    "dropout of a neighbour": (r"(%query_place = .* affine_map<\(r, m\) -> \(r \+ m)", r"\1 + 1"),
}


def test_what_is_broken_is_wrong():
    spec = AttentionBackwardSpec(
        **{"num_q_heads": 2, "num_kv_heads": 1, "q_len": 7, "kv_len": 9, "head_dim": 8},
        **{"io_dtype": "f16", "causal": True, "logits_soft_cap": 2.0, "dropout_p": 0.4},
    )
    graph, target = Graph(spec), get("cpu")
    text = text_of(graph, target)
    texts = [text, *(re.sub(old, new, text) for old, new in BROKEN.values())]
    assert len(set(texts)) == len(texts)
    tensors = random_tensors(spec)
    artifacts = compiled_together([graph] * len(texts), target, texts)
    right = [
        max(of_bounds(spec, load_artifact(one, "cpu").outputs(**tensors), tensors).values()) <= 1
        for one in artifacts
    ]
    assert right == [True, *([False] * len(BROKEN))]


def assert_right(spec, outputs, tensors):
    shares = of_bounds(spec, outputs, tensors)
    assert max(shares.values()) <= 1, (shares, spec)
