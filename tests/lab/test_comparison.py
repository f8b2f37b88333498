"""Comparison of artifacts: every mutation gets the verdict that a reviewer would give it."""

import dataclasses
import json
import re
import subprocess
import time
from functools import partial
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import irattn
from irattn.cli import main
from irattn.core.errors import ArtifactError, DeviceError, PolicyError, SourceError
from irattn.lab.comparison import (
    Comparison,
    Entry,
    to_html,
    to_markdown,
    to_text,
    update_baseline,
)
from irattn.lab.comparison.differences import differences
from irattn.lab.comparison.numerics import CaseErrors, ComparedSide, Measurements, Numerics
from irattn.lab.comparison.policy import DEFAULT, read_policy
from irattn.lab.comparison.subjects import of_artifact, read_baseline
from irattn.lab.comparison.verdicts import judged
from irattn.rendering.attention import tiles_table
from support.comparisons import MODULE, SPEC, mutated, recorded, with_kernel

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The artifact that every mutation is held against."""
    out = tmp_path_factory.mktemp("original")
    return irattn.compile(SPEC, target="gfx1100", name="small", out=out)


def only_entry(*sides, **options):
    (entry,) = irattn.compare(*sides, **options).entries
    return entry


# The policy


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[metrics.dispatches]", "[metrics.dispatchs]", "got 'dispatchs'"),
        ('worse = "less"', 'worse = "fewer"', 'expected "more" or "less", got \'fewer\''),
        (
            "most_growth = 8.0",
            "most_growth = -1",
            "most_growth: expected a number of at least 0, got -1",
        ),
        ("most_growth = 8.0", "most_growth = nan", "most_growth: expected a number of at least 0"),
        ("most_growth = 8.0", "most_growth = inf", "most_growth: expected a number of at most 1e"),
        ("most_growth = 8.0", "more = 8.0\nmost_growth = 8.0", "numerics.more: not a field; there"),
        ("most_growth = 8.0", "", "numerics.most_growth: missing"),
        ('"wrong", "inc', '"bad", "inc', "verdicts.fall_short: expected only wrong, incompatible"),
        ("gains = false", "gains = 0", "gains: expected true or false, got 0"),
        (
            "above = 16384",
            "above = -1",
            "metrics.code_bytes.above: expected a number of at least 0",
        ),
        ("[execution]", "[numerics.more]", "execution: missing"),
        ("[numerics]", "numerics]", "not readable as TOML"),
        ("[numerics]", f"deep = {'[' * 9999}\n[numerics]", "not readable as TOML"),
    ],
)
def test_a_wrong_policy_says_what_is_wrong(tmp_path, old, new, message):
    path = tmp_path / "policy.toml"
    text = DEFAULT.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(PolicyError) as error:
        read_policy(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


# Mutations of an artifact


def test_a_comment_changes_nothing_that_counts(original, tmp_path):
    edits = ("    %lowest = ", "    // Nothing.\n    %least = "), ("%lowest ", "%least ")
    other = mutated(original, tmp_path, *edits)
    found = only_entry(original, other)
    assert found.verdict == "equivalent"
    assert found.reasons == ("the MLIR text changed in comments, names or layout only",)
    assert found.numerics is None


@pytest.fixture(scope="module")
def broken(original, tmp_path_factory):
    """A comparison with a mask the wrong way round."""
    other = mutated(original, tmp_path_factory.mktemp("broken"), ("sle, %ahead", "sge, %ahead"))
    return irattn.compare(original.path, other.path)


def test_a_mask_the_wrong_way_round_is_wrong(broken):
    (found,) = broken.entries
    assert found.verdict == "wrong"
    assert found.reasons[0].startswith("numerics: 8 of 8 cases beyond tolerance; worst: ")
    assert found.numerics.baseline.worst.strain < 1 < found.numerics.candidate.worst.strain
    assert "gfx1100 code on device emulator" in found.notes[0]
    (graph,) = (item for item in found.differences if item.what == "graph")
    assert "+        %ahead_is_seen = arith.cmpi sge, %ahead, %last_seen : i32" in graph.diff


def test_a_wrong_scale_is_wrong(original, tmp_path):
    scale = "%scale = arith.constant 0.2550"
    found = only_entry(
        original, mutated(original, tmp_path, (scale, scale.replace("0.25", "0.26")))
    )
    assert found.verdict == "wrong"


def test_a_worse_tile_is_likely_slower(original, tmp_path, monkeypatch):
    """Four times as many keys a step for half the waves: their registers leave less room."""
    monkeypatch.setitem(tiles_table._CUTS["WMMAR3"], 64, (64, 256, 4, 1))
    worse = mutated(original, tmp_path, (original.mlir, irattn.render(SPEC, target="gfx1100")))
    found = irattn.compare(original, worse, numerics=False)
    assert found.falls_short
    (entry,) = found.entries
    assert entry.verdict == "slower-likely"
    worse = {item.what for item in entry.differences if item.effect == "worse"}
    assert worse & {"waves_per_simd", "vgpr_spills"}
    assert any(item.what == "threads" for item in entry.differences)


def test_one_more_instruction_is_told_and_does_not_count(original, tmp_path):
    mean = "      %mean = arith.select %is_empty, %zero, %quotient"
    product = (
        "      %one = arith.constant 0.99999994 : f32\n"
        "      %product = arith.mulf %quotient, %one : f32\n"
    )
    edit = (mean, product + mean.replace("%quotient", "%product"))
    found = only_entry(original, mutated(original, tmp_path, edit))
    assert found.verdict == "equivalent"
    assert found.reasons[0] == "the graph changed"
    assert any("bytes of code" in reason for reason in found.reasons)
    assert found.numerics.candidate.worst.strain < 1


def test_without_numerics_a_wrong_graph_is_unverified(original, tmp_path):
    other = mutated(original, tmp_path, ("sle, %ahead", "sge, %ahead"))
    found = irattn.compare(original, other, numerics=False)
    assert found.unverified == 1
    assert found.entries[0].notes == ("numerics not verified: not asked for",)
    assert found.summary.endswith("; 1 changed without verified numerics")


def test_lost_accuracy_within_the_tolerance_is_wrong():
    def side(strain):
        return ComparedSide("here", (CaseErrors("normal", 1.0, 1.0, 1.0, 1.0, strain),))

    def verdict(before, after):
        return judged((), Numerics(side(before), side(after)), read_policy())[0]

    assert verdict(0.01, 0.5) == "wrong"
    # Little of the tolerance, little growth, and nothing to hold it against.
    assert verdict(0.001, 0.2) == verdict(0.3, 0.9) == "identical"
    assert judged((), Numerics(None, side(0.9)), read_policy())[0] == "identical"
    assert verdict(2.0, 2.0) == "wrong"


def test_a_graph_that_is_rendered_today_runs_as_the_cpus_own(original):
    found = Measurements(read_policy(), 0).of(None, original)
    assert "the same graph, compiled for this CPU" in found.candidate.ran
    assert found.candidate.worst.strain < 1


def test_an_altered_graph_that_only_has_tiles_runs_without_them(tmp_path):
    """A product's own MLIR, where the emulator would take too long."""
    spec = irattn.OutputProjectionSpec(num_q_heads=8, q_len=64, head_dim=64, hidden_size=2048)
    made = irattn.compile(spec, target="gfx1100", name="product", out=tmp_path / "made")
    more = ("%more = arith.addf %total, %product", "%more = arith.subf %total, %product")
    found = only_entry(made, mutated(made, tmp_path / "other", more))
    assert found.verdict == "wrong"
    assert "its own graph, without gfx1100 tiles" in found.notes[0]


