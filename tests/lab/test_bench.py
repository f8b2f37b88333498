"""`irattn bench`: order, arithmetic, limits, peers and pictures; no test asserts a time."""

import json
import math
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import count

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
from irattn import AttentionSpec, DeviceArray, LinearSpec, targets
from irattn.cli import main
from irattn.compiling import catalog
from irattn.core.errors import BenchmarkError, DeviceError, UsageError
from irattn.lab.benchmark import running
from irattn.lab.benchmark.limits import Limits, better_of
from irattn.lab.benchmark.machine import widest_vectors
from irattn.lab.benchmark.plan import plan
from irattn.lab.benchmark.plot import write_plot
from irattn.lab.benchmark.problems import NoWayError, problems_of
from irattn.lab.benchmark.process import SideProcess, environment
from irattn.lab.benchmark.results import Measured, Report, Row, geometric_mean
from irattn.lab.benchmark.sides import own
from irattn.lab.benchmark.sides.numpy import attend
from irattn.lab.benchmark.timing import Spread, interleave, take_turn
from irattn.lab.benchmark.work import Work, bench_tensors, work_of
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from support.bench_calls import CALLS, CAUSAL, DENSE, PACKED, PAGED, TOLERANCES

pytestmark = pytest.mark.slow

CPU = targets.get("cpu")


class FakeClock:
    """Moves by what each call takes, and notes who was called."""

    def __init__(self):
        self.now, self.calls = 0.0, []

    def __call__(self):
        return self.now

    def call(self, name, seconds):
        def run():
            self.calls.append(name)
            self.now += seconds

        return run


def side(*milliseconds, way="call", peak=1000):
    return Measured([[ms / 1e3 for ms in turn] for turn in milliseconds], way, {}, peak)


def row(name, own, peer, dtype="f32"):
    spec = DENSE.replace(io_dtype=dtype)
    return Row(name, spec, Work(2_000_000, 1_000), 0.5, own, peer, 0.1)


def report(*rows, against="torch", limits=None):
    machine = {
        "processor": "A processor", "vectors": "AVX2", "threads": 2, "date": "2026-01-02",
        "versions": {"irattn": "0.1.0", "PyTorch": "2.13.0"},
    }  # fmt: skip
    return Report(rows, "cpu", "cpu", against, "whole calls", machine, limits)


LIMITS = Limits({"f32": 2e9, "f16": 2e9}, 1e9)
TWO_ROWS = (
    row("fast_f32_bench", side([1, 1], [1, 1]), side([4, 4], [4, 4])),
    row("slow_f16_bench", side([2, 2], [2, 2]), side([1, 1], [1, 1]), "f16"),
)


def test_sides_take_turns():
    clock = FakeClock()
    calls = {"A": clock.call("A", 0.5), "B": clock.call("B", 1.0)}
    turns = [lambda name=name: take_turn(calls[name], 1.1, clock=clock) for name in calls]
    own, peer = interleave(turns, 2)
    # In each turn one call does not count, and those that fit are counted, at least one.
    assert "".join(clock.calls) == "AAABBAAABB"
    assert own == [[0.5, 0.5]] * 2
    assert peer == [[1.0]] * 2


def test_launches_are_waited_for_once():
    clock, waited = FakeClock(), count()
    found = take_turn(clock.call("launch", 0.25), 1.0, lambda: next(waited), clock)
    # One launch that does not count, waited for; then four with one wait.
    assert (found, len(clock.calls), next(waited)) == ([0.25], 5, 2)


def test_spread_is_the_median_between_the_quartiles():
    assert Spread.of([5.0, 1.0, 2.0, 4.0, 3.0]) == Spread(3.0, 2.0, 4.0, 5)
    assert Spread.of([7.0]) == Spread(7.0, 7.0, 7.0, 1)


