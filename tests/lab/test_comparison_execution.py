"""`irattn compare --execute`: what both sides execute, and what is said where they are not."""

import dataclasses
import json
import re
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

pytest.importorskip("tinygrad")

import irattn
from irattn.binary.codeobject import opcodes
from irattn.binary.inspection.figures import Occupancy
from irattn.cli import main
from irattn.core.errors import DeviceError, PolicyError
from irattn.core.tensors import TensorType
from irattn.lab.comparison import to_html, to_markdown, to_text, update_baseline
from irattn.lab.comparison.differences import differences, executed_differences
from irattn.lab.comparison.executions import ExecutedSide, Execution, Executions
from irattn.lab.comparison.policy import DEFAULT, read_policy
from irattn.lab.comparison.verdicts import judged
from irattn.lab.emulator import Counts, executes
from irattn.lab.emulator.measure.cycles import Estimate
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.profiling import Executed, execute, is_fault, obstacles
from irattn.rendering.attention import tiles_table
from support.changed_code import changed, with_a_move
from support.comparisons import KERNEL, MODULE, mutated, recorded
from support.comparisons import SPEC as SMALL

pytestmark = pytest.mark.slow

# Two tiles of rows, of which the first sees half the keys.
SPEC = SMALL.replace(q_len=128, kv_len=128)

# Half the rows to a workgroup, and half its waves.
HALF_THE_TILE = (64, 64, 4, 1)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    out = tmp_path_factory.mktemp("original")
    return irattn.compile(SPEC, target="gfx1100", name="small", out=out)


@pytest.fixture(scope="module")
def smaller(original, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tiles_table._CUTS["WMMAR3"], 64, HALF_THE_TILE)
        text = irattn.render(SPEC, target="gfx1100")
    return mutated(original, tmp_path_factory.mktemp("smaller"), (original.mlir, text))


@pytest.fixture(scope="module")
def compared(original, smaller):
    """Two tiles for one spec, executed."""
    return irattn.compare(original.path, smaller.path, numerics=False, execute=True)


def only_entry(*sides, **options):
    (entry,) = irattn.compare(*sides, numerics=False, execute=True, **options).entries
    return entry


def tensor_bytes(tensors: tuple[TensorType, ...]) -> int:
    return sum(2 * tensor.size for tensor in tensors)


# What is executed


def test_figures_are_those_that_spec_and_tile_say(compared):
    (entry,) = compared.entries
    before, after = entry.execution.numbers
    for side in (before, after):
        assert side["executed_matrix_instructions"] == side["executed_matrix_flops"] / (2 * 16**3)
        assert side["executed_scratch_instructions"] == 0
        # Each input is read and each output is written, whoever does it: f16 [heads, 128, 32].
        assert side["touched_bytes"] == (2 + 1 + 1 + 2) * 128 * 32 * 2
    # Two steps of 64 keys for all rows; or one for the first half of them, and two for the rest.
    assert before["executed_matrix_flops"] == SPEC.flops == 2 * 2 * 2 * 128 * 128 * 32
    assert after["executed_matrix_flops"] == SPEC.flops * 3 / 4
    assert after["barriers"] == before["barriers"] * 3 / 4 > 0
    # For each head, 64 keys and values more are read, of 64 bytes each, 16 bytes a lane.
    more_loads = after["executed_global_instructions"] - before["executed_global_instructions"]
    assert more_loads == 2 * 2 * 64 * 64 // (32 * 16)
    # Lanes side by side share the line of a key; each quarter of a value's is moved apart.
    assert after["cache_lines"] - before["cache_lines"] == 2 * (64 + 4 * 64)
    assert after["executed_instructions"] < before["executed_instructions"]