def test_a_graph_runs_once_for_all_targets(original, tmp_path, monkeypatch):
    """Without tiles they are equal, and the reference takes long."""
    measure = Measurements(read_policy(), 0)
    first = measure.of(None, original)
    monkeypatch.setattr("irattn.lab.comparison.numerics.known_cases", None)
    other = irattn.compile(SPEC, target="gfx942", name="small", out=tmp_path)
    assert other.mlir != original.mlir
    assert measure.of(None, other).candidate.cases == first.candidate.cases


def test_what_does_not_run_says_why(original, monkeypatch):
    def refuse(*_):
        raise DeviceError("no memory left")

    monkeypatch.setattr("irattn.lab.comparison.numerics.load_artifact", refuse)
    monkeypatch.setattr("irattn.lab.comparison.numerics.compile_mlir", lambda *_: b"")
    assert Measurements(read_policy(), 0).of(None, original) == Numerics(skipped="no memory left")


def test_what_is_too_large_is_not_run(original):
    policy = dataclasses.replace(read_policy(), most_flops=1e3)
    found = Measurements(policy, 0).of(None, original)
    assert found.candidate is None
    assert "operations a call, the policy's most is 1e+03" in found.skipped


# The two sides


def test_a_side_is_an_artifact_a_folder_or_a_baseline(original, tmp_path):
    root = original.path.parents[1]
    (file,), _ = update_baseline([original], tmp_path)
    assert file == tmp_path / "gfx1100" / "small.json"
    sides = (original, original.path, original.path.parent, root, str(file), tmp_path)
    for baseline in sides:
        for candidate in sides:
            found = irattn.compare(baseline, candidate)
            assert [entry.verdict for entry in found.entries] == ["identical"]
            assert not found.falls_short


