"""Products with one token on GPUs: their text, their tiles, and what their machine code does."""

import pytest

from irattn import targets
from irattn.rendering import render
from irattn.rendering.one_token import vector_tile
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.verification import verify_artifact
from support.machine_code import artifact, kernels

HEADS = {"num_q_heads": 2, "head_dim": 16, "q_len": 1, "has_bias": True}
SPECS = {
    "query, key and value": (QkvProjectionSpec(**HEADS, num_kv_heads=1, hidden_size=64), "gfx1100"),
    "output": (OutputProjectionSpec(**HEADS, hidden_size=48, io_dtype="bf16"), "gfx942"),
    # The compiler chooses the tile of what goes down.
    "mlp": (MlpSpec(q_len=1, hidden_size=64, intermediate_size=40, has_bias=True), "gfx942"),
    "logits": (
        LmHeadSpec(q_len=1, hidden_size=128, vocab_size=97, logits_soft_cap=2.0, io_dtype="f32"),
        "gfx1100",
    ),
}


@pytest.mark.parametrize(("spec", "target"), SPECS.values(), ids=SPECS)
def test_machine_code_meets_the_reference(spec, target):
    found = artifact(spec, target)
    assert "VectorDistribute" in found.mlir
    verdict = verify_artifact(found, device="emulator")
    assert verdict.passed, verdict


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
        tile = vector_tile(rows, depth, io_dtype, target)
        assert tile.subgroup_size == target.wave_size
        assert (rows % tile.rows, depth % tile.depth) == (0, 0)
        # 16 bytes a lane, and all lanes along the sum where it is long enough.
        assert tile.elements[1] == (4 if io_dtype == "f32" else 8)
    assert tile.lanes[0] > 1


def test_odd_sizes_are_left_to_the_compiler():
    target = targets.get("gfx1100")
    assert vector_tile(4096, 4100, "f16", target) is None
    # Two rows side by side, of an odd number of them.
    assert vector_tile(97, 128, "f16", target) is None


def test_cpus_keep_the_dimension_of_tokens():
    spec, _ = SPECS["output"]
    assert "affine_map<(m, n, k)" in render(spec, targets.get("cpu"))
    assert "affine_map<(m, n" not in render(spec, targets.get("gfx1100"))
