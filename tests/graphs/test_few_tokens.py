"""Products with few tokens on GPUs: their text, their tiles, and what their machine code does."""

import pytest

from irattn import targets
from irattn.rendering import GraphRequest, render
from irattn.rendering.few_tokens import vector_tile
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.stages import AttentionScoresSpec, WeightedValuesSpec
from support.emulated import failed_cases
from support.joined import artifact_of
from support.machine_code import kernels

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 2, "head_dim": 16, "has_bias": True}
QKV = QkvProjectionSpec(**HEADS, num_kv_heads=1, q_len=1, hidden_size=64)
OUTPUT = OutputProjectionSpec(**HEADS, q_len=1, hidden_size=48, io_dtype="bf16")
SPECS = {
    "query, key and value": (QKV, "gfx1100"),
    "of a batch": (QKV.replace(batch=3, head_dim=32), "gfx942"),
    "of a few": (QKV.replace(batch=2, q_len=2, num_kv_heads=2), "gfx1100"),
    "output": (OUTPUT, "gfx942"),
    "output of a batch": (OUTPUT.replace(batch=2), "gfx1100"),
    "output of a few": (OUTPUT.replace(batch=2, q_len=2, head_dim=32), "gfx942"),
    # The compiler chooses the tile of what goes down.
    "mlp": (MlpSpec(q_len=1, hidden_size=64, intermediate_size=40, has_bias=True), "gfx942"),
    "eight": (
        LmHeadSpec(batch=8, q_len=1, hidden_size=384, vocab_size=12, has_bias=True),
        "gfx942",
    ),
    "logits": (
        LmHeadSpec(q_len=1, hidden_size=128, vocab_size=97, logits_soft_cap=2.0, io_dtype="f32"),
        "gfx1100",
    ),
}


GROUP = {"batch": 2, "num_q_heads": 8, "num_kv_heads": 1, "q_len": 1}
# Columns that no tile of few tokens divides.
FEW = OutputProjectionSpec(
    batch=3, q_len=2, num_q_heads=2, head_dim=64, hidden_size=36, io_dtype="bf16"
)
# Of 8 rows, fewer summed over heads, or less than an instruction takes: filled up to that.
PADDED = {
    "logits": (LmHeadSpec(batch=8, q_len=1, hidden_size=384, vocab_size=33), "gfx942"),
    "scores": (AttentionScoresSpec(**GROUP, kv_len=20, head_dim=128, io_dtype="bf16"), "gfx950"),
    "values": (WeightedValuesSpec(**GROUP, kv_len=384, head_dim=16), "gfx90a"),
    "small": (
        AttentionScoresSpec(num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=5, head_dim=20),
        "gfx942",
    ),
    "heads": (FEW, "gfx942"),
    "heads of eight": (FEW.replace(batch=1, q_len=8, hidden_size=50), "gfx950"),
}


def of_target(target):
    """What is compiled together."""
    return (spec for spec, its in (*SPECS.values(), *PADDED.values()) if its == target)


@pytest.mark.parametrize(("spec", "target"), PADDED.values(), ids=PADDED)
def test_few_rows_compile_and_meet_the_reference(spec, target):
    found = artifact_of(spec, of_target(target), target)
    assert "padding = [" in found.mlir
    assert failed_cases(found) == []


@pytest.mark.parametrize(("spec", "target"), SPECS.values(), ids=SPECS)
def test_machine_code_meets_the_reference(spec, target):
    found = artifact_of(spec, of_target(target), target)
    assert "VectorDistribute" in found.mlir
    assert failed_cases(found) == []


@pytest.mark.parametrize(
    ("target", "hidden_size", "head_dim"), [("gfx1100", 4096, 128), ("gfx942", 2560, 256)]
)
def test_few_heads_fit_the_registers(target, hidden_size, head_dim):
    """Keys and values of GLM-4 and of Gemma 3."""
    heads = {"num_q_heads": 2, "num_kv_heads": 2, "head_dim": head_dim}
    spec = QkvProjectionSpec(
        **heads, q_len=1, hidden_size=hidden_size, has_bias=True, io_dtype="bf16"
    )
    found = kernels(spec, target)
    # One for each output, bias included.
    assert [kernel.vgpr_spills for kernel in found] == [0, 0, 0]
    assert max(kernel.vgprs for kernel in found) < 128


@pytest.mark.parametrize("target", ["gfx1100", "gfx942", "sm_89"])
@pytest.mark.parametrize("io_dtype", ["f32", "f16"])
def test_tiles_divide_what_they_tile(target, io_dtype):
    target = targets.get(target)
    for rows, depth in ((97, 4096), (256, 2880), (151936, 13696), (48, 32)):
        tile = vector_tile({"n": rows}, {"k": depth}, io_dtype, target)
        assert tile.subgroup_size == target.wave_size
        assert (rows % tile.workgroup[0], depth % tile.step[1]) == (0, 0)
        # 16 bytes a lane.
        assert tile.elements[1] == (4 if io_dtype == "f32" else 8)
        assert tile.lanes[0] * tile.lanes[1] == target.wave_size
    assert tile.lanes[0] > 1


def test_odd_sizes_are_left_to_the_compiler():
    target = targets.get("gfx1100")
    assert vector_tile({"n": 4096}, {"k": 4100}, "f16", target) is None
    # Two rows side by side, of an odd number of them.
    assert vector_tile({"n": 97}, {"k": 128}, "f16", target) is None


def test_few_queries_of_a_sequence_fit_the_registers():
    """The compiler's own tile spills 1,392 on gfx942 (and keeps it busy for long on gfx1100)."""
    spec = QKV.replace(q_len=2, num_q_heads=8, head_dim=64, hidden_size=384)
    (query, *_) = kernels(spec, "gfx942")
    assert query.vgpr_spills == 0


def test_cpus_keep_the_dimension_of_tokens():
    assert "affine_map<(m, n" in render(GraphRequest(OUTPUT, targets.get("cpu")))
    assert "affine_map<(m, n" not in render(GraphRequest(OUTPUT, targets.get("gfx1100")))