def test_a_ratio_above_1_means_that_irattn_is_faster():
    fast = row("fast", side([1, 2], [3]), side([8], [8]))
    assert fast.ratio == 4.0
    # Turn by turn: 8 over 1.5, and 8 over 3.
    assert fast.ratio_quartiles == pytest.approx(np.quantile([8 / 1.5, 8 / 3], (0.25, 0.75)))
    assert row("alone", side([1]), None).ratio is None


def test_a_report_ends_in_geometric_mean_and_worst_row():
    found = report(*TWO_ROWS, Row("broken", DENSE, failure="wrong"), limits=LIMITS)
    assert found.ratios == {"fast_f32_bench": 4.0, "slow_f16_bench": 0.5}
    assert found.geometric_mean == pytest.approx(math.sqrt(2))
    assert found.worst == "slow_f16_bench"
    assert [one.name for one in found.failed] == ["broken"]
    assert report(Row("alone", DENSE), against=None).geometric_mean is None
    assert geometric_mean([2.0, 0.5]) == pytest.approx(1.0)


def test_shares_of_the_machines_limits():
    found = report(*TWO_ROWS, limits=LIMITS)
    # 2 MFLOP in 1 ms of 2 GFLOP/s, 1 kB in 1 ms of 1 GB/s.
    assert found.of_limit(TWO_ROWS[0]) == (pytest.approx(1.0), pytest.approx(1e-3))
    assert report(*TWO_ROWS).of_limit(TWO_ROWS[0]) == (None, None)
    # What is measured is no limit of products of whole numbers.
    blocks = LinearSpec(
        q_len=2, in_columns=32, out_columns=32, weight_format="q8_0", activation_format="int8"
    )  # fmt: skip
    rounded = TWO_ROWS[0].with_(spec=blocks)
    assert found.of_limit(rounded) == (None, pytest.approx(1e-3))
    assert LIMITS.seconds("f32", 4e9, 1e9) == 2.0
    assert LIMITS.seconds("f32", 1e9, 3e9) == 3.0
    higher = better_of(LIMITS, Limits({"f32": 3e9, "f16": 1e9}, 0.5e9))
    assert higher == Limits({"f32": 3e9, "f16": 2e9}, 1e9)
    assert better_of(None, LIMITS) is LIMITS


def test_json_has_all_figures():
    found = report(*TWO_ROWS, Row("bad", DENSE, strain=math.inf, failure="x"), limits=LIMITS)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (told["worst"], told["machine"]["threads"]) == ("slow_f16_bench", 2)
    assert told["limits"] == {"flops_per_second": LIMITS.flops, "read_bytes_per_second": 1e9}
    fast, _, bad = told["rows"]
    assert fast["ratio"] == 4.0
    assert fast["own"]["seconds"] == {"median": 1e-3, "lower": 1e-3, "upper": 1e-3, "calls": 4}
    assert fast["flops_per_second"] == pytest.approx(2e9)
    assert fast["of_flops_limit"] == pytest.approx(1.0)
    assert (fast["own"]["peak_bytes"], fast["compile_seconds"]) == (1000, 0.5)
    assert (bad["strain"], bad["failure"], bad["ratio"]) == (None, "x", None)


def test_work_counts_what_is_visible_and_needed():
    one = 4 * 16 * 6 * 2
    assert work_of(DENSE, bench_tensors(DENSE)).flops == one * 81
    assert work_of(CAUSAL, bench_tensors(CAUSAL)).flops == one * 45
    # query and output of 6 heads, key and value of 2.
    assert work_of(CAUSAL, bench_tensors(CAUSAL)).bytes == 2 * 9 * 16 * (6 + 2) * 2 * 4
    windowed = DENSE.replace(q_len=1, causal=True, window=(2, None))
    assert work_of(windowed, bench_tensors(windowed)).bytes == 2 * 16 * 4 * 2 * (6 + 2 * 3)
    # Six of nine blocks are in use; the table and the lengths count, too.
    cache = 6 * 2 * 4 * 16 * 4
    assert work_of(PAGED, bench_tensors(PAGED)).bytes == 2 * cache + 2 * 2 * 4 * 16 * 4 + 24 + 8


