"""Products with quantised weights in machine code of GPUs, executed: of one token, and by tiles."""

import pytest

from irattn import LinearSpec, MixtureOfExpertsSpec, MlpSpec, targets
from irattn.compiling.build import build
from irattn.lab.profiling import execute
from irattn.rendering import GraphRequest, render
from irattn.rendering.packed_tiles import PackedTile, packed_tile
from irattn.rendering.values import Value
from support.emulated import failed_cases
from support.joined import artifact_of

MLP = MlpSpec(
    **{"hidden_size": 256, "intermediate_size": 256, "io_dtype": "f16", "q_len": 1},
    weight_format={"gate": "q4_0", "up": "q6_k", "down": "q8_0"},
)
OTHERS = {"gate": "q4_k", "up": "q5_k", "down": "mxfp4"}
# What llama.cpp makes of these where rows are no multiple of 256.
SMALL = MLP.replace(
    hidden_size=96,
    intermediate_size=224,
    weight_format={"gate": "q5_0", "up": "q4_1", "down": "q5_1"},
)
EXPERTS = MixtureOfExpertsSpec(
    **{"hidden_size": 256, "intermediate_size": 128, "num_experts": 5, "experts_per_token": 2},
    **{"io_dtype": "f16", "q_len": 1},
    weight_format={"gate_up": "q4_k", "down": "q8_0"},
)
SCALED = LinearSpec(in_columns=160, out_columns=136, q_len=1, weight_format="fp8_block")
CUT = {"q_len": 19, "dynamic": ("q_len",)}


CASES = [
    ("gfx1100", MLP),
    ("gfx942", MLP.replace(weight_format=OTHERS, io_dtype="f32")),
    ("gfx1201", SCALED.replace(io_dtype="bf16")),
    ("gfx1100", MLP.replace(q_len=33)),
    ("gfx1201", MLP.replace(**CUT)),
    ("gfx942", MLP.replace(weight_format=OTHERS, q_len=18)),
    ("gfx1100", MLP.replace(weight_format=OTHERS, io_dtype="bf16", q_len=2)),
    ("gfx950", SCALED.replace(io_dtype="f16", **CUT)),
    ("gfx942", SCALED.replace(weight_format="int8_channel", io_dtype="f16", q_len=20)),
    ("gfx1100", SMALL),
    ("gfx942", SMALL.replace(io_dtype="f32")),
    ("gfx1201", SMALL.replace(io_dtype="bf16")),
    ("gfx1100", SMALL.replace(**CUT)),
    ("gfx942", SMALL.replace(io_dtype="bf16", q_len=18)),
    ("gfx1201", SMALL.replace(q_len=17)),
    ("gfx942", EXPERTS.replace(q_len=9, weight_format={"gate_up": "q5_0", "down": "q5_1"})),
    ("gfx1100", EXPERTS),
    ("gfx942", EXPERTS.replace(q_len=19, weight_format="q6_k", intermediate_size=256)),
    ("gfx1201", EXPERTS.replace(**CUT, io_dtype="bf16", weight_format="fp8_block")),
    ("gfx1100", EXPERTS.replace(**CUT, io_dtype="f32", has_bias=True)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "spec"), CASES, ids=str)
def test_the_reference_is_met(target, spec):
    together = [one for its, one in CASES if its == target]
    assert failed_cases(artifact_of(spec, together, target)) == []


@pytest.mark.slow
def test_parts_of_the_depth_are_added_up(monkeypatch):
    """As on NVIDIA, where code is not executed here."""
    monkeypatch.setattr(PackedTile, "parts", 2)
    spec = SCALED.replace(io_dtype="f16", in_columns=256, q_len=5)
    text = render(GraphRequest(spec, targets.get("gfx1100")))
    assert "_by_part" in text
    assert failed_cases(build(GraphRequest(spec, targets.get("gfx1100")))) == []


@pytest.mark.slow
def test_matrix_instructions_multiply_once_and_a_token_reads_blocks_once():
    spec = LinearSpec(
        in_columns=512, out_columns=64, q_len=64, io_dtype="f16", weight_format="q4_k"
    )
    target = targets.get("gfx1100")
    counts = execute(build(GraphRequest(spec, target))).dispatches[0].counts
    assert counts.instructions["matrix"] == 64 * 64 * 512 // 16**3
    assert "scratch" not in counts.instructions
    for name, row_bytes in (("q4_k", 2 * 144), ("q5_0", 16 * 22), ("q5_1", 16 * 24)):
        token = spec.replace(q_len=1, weight_format=name)
        one = execute(build(GraphRequest(token, target))).dispatches[0].counts
        # Blocks, the token and the sums.
        assert one.traffic.touched_bytes <= 64 * row_bytes + 2 * 512 + 4 * 64
        assert "scratch" not in one.instructions


@pytest.mark.slow
def test_experts_are_read_once_by_a_token_and_multiplied_once_by_many():
    target = targets.get("gfx1100")
    spec = EXPERTS.replace(num_experts=2, intermediate_size=256, weight_format="q4_k")
    found = execute(build(GraphRequest(spec, target))).dispatches
    # Blocks of both experts, their token and sums.
    most = 2 * (512 * 144 + 2 * 256 + 4 * 512) + 64
    assert 0.9 * most < max(one.counts.traffic.touched_bytes for one in found) <= most
    many = execute(build(GraphRequest(spec.replace(q_len=64), target))).dispatches
    matrix = [one.counts.instructions.get("matrix", 0) for one in many]
    needed = [2 * 64 * 512 * 256 // 16**3, 2 * 64 * 256 * 256 // 16**3]
    assert sorted(matrix)[-2:] == needed[::-1]


@pytest.mark.parametrize(
    ("target", "rows", "waves", "parts"),
    [("gfx942", 512, 4, 1), ("gfx1100", 2, 2, 1), ("sm_89", 512, 4, 1), ("sm_89", 8, 2, 8)],
)
def test_few_tokens_have_small_workgroups(target, rows, waves, parts):
    given = Value("x", (rows, 4096), "f16"), Value("w", (4096, 2304), "i8")
    sums = Value("s", (rows, 4096), "f32")
    tile = packed_tile(targets.get(target), *given, sums, rows, 0, "q4_k", None)
    assert (tile.waves, tile.parts) == (waves, parts)
    assert tile.padded.shape[0] % tile.tile_rows == 0
