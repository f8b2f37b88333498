"""Products of a weight with few tokens on CPUs: two numbers at once, summed in lanes."""

from dataclasses import replace

import pytest

from irattn import LmHeadSpec, MlpSpec, OutputProjectionSpec, QkvProjectionSpec, targets
from irattn.rendering import GraphRequest, render
from support.compiled_once import compiled_once
from support.joined import joined, together

# With AVX-512 they are kernels of their own.
AVX2 = "x86-64-v3"
HEADS = {"num_q_heads": 4, "head_dim": 16, "q_len": 1, "hidden_size": 64}
MLP = {"q_len": 1, "hidden_size": 64, "intermediate_size": 96}


def products(io_dtype, batch, *, has_bias=True):
    how = {"io_dtype": io_dtype, "batch": batch}
    return [
        QkvProjectionSpec(**HEADS, **how, num_kv_heads=2, has_bias=has_bias),
        OutputProjectionSpec(**HEADS, **how, has_bias=has_bias),
        LmHeadSpec(q_len=1, hidden_size=64, vocab_size=77, **how),
        MlpSpec(**MLP, **how, has_bias=has_bias),
        MlpSpec(**MLP, **how, gated=False, has_bias=not has_bias),
    ]


FEW = [
    replace(one, target=AVX2)
    for one in together(
        [*products("f16", 1), *products("bf16", 3), *products("f16", 4, has_bias=False)]
    )
]


def is_in_lanes(spec, target=AVX2):
    return "bitcast" in render(GraphRequest(spec, targets.get(target)))


@pytest.mark.slow
@pytest.mark.parametrize("one", FEW, ids=str)
def test_it_meets_the_reference(one):
    assert is_in_lanes(one.graph.spec)
    assert one.verdict().passed


def test_weights_are_read_where_they_lie():
    """A copy of a weight would take longer than the product."""
    target = targets.get(AVX2)
    texts = [render(GraphRequest(spec, target)) for spec in products("bf16", 1)]
    host = compiled_once(joined(texts), (*target.flags, "--compile-to=stream")).decode()
    assert "stream.cmd.dispatch" in host
    assert "stream.cmd.copy" not in host
    assert "stream.async.clone" not in host
    # With a dimension of size 1 the compiler would drop the tile.
    assert "distribution = [64, 0, 0], vector_common_parallel = [1, 16, 0]" in host


@pytest.mark.parametrize(
    ("changes", "target"),
    [
        ({"io_dtype": "f32"}, AVX2),
        ({"batch": 5}, AVX2),
        ({"batch": 5, "io_dtype": "bf16"}, AVX2),
        ({"batch": 4, "dynamic": ("batch",)}, AVX2),
        ({"hidden_size": 40}, AVX2),
        ({}, "gfx1100"),
    ],
)
def test_others_are_left_to_the_compiler(changes, target):
    """It reads no more slowly than memory gives, packs many tokens, and knows GPUs."""
    spec = LmHeadSpec(q_len=1, hidden_size=64, vocab_size=77, io_dtype="f16")
    assert is_in_lanes(spec)
    assert not is_in_lanes(spec.replace(**changes), target)