def test_a_field_that_a_spec_has_now_had_its_default_before():
    older = {name: value for name, value in SPEC.to_dict().items() if name != "layout"}
    now = recorded(MODULE)
    assert [*differences(recorded(MODULE, spec=older), now, read_policy())] == []
    (changed,) = differences(recorded(MODULE, spec={**older, "layout": "NHD"}), now, read_policy())
    assert (changed.what, changed.effect) == ("layout", "breaking")


def test_nothing_changed_inspects_nothing(original, monkeypatch):
    monkeypatch.setattr("irattn.lab.comparison.subjects.inspect_module", None)
    start = time.perf_counter()
    assert only_entry(original.path, original.path).verdict == "identical"
    assert time.perf_counter() - start < 0.5


def test_a_revision_of_git(original, tmp_path, monkeypatch):
    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True)

    git("init", "-q")
    folder = tmp_path / "below" / "artifacts"
    update_baseline([original], folder)
    git("add", ".")
    git("commit", "-qm", "one")
    (folder / "gfx1100" / "small.json").unlink()
    monkeypatch.chdir(tmp_path / "below")
    assert only_entry("artifacts", original, baseline_revision="HEAD").verdict == "identical"
    assert only_entry(folder, original, baseline_revision="HEAD").verdict == "identical"
    assert only_entry("HEAD:below/artifacts", original).verdict == "identical"
    with pytest.raises(SourceError, match="expected a revision of git, got '--output=x'"):
        irattn.compare("artifacts", original, baseline_revision="--output=x")
    for words in ("nothing:below/artifacts", "HEAD:artifact", "HEAD:./artifact", "HEAD:../../x"):
        with pytest.raises(SourceError, match=r"git (archive|rev-parse)"):
            irattn.compare(words, original)


def test_new_and_missing(original, tmp_path):
    folder = tmp_path / "baseline"
    other = dataclasses.replace(
        original, manifest=dataclasses.replace(original.manifest, name="other")
    )
    update_baseline([other], folder)
    found = irattn.compare(folder, original.path.parents[1])
    assert {entry.name: entry.verdict for entry in found.entries} == {
        "other": "missing", "small": "new",
    }  # fmt: skip
    with pytest.raises(SourceError, match="has no small for gfx1100"):
        irattn.compare(folder, original)
    (tmp_path / "small.irattn").touch()
    for side, given in (("baseline", (3, ".")), ("candidate", (folder, None))):
        with pytest.raises(SourceError, match=f"{side}: expected an artifact, a path or REVISION"):
            irattn.compare(*given)
    with pytest.raises(SourceError, match="got a bundle"):
        irattn.compare(tmp_path / "small.irattn", original)