def test_work_counts_the_weights_of_experts_that_are_chosen():
    spec = catalog.get("experts_decode_tiny")
    hidden, experts = 64 * 4, 3 * 64 * 48 * 4
    assert work_of(spec, bench_tensors(spec)).bytes == 2 * hidden + 8 * hidden + 2 * experts


def test_packed_sequences_have_different_lengths():
    tensors = bench_tensors(PACKED)
    assert tensors["cu_seqlens_q"].tolist() == tensors["cu_seqlens_k"].tolist() == [0, 2, 6, 12]
    pairs = sum(n * (n + 1) // 2 for n in (2, 4, 6))
    assert work_of(PACKED, tensors).flops == 4 * 16 * 4 * pairs


@pytest.mark.parametrize("name", CALLS)
def test_problems_of_peers_mean_the_same(name):
    spec = CALLS[name]
    tensors = bench_tensors(spec)
    found = problems_of(spec, tensors)
    output = found.assemble([attend(problem) for problem in found.problems])
    (expected,) = reference(spec, tensors)
    np.testing.assert_allclose(output, expected, atol=TOLERANCES[spec.io_dtype])


def test_a_problem_is_as_simple_as_it_can_be():
    """What libraries have quick ways for is told to them as that, not as a mask."""
    (causal,) = problems_of(CAUSAL, bench_tensors(CAUSAL)).problems
    assert (causal.is_causal, causal.mask) == (True, None)
    for spec in (DENSE, CALLS["decode"], PAGED):
        (problem,) = problems_of(spec, bench_tensors(spec)).problems
        assert (problem.is_causal, problem.mask) == (False, None)
    assert problem.pages is not None


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (DENSE.replace(sinks=True), "its attention has no sinks"),
        (DENSE.replace(logits_soft_cap=2.0), "its attention has no logits_soft_cap"),
        (CAUSAL.replace(kv_len=4), "no zeros for queries that see no key"),
        (catalog.get("rope_tiny"), "it has no rope"),
    ],
)
def test_what_a_peer_cannot_say_has_a_reason(spec, why):
    with pytest.raises(NoWayError, match=why):
        problems_of(spec, bench_tensors(spec))


def test_a_feature_that_no_problem_says_is_no_way():
    """Nothing lists what peers lack: a new field of attention is refused until it is said."""

    @dataclass(frozen=True, kw_only=True)
    class Attention(AttentionSpec):
        logits_clip: float | None = None

    spec = Attention(**{**vars(DENSE), "logits_clip": 2.0})
    with pytest.raises(NoWayError, match="its attention has no logits_clip"):
        problems_of(spec, bench_tensors(spec))


def test_the_environment_is_set_before_a_library_loads():
    variables = environment(3)
    assert variables["OMP_WAIT_POLICY"] == "PASSIVE"
    assert variables["OMP_NUM_THREADS"] == variables["OPENBLAS_NUM_THREADS"] == "3"


def test_a_side_answers_from_a_process_of_its_own():
    with SideProcess("numpy", 1) as process:
        assert process.version() == f"NumPy {np.__version__}"
        (way,) = process.prepare(CAUSAL.to_json())
        (output,) = process.outputs(way)
        np.testing.assert_allclose(output, reference(CAUSAL, bench_tensors(CAUSAL))[0], atol=1e-5)
        turn = process.turn(way, 0.0)
        assert len(turn) == 1
        assert turn[0] > 0
        peak = process.peak(way)
        assert peak is None or peak >= 0
        with pytest.raises(NoWayError, match="it has no rope"):
            process.prepare(catalog.get("rope_tiny").to_json())


def test_a_side_that_dies_says_its_last_words():
    died = pytest.raises(BenchmarkError, match=r"process of nothing died: .*No module named")
    with SideProcess("nothing", 1) as process, died:
        process.version()


