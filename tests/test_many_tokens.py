"""Products of many tokens on CPUs with AVX-512 have a tile of their own, and no others."""

import re

import pytest

from irattn import targets
from irattn.rendering import render
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from support.joined import together

AVX512 = targets.get("x86-64-v4")
QKV = QkvProjectionSpec(
    batch=2, q_len=48, num_q_heads=4, num_kv_heads=2, head_dim=32, hidden_size=96, io_dtype="f32"
)
MLP = MlpSpec(batch=2, q_len=32, hidden_size=512, intermediate_size=1408, io_dtype="f32")
OUTPUT = OutputProjectionSpec(
    batch=2, q_len=48, num_q_heads=4, head_dim=32, hidden_size=96, io_dtype="f32", has_bias=True
)
SMALL_MLP = MLP.replace(hidden_size=96, intermediate_size=160, has_bias=True)


@pytest.mark.parametrize("one", together([QKV, OUTPUT, SMALL_MLP]), ids=str)
def test_it_meets_the_reference(one):
    assert cuts(one.graph.spec)
    assert one.verdict().passed


def cuts(spec, target=AVX512):
    """The loops of each product that the text cuts up: workgroups and registers."""
    text = render(spec, target)
    return re.findall(r"distribution = (.*), vector_common_parallel = (.*),", text)


def test_workgroups_are_as_large_as_leaves_eight_of_them():
    assert cuts(MLP) == [
        ("[64, 128, 0]", "[16, 16, 0]"),
        ("[64, 64, 0]", "[16, 16, 0]"),
    ]


def test_heads_and_sequences_have_workgroups_of_their_own():
    assert cuts(QKV) == [("[1, 1, 16, 32, 0]", "[1, 1, 16, 16, 0]")]


def test_what_begins_and_ends_sums_is_cut_as_they_are():
    text = render(MLP, AVX512)
    assert text.count("linalg.fill {lowering_config = #up_tile_sums}") == 2
    assert text.count("attrs = {lowering_config = #up_tile_sums}") == 2
    assert text.count("attrs = {lowering_config = #down_tile_sums}") == 1
    assert "#up_tile_sums = #iree_cpu.lowering_config<vector_common_parallel = [16, 16]>" in text


@pytest.mark.parametrize(
    "changes",
    [
        {"io_dtype": "f16"},
        {"q_len": 1},
        {"q_len": 33},
        {"dynamic": ("batch",)},
        {"hidden_size": 1000, "intermediate_size": 1000},
        {"hidden_size": 1024, "intermediate_size": 2048},
    ],
    ids=str,
)
def test_others_are_left_to_the_compiler(changes):
    """Rows 4096 bytes apart, or a multiple, share too few lines of a cache."""
    assert not cuts(MLP.replace(**changes))


def test_one_head_is_left_to_the_compiler_which_keeps_no_tile_of_it():
    assert not cuts(QKV.replace(num_kv_heads=1))


@pytest.mark.parametrize("name", ["x86-64-v3", "aarch64"])
def test_cores_with_fewer_registers_are_left_to_the_compiler(name):
    output = OutputProjectionSpec(
        q_len=64, num_q_heads=8, head_dim=64, hidden_size=512, io_dtype="f32"
    )
    assert cuts(output)
    assert not cuts(output, targets.get(name))