def test_what_one_side_lacks_is_one_line_in_each_format(original, tmp_path):
    """Its kernels and their figures would be no comparison."""
    folder = tmp_path / "baseline"
    for name in ("gone", "gone_too"):
        manifest = dataclasses.replace(original.manifest, name=name)
        update_baseline([dataclasses.replace(original, manifest=manifest)], folder, are_all=False)
    found = irattn.compare(folder, original.path.parents[1])
    assert to_text(found) == (
        "missing  gfx1100  gone: only in the baseline\n"
        "missing  gfx1100  gone_too: only in the baseline\n"
        "new  gfx1100  small: only in the candidate\n\n"
        "3 artifacts: 2 missing, 1 new\n"
    )
    text = to_markdown(found)
    assert "<details>" not in text
    assert text.count("gone_too") == 1
    page = to_html(found)
    assert "<svg" not in page
    assert page.count("gone_too") == 1
    assert 'href="#' not in page


# Baselines


def test_a_baseline_is_small_and_stable(original, tmp_path):
    written, _ = update_baseline([original], tmp_path)
    text = written[0].read_text()
    assert len(text) < 8000
    assert '"shape": [1, 2, 64, 32]' in text
    assert read_baseline(written[0]).module == of_artifact(original).module
    assert update_baseline([original], tmp_path) == ([], [])
    stale = written[0].with_name("stale.json")
    stale.write_text("{}")
    assert update_baseline([original], tmp_path, are_all=False) == ([], [])
    assert update_baseline([original], tmp_path) == ([], [stale])
    assert not stale.exists()


def test_update_from_the_catalogue(tmp_path):
    args = ("gqa_decode_tiny", "--target", "gfx1100", "-o", tmp_path / "files")
    args += ("--store", tmp_path / "built")
    done = run(*args, command="baseline catalogue").stdout
    file = tmp_path / "files" / "gfx1100" / "gqa_decode_tiny.json"
    assert done == f"wrote {file}\n1 baseline in {tmp_path}/files, 1 changed, 0 removed\n"
    assert run(tmp_path / "files", tmp_path / "built").stdout == "1 artifact: 1 identical\n"


def test_update_writes_what_is_there(original, tmp_path, monkeypatch):
    """And compiles nothing, whatever the catalogue has."""
    monkeypatch.setattr("irattn.compiling.build.compile_mlir", None)
    store, files = original.path.parent.parent, tmp_path / "files"
    args = ("--store", store, "-o", files)
    update = partial(run, *args, command="baseline update")
    count = len(list(store.glob("*/*/manifest.json")))
    assert update().stdout.endswith(f" in {files}, {count} changed, 0 removed\n")
    stale = files / "gfx1100" / "stale.json"
    stale.write_text("{}")
    assert update().stdout.endswith(f" in {files}, 0 changed, 0 removed\n")
    assert update("small").stdout == f"1 baseline in {files}, 0 changed, 0 removed\n"
    assert "nope is not among the artifacts: " in update("nope", code=2).stderr
    missing = "--target: gfx942 is not among the artifacts' targets: gfx1100"
    assert missing in update("--target", "gfx942", code=2).stderr
    assert "goes with all artifacts" in update("small", "--prune", code=2).stderr
    assert update("--prune").stdout.startswith(f"removed {stale}\n")
    assert not stale.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not readable as JSON"),
        ("[]", "expected a JSON object, got a list"),
        ('{"baseline_version": 2}', "expected baseline version 1, got 2"),
        ('{"baseline_version": 1}', "mlir_normalised_sha256: missing"),
    ],
)
def test_a_damaged_baseline_says_so(tmp_path, text, message):
    path = tmp_path / "small.json"
    path.write_text(text)
    with pytest.raises(ArtifactError, match=message):
        irattn.compare(path, path)


@pytest.mark.parametrize(
    "change",
    [{"module": {}}, {"module": None}, {"mlir_normalised_sha256": None}, {"manifest": {"name": 3}}],
)
def test_a_baseline_with_impossible_fields_is_refused(original, tmp_path, change):
    (path,), _ = update_baseline([original], tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ArtifactError, match=re.escape(str(path))):
        irattn.compare(path, path)


# Reports