def test_figures_are_metrics_of_the_comparison(compared):
    (entry,) = compared.entries
    found = {item.what: item for item in entry.differences if item.layer == "execution"}
    before, after = entry.execution.numbers
    assert found.keys() == {name for name in before if before[name] != after[name]}
    assert {"executed_instructions", "cache_lines", "lds_cycles"} <= found.keys()
    effects = {what: item.effect for what, item in found.items()}
    # As many waves in twice the workgroups have twice the work-group processors.
    assert effects.pop("estimated_time") == "better"
    assert set(effects.values()) == {"neutral"}
    assert "cache lines moved 6,400 → 7,040 (+10%)" in entry.reasons


def test_every_format_shows_them(compared):
    for text in (to_text(compared), to_markdown(compared), to_html(compared)):
        assert "cache lines moved" in text
        assert "instructions executed" in text
        assert "by a model that has not met hardware: baseline 3.72 us, bound by SIMD" in text
    assert "| all | cache lines moved | 6,400 | 7,040 | neutral |" in to_markdown(compared)
    page = to_html(compared)
    figures = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    (plot,) = (one for one in figures if "Estimated" in one.get("aria-label"))
    titles = [title.text for title in plot.iter("title")]
    assert titles[:2] == ["in all, baseline: 3.72 us", "in all, candidate: 2.85 us"]
    assert len(titles) == 2 * 7


def test_json_has_both_sides_dispatch_by_dispatch(compared):
    data = json.loads(json.dumps(compared.to_dict(), allow_nan=False))
    execution = data["entries"][0]["execution"]
    assert execution["skipped"] is None
    for side in ("baseline", "candidate"):
        (dispatch,) = execution[side]["dispatches"]
        assert execution[side]["numbers"]["barriers"] == dispatch["barriers"]
        assert execution[side]["bound_by"] == dispatch["estimate"]["bound_by"] == "SIMD"


def test_it_is_an_option(original, smaller):
    (entry,) = irattn.compare(original, smaller, numerics=False).entries
    assert entry.execution is None
    assert not any(item.layer == "execution" for item in entry.differences)
    args = ["compare", str(original.path), str(smaller.path), "--no-numerics", "--execute"]
    shown = CliRunner().invoke(main, args)
    assert shown.exit_code == 0
    assert "cache lines moved 6,400 → 7,040 (+10%)" in shown.stdout


def test_inputs_are_those_of_the_seed():
    spec = irattn.compiling.catalog.get("gqa_paged_decode_tiny")
    artifact = irattn.compile(spec, target="gfx1100", name="paged")
    found = [ExecutedSide(execute(artifact, seed).dispatches).numbers for seed in (3, 3, 4)]
    assert found[0] == found[1] != found[2]


# What counts


def side(*microseconds, lds_cycles=0, lds_phases=0):
    """A side with dispatches made by hand; None is a time that is not known."""
    found = []
    for time in microseconds:
        moved = Traffic(64, "gfx1100")
        moved.lds_cycles_of[:], moved.lds_phases = lds_cycles, lds_phases
        counts = Counts("k", 1, 1, {"vector": 7}, 0.0, 0, 0, 0, frozenset(), moved)
        busy = {"issue": 1.0, "LDS": time or 0}
        model = None if time is None else Estimate(busy, busy, 0.0, time, time)
        found.append(Executed(counts, model))
    return ExecutedSide(tuple(found))


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ((30.0, 25.0), "equivalent"),
        ((30.0, 26.0), "slower-likely"),
        ((30.0, 14.0), "better"),
        ((30.0, 15.0), "equivalent"),
        ((30.0, None), "identical"),
    ],
)
def test_the_time_of_all_dispatches_counts_by_the_policy(after, verdict):
    execution = Execution(side(30.0, 20.0), side(*after))
    found = executed_differences(execution, read_policy())
    assert judged(found, None, read_policy(), execution)[0] == verdict
    assert bool(found) == (None not in after)