@pytest.mark.parametrize("drivers", [(), ("local-task",)], ids=["calls", "launches"])
@pytest.mark.parametrize("name", ["gqa_causal_tiny", "dynamic_causal_tiny"])
def test_a_call_is_waited_for_and_on_a_gpu_many_together(monkeypatch, name, drivers):
    """As on a GPU, on this CPU."""
    artifact = irattn.compile(name, target="cpu")
    call = artifact.spec.calls[-1]
    waits, wait = [], DeviceArray.synchronize
    monkeypatch.setattr(own, "GPU_DRIVERS", drivers)
    monkeypatch.setattr(DeviceArray, "synchronize", lambda array: waits.append(wait(array)))
    side = own.Side(1, "local-task")
    side.load(str(artifact.path))
    (way,) = side.prepare(call.to_json())
    waits.clear()
    turn = side.turn(way, 0.01)
    # Launches are warmed up once, and then waited for together.
    assert (len(turn), len(waits)) == (1, 2) if drivers else len(turn) < len(waits)
    (output,) = side.outputs(way)
    assert (side.peak(way) is None) == bool(drivers)
    np.testing.assert_allclose(output, reference(call, bench_tensors(call))[0], atol=1e-5)


def test_a_state_goes_on_and_is_compared_as_it_began():
    artifact = irattn.compile("gated_delta_rule_decode_tiny", target="cpu")
    side = own.Side(1, "local-task")
    side.load(str(artifact.path))
    (way,) = side.prepare(artifact.spec.to_json())
    expected = reference(artifact.spec, bench_tensors(artifact.spec))
    for _ in range(2):
        for one, exact in zip(side.outputs(way), expected, strict=True):
            np.testing.assert_allclose(one, exact, atol=1e-5)
    again = side.arrays(way, side.ways[way]())
    assert not np.allclose(again[1], expected[1], atol=1e-2)