def run(*args, command="compare", code=0):
    result = CliRunner().invoke(main, [*command.split(), *map(str, args)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_compare_exits_by_the_policy(original, broken, tmp_path):
    sides = (broken.baseline, broken.candidate)
    assert run(original.path, original.path).stdout == "1 artifact: 1 identical\n"
    text = run(*sides, code=1).stdout
    assert text.startswith("wrong  gfx1100  small\n  - numerics: 8 of 8 cases beyond tolerance")
    assert text.endswith("\n1 artifact: 1 wrong\n")
    strict = tmp_path / "strict.toml"
    strict.write_text(DEFAULT.read_text().replace('["wrong"', '["equivalent", "wrong"'))
    page = tmp_path / "report.html"
    args = ("--no-numerics", "--policy", strict, "--format", "html", "-o", page)
    summary = "1 artifact: 1 equivalent; 1 changed without verified numerics"
    assert run(*sides, *args, code=1).stdout == f"{page}: {summary}\n"
    assert summary in page.read_text()


def test_a_users_mistake_exits_2_with_a_reason(original, tmp_path):
    assert "no such place: expected an artifact" in run("no such place", ".", code=2).stderr
    assert "expected artifacts in <target>/<name>/" in run(tmp_path, ".", code=2).stderr
    missing = ("--policy", tmp_path / "none.toml")
    assert "none.toml: not readable as TOML" in run(original.path, ".", *missing, code=2).stderr


def test_json_says_all_and_has_no_infinity(broken):
    found = json.loads(json.dumps(broken.to_dict(), allow_nan=False))
    assert found["falls_short"] is True
    assert found["counts"] == {"wrong": 1}
    (entry,) = found["entries"]
    assert {item["layer"] for item in entry["differences"]} >= {"mlir", "code"}
    case = entry["numerics"]["candidate"]["cases"][0]
    assert case["strain"] > 1
    code = next(item for item in entry["differences"] if item["layer"] == "code")
    assert code["dispatch"] == "attention"
    assert code["where"].startswith("attention_kernel_")


def test_markdown_is_a_comment_on_a_pull_request(original, broken):
    text = to_markdown(broken)
    assert text.startswith("### 1 artifact: 1 wrong\n")
    assert "| **wrong** | gfx1100 | `small` | numerics: 8 of 8 cases beyond tolerance" in text
    assert "```diff\n@@" in text
    assert text.count("<details>") == text.count("</details>") == 1
    same = to_markdown(irattn.compare(original, original))
    assert "small" not in same.partition("meets the policy")[2]


def test_dispatches_have_a_short_name_beside_the_compilers(broken):
    for text in (to_text(broken), to_markdown(broken), to_html(broken)):
        assert "attention: other machine code" in text
        assert re.search(r"attention is (`|<code>)?attention_kernel_\w+", text)


def test_markdown_of_very_many_stays_postable():
    policy = read_policy()
    old, new = recorded(), recorded(with_kernel(vgpr_spills=4))
    found = tuple(differences(old, new, policy))
    verdict, reasons = judged(found, None, policy)
    entries = tuple(
        Entry("gfx1100", f"entry_{i}", verdict, reasons, found, None, old, new) for i in range(400)
    )
    text = to_markdown(Comparison("a", "b", entries, policy))
    assert len(text) < 65_536
    assert text.count("| **slower-likely** |") == 400
    assert re.search(r"The details of \d+ more are in", text)


def test_html_is_one_page_that_stands_alone(broken):
    text = to_html(broken)
    assert not re.search(r"<(?:script|link|img)|src=|url\(|https?:", text)
    svgs = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert svgs
    for svg in svgs:
        ElementTree.fromstring(svg)
    assert any("large_logits" in svg for svg in svgs)


def test_html_escapes_names_and_says_when_nothing_changed():
    entry = Entry("cpu", "a<b>", "missing", ("&",), baseline=recorded())
    page = to_html(Comparison("<x>", "y", (entry,), read_policy()))
    assert "<b>" not in page
    assert "<x>" not in page
    assert "Nothing changed." in to_html(Comparison("x", "y", (), read_policy()))