def test_the_time_of_the_whole_decides_before_what_it_is_made_of():
    policy = read_policy()
    fewer_waves = dataclasses.replace(KERNEL, occupancy=Occupancy(2, 2, 16, 16))
    module = dataclasses.replace(MODULE, kernels=(fewer_waves,))
    execution = Execution(side(30.0), side(36.0))
    found = [
        *differences(recorded(), recorded(module), policy),
        *executed_differences(execution, policy),
    ]
    assert judged(found, None, policy, execution)[1] == (
        "estimated microseconds 30 → 36 (+20%)",
        "attention_dispatch_0: waves per SIMD 8 → 2 (-75%)",
    )


def test_a_figure_on_one_side_only_is_not_judged(tmp_path):
    strict = tmp_path / "strict.toml"
    strict.write_text(DEFAULT.read_text() + '[metrics.lds_conflicts]\nworse = "more"\nwithin = 0\n')
    policy = read_policy(strict)
    uses, not_at_all = side(1.0, lds_phases=1, lds_cycles=4), side(1.0)
    assert uses.numbers["lds_conflicts"] == 4
    for execution in (Execution(not_at_all, uses), Execution(uses, not_at_all)):
        found = executed_differences(execution, policy)
        assert [item.what for item in found] == ["lds_cycles"]
        assert judged(found, None, policy, execution)[0] == "equivalent"
    worse = executed_differences(Execution(uses, side(1.0, lds_phases=1, lds_cycles=5)), policy)
    assert [item.effect for item in worse] == ["neutral", "worse"]


def test_what_bounds_is_what_bounds_the_longest():
    assert side(0.5, 9.0).bound_by == "LDS"
    assert side(0.5, 0.6).bound_by == "issue"
    assert side(None).bound_by is None


@pytest.mark.parametrize("text", ["", "[execution]\n", "[execution]\nmost_flops = -1\n"])
def test_a_policy_says_how_much_is_executed(tmp_path, text):
    path = tmp_path / "policy.toml"
    path.write_text(DEFAULT.read_text().replace("[execution]", text + "[numerics.more]"))
    with pytest.raises(PolicyError):
        read_policy(path)


# What is not executed


def test_identical_pairs_are_not_executed(original, monkeypatch):
    monkeypatch.setattr("irattn.lab.comparison.executions.execute", None)
    entry = only_entry(original.path, original.path)
    assert (entry.verdict, entry.execution, entry.notes) == ("identical", None, ())


def test_the_same_module_is_not_executed_twice(original, monkeypatch):
    monkeypatch.setattr("irattn.lab.comparison.executions.execute", None)
    manifest = dataclasses.replace(original.manifest, irattn_version="0.0")
    other = dataclasses.replace(original, manifest=manifest)
    found = irattn.compare(original, other, execute=True)
    assert found.entries[0].notes == ("not executed: both sides have the same compiled module",)
    assert found.summary == "1 artifact: 1 equivalent; 1 changed and not executed"


def test_a_baseline_file_has_nothing_to_execute(original, smaller, tmp_path):
    files, _ = update_baseline([original], tmp_path)
    for sides, which in (((files[0], smaller), "baseline"), ((smaller, files[0]), "candidate")):
        reason = f"not executed: the {which} is a baseline file, which has no machine code"
        entry = only_entry(*sides)
        assert reason in entry.notes
        comparison = irattn.compare(*sides, numerics=False, execute=True)
        for text in (to_text(comparison), to_markdown(comparison), to_html(comparison)):
            assert reason in text
        assert comparison.to_dict()["entries"][0]["execution"]["skipped"] in reason


def test_what_is_too_large_is_not_executed(original, smaller, tmp_path):
    small = tmp_path / "small.toml"
    head, section, rest = DEFAULT.read_text().partition("[execution]")
    small.write_text(head + section + rest.replace("most_flops = 5e9", "most_flops = 1e6", 1))
    note = "not executed: 4.2e+06 operations a call, execution.most_flops is 1e+06"
    assert note in only_entry(original, smaller, policy=small).notes