def test_memory_of_a_call_is_its_own():
    if not sys.platform.startswith("linux"):
        pytest.skip("needs Linux's peak of a process")
    code = (
        "import numpy as np; from irattn.lab.benchmark.memory import peak_bytes;"
        "x = np.ones(1 << 26, np.uint8); print(peak_bytes(lambda: x + x))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0.95 < int(said.stdout) / (1 << 26) < 1.2


@pytest.fixture
def quick(monkeypatch):
    """Short turns, and limits that are not measured."""
    monkeypatch.setattr(running, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(running, "measure_limits", lambda *_: LIMITS)


def invoke(*words):
    return CliRunner().invoke(main, ["bench", *words])


def test_bench_prints_a_table_with_the_ratio_first(quick, tmp_path):
    result = invoke("gqa_causal_tiny", "rope_tiny", "--against", "numpy")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    head = next(line for line in lines if line.startswith("ratio"))
    assert re.split(r"  +", head)[:6] == [
        "ratio", "name", "dtype", "irattn ms", "NumPy ms", "NumPy's way",
    ]  # fmt: skip
    assert re.search(r"^\d+\.\d+ +gqa_causal_tiny +f32 +\S+ \(\S+\)", result.stdout, re.MULTILINE)
    assert "rope_tiny: NumPy is not timed: it has no rope" in lines
    assert re.search(r"^\d+\.\d+ +geometric mean of 1$", result.stdout, re.MULTILINE)
    assert re.search(r"^\d+\.\d+ +worst: gqa_causal_tiny$", result.stdout, re.MULTILINE)
    assert "products of matrices f32 2, f16 2 GFLOP/s, reading 1.0 GB/s" in result.stdout


def test_bench_gives_json_and_a_picture(quick, tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'irattn[plot]'")
    file = tmp_path / "bench.svg"
    result = invoke("dynamic_causal_tiny", "--against", "numpy", "--json", "--plot", str(file))
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    (one,) = told["rows"]
    assert one["name"] == told["worst"] == "dynamic_causal_tiny"
    assert one["ratio"] == one["peer"]["seconds"]["median"] / one["own"]["seconds"]["median"]
    assert one["own"]["seconds"]["calls"] == running.TURNS
    assert one["strain"] <= 2
    assert one["compile_seconds"] > 0
    assert told["machine"]["versions"]["NumPy"] == np.__version__
    assert file.read_text().lstrip().startswith("<?xml")


def test_without_a_peer_it_benches_alone_and_says_so(quick, monkeypatch):
    monkeypatch.setattr("irattn.lab.benchmark.plan.find_spec", lambda name: None)
    result = invoke("gqa_decode_tiny")
    assert result.exit_code == 0, result.output
    assert "PyTorch is not installed: irattn is timed alone" in result.stdout
    assert re.search(r"^gqa_decode_tiny +f32 +\S+ \(\S+\)", result.stdout, re.MULTILINE)
    assert "ratio" not in result.stdout


def test_wrong_numbers_are_never_timed(quick, monkeypatch):
    """Inputs that differ between the sides stand for a kernel that computes something else."""
    monkeypatch.setattr(running.SideProcess, "outputs", lambda self, way: [
        np.full((1, 4, 32, 32), self.side == "own", np.float32)
    ])  # fmt: skip
    result = invoke("gqa_causal_tiny", "--against", "numpy", "--json")
    assert result.exit_code == 1
    (one,) = json.loads(result.stdout)["rows"]
    assert one["own"] is one["peer"] is None
    assert "wrong numbers, not timed: the outputs differ from those of plain" in one["failure"]
    assert "gqa_causal_tiny: wrong numbers" in result.stderr


def test_a_row_that_does_not_compile_does_not_stop_the_others(quick, monkeypatch):
    def refuse(request, *args, **how):
        if request.spec.op == "rope":
            raise irattn.IrattnError("does not compile")
        return build(request, *args, **how)

    build = running.build
    monkeypatch.setattr(running, "build", refuse)
    result = invoke("rope_tiny", "gqa_decode_tiny", "--against", "numpy")
    assert result.exit_code == 1
    assert re.search(r"rope_tiny +f32 +failed", result.stdout)
    assert "geometric mean of 1" in result.stdout
    assert "Error: rope_tiny: does not compile" in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["gqa_casual_tiny"], 2, "did you mean gqa_causal_tiny"),
        (["--target", "gfx9999"], 2, "gfx9999"),
        (["--against", "jax"], 2, "'torch', 'onnxruntime', 'vllm', 'numpy'"),
        (["--device", "emulator"], 2, "'emulator' is not one of"),
        (["tiny_32_f32_bench", "--target", "gfx1100"], 1, "needs its GPU"),
        (["tiny_32_f32_bench", "--device", "hip"], 1, "the target cpu needs device cpu"),
        (["--plot", "x.pdf"], 2, "expected a name that ends in .svg or .png, got x.pdf"),
        (["--plot", "no/such/x.svg"], 2, "no/such is no folder"),
        (["--set", "io_dtype=f8", "tiny_32_f32_bench"], 2, "io_dtype: expected one of"),
    ],
)
def test_mistakes_are_told_before_anything_is_measured(words, code, said):
    result = invoke(*words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr


def test_a_peer_that_is_not_installed(monkeypatch):
    monkeypatch.setattr("irattn.lab.benchmark.plan.find_spec", lambda name: None)
    result = invoke("tiny_32_f32_bench", "--against", "onnxruntime")
    assert result.exit_code == 2
    expected = "onnxruntime is not installed; pip install 'irattn[onnxruntime]'"
    assert expected in result.stderr


def test_plans():
    with pytest.raises(
        UsageError, match="against: expected one of torch, onnxruntime, vllm, numpy"
    ):
        plan(CPU, "auto", "jax")
    with pytest.raises(UsageError, match="device: expected one of auto, cpu"):
        plan(CPU, "emulator", None)
    with pytest.raises(DeviceError, match="device cpu: the target gfx1100 needs device hip"):
        plan(targets.get("gfx1100"), "cpu", "numpy")
    assert plan(CPU, "local-sync", "numpy").threads == 1
    assert plan(CPU, "auto", "numpy").device == "cpu"


def test_python_has_the_same_verb(quick):
    found = irattn.bench({"mine": CAUSAL}, against="numpy")
    assert [one.name for one in found.rows] == ["mine"]
    assert found.rows[0].ratio == pytest.approx(found.geometric_mean)


def test_pictures(tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'irattn[plot]'")
    many = [row(f"{one.name}_{i}", one.own, one.peer, one.dtype)
            for i in range(15) for one in TWO_ROWS]  # fmt: skip
    whole = report(*many, limits=LIMITS)
    for name in ("one.svg", "two.svg", "one.png"):
        write_plot(whole, tmp_path / name)
    text = (tmp_path / "one.svg").read_text()
    assert len(text) < 100_000
    assert "fast_f32_bench_14  29" in text
    assert "read 1 GB/s" in text
    # Points have their rows' numbers, one label for those at one place.
    assert ", ".join(map(str, range(1, 31, 2))) in text
    assert "caches" not in text
    # The same figures are the same file, without a date.
    assert (tmp_path / "two.svg").read_text() == text
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_a_peer_has_no_empty_half(tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'irattn[plot]'")
    alone, beside = tmp_path / "alone.svg", tmp_path / "beside.svg"
    write_plot(report(row("alone", side([1]), None), against=None, limits=LIMITS), alone)
    write_plot(report(TWO_ROWS[0], limits=LIMITS), beside)
    assert "alone  1" in alone.read_text()
    assert width_of(alone) < 0.75 * width_of(beside)


def width_of(picture):
    return float(re.search(r'width="([\d.]+)pt"', picture.read_text())[1])


def test_a_picture_says_why_points_are_above_the_roof(tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'irattn[plot]'")
    quick = row("quick_f32_bench", side([1e-4]), side([1e-4]))
    write_plot(report(TWO_ROWS[0], quick, limits=LIMITS), tmp_path / "one.svg")
    assert "above the slope (2): repeated calls" in (tmp_path / "one.svg").read_text()


def test_a_picture_without_matplotlib(monkeypatch, tmp_path):
    monkeypatch.setattr("irattn.lab.benchmark.plot.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'irattn\[plot\]'"):
        write_plot(report(), tmp_path / "x.svg")


def test_the_widest_vectors_of_a_processor():
    assert widest_vectors(frozenset({"avx2", "avx512f", "avx512_bf16"})) == "AVX-512 with bf16"
    assert widest_vectors(frozenset({"avx2"})) == "AVX2"
    assert widest_vectors(frozenset({"asimd", "bf16"})) == "NEON with bf16"
    assert widest_vectors(frozenset()) == ""


def test_the_suite_is_taken_only_where_it_is_asked_for():
    suite = catalog.names([catalog.BENCH])
    assert len(suite) == 39
    assert not set(suite) & set(catalog.names())
    listed = json.loads(CliRunner().invoke(main, ["list", "--size", "bench", "--json"]).stdout)
    assert [entry["name"] for entry in listed] == suite
    for length in (512, 1024, 2048, 4096):
        for io_dtype in ("f32", "f16", "bf16"):
            spec = catalog.get(f"causal_{length}_{io_dtype}_bench")
            assert (spec.q_len, spec.kv_len, spec.causal) == (length, length, True)
            assert (spec.num_q_heads, spec.num_kv_heads, spec.head_dim) == (32, 8, 128)
            assert spec.io_dtype == io_dtype


@pytest.mark.parametrize("name", catalog.names([catalog.BENCH]))
def test_the_suite_renders(name):
    assert "func.func" in render(GraphRequest(catalog.get(name), CPU))