@pytest.mark.parametrize(
    ("target", "reason"),
    [("gfx1250", "gfx1250 is not emulated (gfx90a, "), ("cpu", "cpu is not code for an AMD GPU")],
)
def test_what_is_not_emulated_is_not_executed(target, reason):
    other = dataclasses.replace(MODULE, kernels=(dataclasses.replace(KERNEL, vgprs=3),))
    sides = recorded(target=target), recorded(other, target=target)
    found = Executions(read_policy(), 0).of(*sides, is_breaking=False)
    assert found.skipped.startswith(reason)


def test_other_contracts_are_not_executed(original, tmp_path):
    other = irattn.compile(SPEC.replace(causal=False), target="gfx1100", name="small", out=tmp_path)
    entry = only_entry(original, other)
    assert entry.verdict == "incompatible"
    assert entry.notes == ("not executed: the two sides have not the same contract",)


# Wrong machine code

_NOTHING = 0xBF800000


def patched(artifact, number, word):
    """The artifact with another instruction for one of its barriers."""
    return changed(artifact, "s_barrier", number, lambda _: word)


def test_a_candidate_that_does_what_it_must_not_is_wrong(original):
    """Without the barrier its waves race."""
    entry = only_entry(original, patched(original, 1, _NOTHING))
    assert entry.verdict == "wrong"
    assert entry.reasons[0].startswith("execution: the baseline is right, the candidate not: ")
    assert re.search(r"kernel \w+: ds_\w+ at 0x\w+: race in LDS", entry.reasons[0])
    (note,) = (note for note in entry.notes if note.startswith("executed by the emulator: "))
    assert "baseline 3.72 us, bound by SIMD; candidate stops: " in note
    assert not any(item.layer == "execution" for item in entry.differences)
    assert entry.to_dict()["execution"]["candidate"]["numbers"] is None


def test_a_candidate_whose_machine_code_computes_wrong_numbers_is_wrong(original):
    """Its graph is right, and it runs through: an exponential has become a move."""
    moves = with_a_move(original)
    entry = only_entry(original, moves)
    assert entry.verdict == "wrong"
    assert re.search(
        r"its numbers miss the reference by \S+ times what is allowed", entry.reasons[0]
    )
    assert entry.to_dict()["execution"]["baseline"]["strain"] < 1
    assert only_entry(moves, original).verdict == "equivalent"


def test_a_fault_of_the_baseline_does_not_speak_against_the_candidate(original):
    faulty = patched(original, 0, _NOTHING)
    mended = only_entry(faulty, original)
    both = only_entry(faulty, patched(faulty, 0, _NOTHING))
    for entry in (mended, both):
        assert entry.verdict == "equivalent"
        assert any("baseline stops: " in note for note in entry.notes)
    assert any("candidate stops: " in note for note in both.notes)
    assert any("candidate 3.72 us" in note for note in mended.notes)


def test_what_the_emulator_does_not_know_is_no_fault(original):
    unknown = next(
        one
        for one in opcodes("gfx1100")
        if one.encoding.__name__ == "SOPP" and not executes(one, "gfx1100")
    )
    other = patched(original, 0, unknown.raw)
    assert len(obstacles(other)) == 1
    with pytest.raises(DeviceError) as caught:
        execute(other)
    assert not is_fault(caught.value)
    for sides, which in (((original, other), "candidate"), ((other, original), "baseline")):
        entry = only_entry(*sides)
        assert entry.verdict == "equivalent"
        said = f"not executed: the emulator does not know code of the {which}: attention_kernel"
        assert entry.notes[-1].startswith(said)
        assert f"{unknown.name} at 0x" in entry.notes[-1]


def test_a_stop_for_what_is_not_known_says_so(original, smaller, monkeypatch):
    """Forms of instructions are known only as they are executed."""

    def refuse(*_):
        raise DeviceError("a buffer resource that is not raw memory")

    monkeypatch.setattr("irattn.lab.comparison.executions.execute", refuse)
    entry = only_entry(original, smaller)
    assert "not executed: a buffer resource that is not raw memory" in entry.notes
    assert entry.verdict == "equivalent"
