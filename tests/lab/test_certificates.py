"""Certificates: what they claim is proved, proved again, and refuted where it is wrong."""

import hashlib
import json
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest
from click.testing import CliRunner

from irattn.rendering import GraphRequest

pytest.importorskip("tinygrad")

import irattn
from irattn import AttentionSpec, PagedAttentionSpec, targets
from irattn.binary.manifest import MANIFEST, MLIR, VMFB, sha256
from irattn.cli import main
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.compiling.bundles import write_bundle
from irattn.compiling.store import Store
from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError, CertificateError
from irattn.lab.certificates import (
    Certificate,
    Settings,
    certify_artifact,
    check_certificate,
    executed,
    read_certificate,
    static,
)
from irattn.lab.certificates.batch_invariance import batch_invariance
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.certificates.claims import SAYS
from irattn.lab.certificates.executed import Evidence, hidden, numbers
from irattn.lab.certificates.executions import CallOutcome, execution_of
from irattn.lab.certificates.function_bounds import function_of
from irattn.lab.certificates.rounding import Rounded
from irattn.lab.comparison import update_baseline
from irattn.lab.comparison.sources import read_source
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import known_cases
from irattn.reference import reference
from irattn.reference.attention_backward import given_heads
from irattn.rendering import allowed_tiles, render
from irattn.runtime import load_artifact
from support import draws
from support.changed_code import with_a_move
from support.compiled_once import compiled_once
from support.tiny import tiny_artifact, tiny_names

pytestmark = pytest.mark.slow

QUICK = Settings(mutants=2)
SPEC = catalog.get("gqa_causal_tiny")
PAGED = catalog.get("gqa_paged_decode_tiny")
# Compiles and is proved in no time: nothing is executed for this target.
SCALE, OTHER_GPU = catalog.get("scale_scores_tiny"), "gfx1250"


@cache
def artifact(spec=SPEC, target="gfx1100"):
    return build(GraphRequest(spec, targets.get(target)))


@cache
def certificate(spec=SPEC, target="gfx1100"):
    return certify_artifact(artifact(spec, target), QUICK)


def statuses(made: Certificate) -> dict[str, str]:
    return {claim.name: claim.status for claim in made.claims}


def test_all_that_applies_is_proved_of_compiled_code():
    made = certificate()
    assert statuses(made) == dict.fromkeys(SAYS, "proved") | {"batch_invariance": "does not apply"}
    cases = made.claim("numbers").figures["cases"]
    assert len(cases) == 8
    assert all(0 <= case["share_of_bound"] < 1 for case in cases)
    assert made.claim("hidden").figures["late_keys"]["elements_equal"] > 0
    assert made.claim("opcodes").figures["none"] == []


def test_it_is_an_in_toto_statement_of_the_files():
    made = certificate().to_dict()
    assert made["_type"] == "https://in-toto.io/Statement/v1"
    assert list(made) == ["_type", "subject", "predicateType", "predicate"]
    folder = artifact().path
    name = f"gfx1100/{artifact().manifest.name}"
    assert {one["name"]: one["digest"] for one in made["subject"]} == {
        f"{name}/{file}": {"sha256": hashlib.sha256((folder / file).read_bytes()).hexdigest()}
        for file in (VMFB, MLIR, MANIFEST)
    }
    assert made["predicate"]["artifact"]["spec"]["head_dim"] == 32
    assert "\n" not in certificate().markdown
    assert made["predicate"]["summary"] in certificate().markdown


def test_a_text_is_rendered_with_the_tile_that_was_chosen():
    target = targets.get("gfx1100")
    own, *_, other = allowed_tiles(GraphRequest(SPEC, target))
    rendered = replace(artifact(), mlir=render(GraphRequest(SPEC, target, tile=other)))
    assert render(GraphRequest(SPEC, target, tile=own)) != rendered.mlir
    assert static.text(rendered).status == "not proved"
    chosen = replace(rendered, manifest=replace(rendered.manifest, tile=other))
    assert static.text(chosen).status == "proved"


def test_a_sequence_in_a_batch_and_unused_slots():
    made = certificate(PAGED)
    assert set(statuses(made).values()) == {"proved"}
    figures = made.claim("batch_invariance").figures
    assert figures["sequences"] == 2
    assert figures["elements_equal_elsewhere"] > 0
    (poisoned,) = made.claim("hidden").figures.values()
    assert poisoned["poisoned"].keys() == {"key_cache", "value_cache"}


@pytest.mark.parametrize("name", ["dynamic_paged_decode_tiny", "paged_update_decode_tiny"])
def test_code_for_any_batch_gives_a_sequence_alone_what_it_gives_it_in_a_batch(name):
    spec = catalog.get(name).replace(dynamic=("batch",))
    execution = execution_of(irattn.compile(spec, target="cpu"), 0, 0)
    evidence = Evidence(execution, spec, 0)
    assert numbers(evidence).status == "proved"
    claim = batch_invariance(evidence)
    assert claim.status == "proved"
    assert claim.figures["elements_equal_alone"] == claim.figures["elements_equal"] > 0
    plain = execution.run
    execution.run = lambda tensors: more_with(tensors, plain(tensors))
    assert batch_invariance(evidence).why == "alone, sequence 0 has another output 0"


def more_with(tensors, outcome):
    """Outputs that are larger in a small batch."""
    grown = [array * np.float32(1 + (len(tensors["query"]) < 2)) for array in outcome.outputs]
    return CallOutcome(tuple(grown), outcome.written)


def test_a_large_grid_is_cut_and_says_so():
    made = certify_artifact(artifact(), Settings(workgroups=1, mutants=0))
    figures = made.claim("numbers").figures
    ((cut,), elements) = figures["cut"], figures["elements"]
    assert (cut["workgroups"], cut["of"]) == (1, 4)
    assert 0 < elements["compared"] < elements["of"]
    assert f"1 of 4 workgroups of {cut['kernel']}" in made.summary
    assert made.claim("mutants").status == "not proved"


def test_a_cpu_and_a_gpu_that_is_not_emulated_say_what_is_not_proved():
    of_cpu = statuses(certificate(SPEC, "cpu"))
    assert {name for name, status in of_cpu.items() if status == "proved"} == {
        *("files", "text", "numbers", "hidden")
    }
    assert set(of_cpu.values()) == {"proved", "does not apply"}
    unknown = certificate(SCALE, OTHER_GPU)
    assert {claim.name for claim in unknown.with_status("proved")} == {"files", "text"}
    assert len(unknown.with_status("not proved")) == len(SAYS) - 2
    assert "gfx1250 is not emulated" in unknown.claim("numbers").why


def test_it_is_proved_again(tmp_path):
    path = certificate().write(tmp_path)
    again = read_certificate(path)
    assert again.to_json() == certificate().to_json() == path.read_text()
    assert check_certificate(again, artifact()).problems == ()


def test_changed_machine_code_fails_by_its_hash_and_with_a_right_hash_by_its_numbers(tmp_path):
    """An exponential has become a move; all hashes that are stated are right."""
    wrong = with_a_move(artifact())
    ((claim, why), *_) = check_certificate(certificate(), wrong).problems
    assert claim == "files"
    assert "module.vmfb: the certificate is of sha256" in why
    folder = Store(tmp_path).publish(wrong.manifest, wrong.mlir, wrong.vmfb).path
    hashes = {n: hashlib.sha256((folder / n).read_bytes()).hexdigest() for n in (VMFB, MLIR)}
    hashes[MANIFEST] = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    forged = replace(certificate(), subjects=hashes).write(tmp_path)
    result = run("--check", forged, folder, code=1)
    assert "NO LONGER HOLDS\n  numbers: refuted: beyond its bound or the tolerance in n" in (
        result.stdout
    )
    assert "files:" not in result.stdout
    result = run(folder, "--mutants", 0, "--output", tmp_path / "made", code=1)
    assert "refuted: numbers" in result.stdout
    assert not (tmp_path / "made").exists()


class Fake:
    """Code that computes what the reference says, but for what `leak` adds."""

    how, cut, target, lost = "a fake", (), "none", 0.0

    def __init__(self, spec, leak):
        self.spec, self.leak = spec, leak

    def run(self, tensors, **how):
        with np.errstate(all="ignore"):
            exact = reference(self.spec, tensors)
            outputs = [
                self.leak(tensors, array).astype(dtype(tensor.dtype).numpy)
                for array, tensor in zip(exact, self.spec.outputs, strict=True)
            ]
        return CallOutcome(tuple(outputs), tuple(np.ones(array.shape, bool) for array in exact))


def own_number(tensors):
    """0 for every sequence, or NaN where its first query is."""
    return 0.0 * tensors["query"][:, :, :1, :1].astype(float)


LEAKS = {
    "none": lambda tensors, array: array,
    "all slots": lambda tensors, array: array + 0.0 * tensors["key_cache"].astype(float).sum(),
    "first sequence": lambda tensors, array: array + own_number(tensors)[0].sum(),
    # What a sequence's own padding is when its numbers are none is not about batch invariance.
    "its own padding": lambda tensors, array: array + own_number(tensors),
    "its place": lambda tensors, array: array * (1 + 1e-6 * np.arange(2).reshape(2, 1, 1, 1)),
    "a large error": lambda tensors, array: array + 1e-3,
}


@pytest.mark.parametrize(
    ("leak", "refuted"),
    [
        ("none", set()),
        ("all slots", {"hidden", "batch_invariance"}),
        ("first sequence", {"batch_invariance"}),
        ("its own padding", set()),
        ("its place", {"batch_invariance"}),
        ("a large error", {"numbers"}),
    ],
)
def test_what_does_not_hold_is_refuted(leak, refuted):
    spec = PagedAttentionSpec(
        num_q_heads=2, num_kv_heads=1, head_dim=8, batch=2, q_len=4, block_size=4, num_blocks=9,
        max_blocks=4, io_dtype="f32", ragged=True,
    )  # fmt: skip
    evidence = Evidence(Fake(spec, LEAKS[leak]), spec, 0)
    claims = [prove(evidence) for prove in (numbers, hidden, batch_invariance)]
    assert {claim.name for claim in claims if claim.status == "refuted"} == refuted


def test_mutants_run_ten_times_as_long_at_most_and_what_they_are_made_of_not_again(monkeypatch):
    monkeypatch.setattr(executed, "known_cases", lambda *of: islice(known_cases(*of), 2))
    evidence = Evidence(execution_of(artifact(), 1, 0), SPEC, 0)
    numbers(evidence)
    limit = 10 * max(counts.blocks for _, clean in evidence.kept for counts in clean.counts)
    runs, plain = [], evidence.execution.run
    monkeypatch.setattr(
        evidence.execution, "run", lambda *given, **how: (runs.append(how), plain(*given, **how))[1]
    )
    executed.mutants(evidence, 1)
    assert runs
    for how in runs:
        assert how["changed"] != evidence.execution.files
        assert 10 < how["most_blocks"] <= limit


def test_bounds_are_made_of_rows_that_are_compared():
    spec = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=200, kv_len=9, head_dim=8)
    tensors = random_tensors(spec)
    expected = reference(spec, tensors)
    every = np.ones((1, 1, 200, 8), bool)
    some = every & (np.arange(200) == 150)[:, None]
    (whole,) = error_bounds(spec, tensors, expected, [every])
    (part,) = error_bounds(spec, tensors, expected, [some])
    assert np.array_equal(part[some], whole[some])
    assert (part[:, :, :64] < whole[:, :, :64]).all()


@pytest.mark.parametrize(
    ("is_after", "name"),
    [(True, "key_norm_weight"), (False, "key_norm_weight"), (True, "key_norm_bias")],
)
def test_a_parameter_of_a_norm_behind_the_rotation_is_its_columns_alone(is_after, name):
    """Before it, rotation carries what a column is off by to the other of its pair."""
    whole = catalog.get(ENTRIES["decoder_layer"])
    spec = whole.replace(
        qk_norm=True, norms_after_rope=is_after, layer_qk_norm=name == "key_norm_bias"
    )
    tensors = random_tensors(spec)
    size = spec.attention.head_dim
    larger = np.where(np.arange(size) == 0, 2.0**20, 1.0) * tensors[name]
    expected = reference(spec, tensors)
    wanted = [np.ones(array.shape, bool) for array in expected]
    weights = (tensors[name], larger.astype(larger.dtype))
    (_, plain, _), (_, changed, _) = (
        error_bounds(spec, {**tensors, name: weight}, expected, wanted) for weight in weights
    )
    assert (changed[..., 0] > plain[..., 0]).any()
    assert np.array_equal(changed[..., 1:], plain[..., 1:]) == is_after


class Flushing(Fake):
    """Takes small numbers of 16 bits for 0, as gfx90a does."""

    def run(self, tensors, **how):
        kept = {
            name: np.where(np.abs(array) < 2.0**-14, 0, array).astype(array.dtype)
            for name, array in tensors.items()
        }
        return super().run(kept, **how)


@pytest.mark.parametrize(("lost", "status"), [(2.0**-14, "proved"), (0.0, "refuted")])
def test_what_hardware_takes_for_0_is_in_the_bound(lost, status):
    spec = catalog.get("attention_scores_tiny").replace(io_dtype="f16", q_len=4, kv_len=8)
    flushing = Flushing(spec, LEAKS["none"])
    flushing.lost = lost
    claim = numbers(Evidence(flushing, spec, 0))
    shares = {case["case"]: case["share_of_bound"] for case in claim.figures["cases"]}
    assert (shares["subnormals"] <= 1) == (status == "proved")


# The entry of each op with the least to compute.
BY_WORK = sorted(tiny_names("cpu"), key=lambda name: -catalog.get(name).flops)
ENTRIES = {catalog.get(name).op: name for name in BY_WORK}


# A router's choice, and gates between products, have no bound yet.
WITHOUT_BOUND = {
    *("convolution_layer", "delta_layer", "lightning_layer", "mixture_of_experts"),
    *("selective_scan_layer", "state_space_layer"),
}


@pytest.mark.parametrize("op", ENTRIES)
def test_every_op_has_a_bound_and_compiled_code_is_below_it(op):
    spec = catalog.get(ENTRIES[op])
    kernel = load_artifact(tiny_artifact(ENTRIES[op]), "cpu")
    evidence = Evidence(Fake(spec, LEAKS["none"]), spec, 0)
    evidence.execution.run = lambda tensors: CallOutcome(
        *zip(*((out, np.ones(out.shape, bool)) for out in kernel.outputs(**tensors)), strict=True)
    )
    claim = numbers(evidence)
    assert claim.status == "proved", claim.why
    assert ("none is derived" in str(claim.figures["bound"])) == (op in WITHOUT_BOUND)


def test_bounds_of_functions_of_scores_follow_their_slopes():
    asked = 0
    for spec in map(draws.gradient, range(30)):
        if spec.score_mod is None:
            continue
        one = next(given_heads(spec, random_tensors(spec))).head.score_mod
        rng = np.random.default_rng(asked)
        query, key = np.arange(spec.q_len)[:, None], np.arange(spec.kv_len)
        score = rng.standard_normal((spec.q_len, spec.kv_len))
        off = np.full(score.shape, 1e-3)
        bound = function_of(one, Rounded(score, off), query, key)
        moved = one(query=query, key=key, score=score + 1e-3 * np.sign(score))
        # Second order, and now and then a comparison that turns out otherwise.
        is_below = np.abs(moved - bound.value) <= 1.01 * bound.error + 1e-5
        assert is_below.mean() > 0.98, spec
        asked += 1
    assert asked > 5


def edited(made, *path_and_value):
    fields = json.loads(made.to_json())
    *path, last, value = path_and_value
    place = fields
    for name in path:
        place = place[name]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("_type", "https://in-toto.io/Statement/v0.1"), "_type: expected https://in-toto.io/"),
        (("predicateType", "urn:irattn:certificate:v2"), "expected urn:irattn:certificate:v1, got"),
        (("predicate", "claims", None), "predicate.claims: missing"),
        (("predicate", "claims", []), "claims: expected files, text, numbers"),
        (("predicate", "claims", 0, "status", "sure"), "files.status: expected one of proved,"),
        (("predicate", "claims", 0, "says", "all is well"), "files.says: expected 'module.mlir"),
        (("predicate", "claims", 0, "more", 1), "predicate.claims[0].more: not a field"),
        (("predicate", "claims", 8, "status", "proved"), "a figure is missing or no number"),
        (("predicate", "summary", "9 of 9 claims proved"), "summary: says something else"),
        (
            ("predicate", "settings", "seed", -1),
            "settings.seed: expected a whole number of at least 0, got -1",
        ),
        (("predicate", "artifact", "name", "../up"), "expected a plain name and a target"),
        (("subject", []), "subject: expected gfx1250/"),
        (("subject", 0, "digest", {"md5": ""}), "subject[0].digest.sha256: missing"),
        (("subject", 0, "digest", "md5", ""), "subject[0].digest.md5: not a field"),
        (("predicate", "claims", 0, "says", 3), "predicate.claims[0].says: expected text, got 3"),
        (("more", 1), "more: not a field"),
    ],
)
def test_what_is_no_certificate_is_refused(tmp_path, change, said):
    path = tmp_path / "x.certificate.json"
    path.write_text(edited(certificate(SCALE, OTHER_GPU), *change))
    with pytest.raises(CertificateError, match="certify the artifact again") as error:
        read_certificate(path)
    assert said in str(error.value)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b'{"a": 1, "a": 2}'])
def test_what_is_no_json_is_refused(tmp_path, data):
    path = tmp_path / "x.certificate.json"
    path.write_bytes(data)
    with pytest.raises(CertificateError, match=r"x\.certificate\.json: "):
        read_certificate(path)


def with_claim(made, name, **fields):
    claims = [replace(one, **fields) if one.name == name else one for one in made.claims]
    return replace(made, claims=tuple(claims))


def test_figures_and_statuses_that_are_not_so_are_found():
    figures = certificate().claim("mutants").figures
    forged = with_claim(certificate(), "mutants", figures={**figures, "noticed": 200})
    forged = with_claim(forged, "batch_invariance", status="proved")
    problems = dict(check_certificate(forged, artifact()).problems)
    assert problems["mutants"].startswith("noticed: the certificate says 200, found")
    assert problems["batch_invariance"].startswith("stated as 'proved', and found 'does not apply'")


def test_with_other_versions_what_is_proved_is_compared_and_no_figure():
    made = certificate(SCALE, OTHER_GPU)
    forged = with_claim(made, "files", figures={"key": "another"})
    check = check_certificate(forged, artifact(SCALE, OTHER_GPU))
    assert check.problems[0][1].startswith("key: the certificate says 'another', found")
    older = replace(forged, versions={**forged.versions, "irattn": "0.0.1"})
    check = check_certificate(older, artifact(SCALE, OTHER_GPU))
    assert check.holds
    assert "irattn 0.0.1, now" in check.notes[0]


def of_another_text():
    """The certificate as it was when the text beside the module was another."""
    made = with_claim(certificate(), "text", status="not proved", why="another", figures={})
    subjects = {**made.subjects, MLIR: "0" * 64, MANIFEST: "1" * 64}
    return replace(made, subjects=subjects, artifact={**made.artifact, "key": "2" * 64})


def test_a_certificate_is_renewed_for_another_text_of_the_same_module(tmp_path):
    before = of_another_text().write(tmp_path / "before")
    folder, out = artifact().path, tmp_path / "after"
    assert "module.mlir: the certificate is of" in run("--check", before, folder, code=1).stdout
    shown = run("--renew", before, folder, "-o", out)
    assert shown.stdout == certificate().markdown + "\n"
    (after,) = out.glob("gfx1100/*.certificate.json")
    assert after.read_text() == certificate().to_json()
    (listed,) = json.loads(run("--renew", before, folder, "-o", out, "--json").stdout)
    assert listed == {"path": str(before), **certificate().to_dict()}


def test_a_certificate_is_renewed_for_another_module_of_the_same_code(tmp_path):
    now = artifact()
    flags = [flag for flag in now.manifest.flags if "strip-debuginfo" not in flag]
    vmfb = compiled_once(now.mlir, tuple(flags))
    assert vmfb != now.vmfb
    manifest = replace(now.manifest, sha256={**now.manifest.sha256, VMFB: sha256(vmfb)})
    was = Store(tmp_path / "was").publish(manifest, now.mlir, vmfb)
    subjects = {**certificate().subjects, VMFB: sha256(vmfb)}
    before = replace(certificate(), subjects=subjects).write(tmp_path / "before")
    for order in ((was.path, now.path), (now.path, was.path)):
        run("--renew", before, *order, "-o", tmp_path / "after")
        (after,) = (tmp_path / "after").glob("gfx1100/*.certificate.json")
        assert after.read_text() == certificate().to_json()
        after.unlink()
    wrong = with_a_move(now)
    other = Store(tmp_path / "other").publish(wrong.manifest, wrong.mlir, wrong.vmfb)
    said = run("--renew", before, was.path, other.path, "-o", tmp_path / "after", code=1).stderr
    assert "module.vmfb: the certificate says" in said


def test_what_was_executed_is_not_said_of_another_module_or_by_other_versions(tmp_path):
    wrong = with_a_move(artifact())
    folder = Store(tmp_path / "store").publish(wrong.manifest, wrong.mlir, wrong.vmfb).path
    before = of_another_text().write(tmp_path / "before")
    other = replace(certificate(), versions={**certificate().versions, "irattn": "0.0.1"})
    older = other.write(tmp_path / "older")
    for path, beside, what in (
        (before, folder, "module.vmfb"),
        (older, artifact().path, "versions"),
    ):
        said = run("--renew", path, beside, "-o", tmp_path / "after", code=1).stderr
        assert f" for gfx1100: {what}: the certificate says " in said
        assert "certify the artifact without --renew" in said
    assert not (tmp_path / "after").exists()
    assert "executes nothing" in run("--renew", before, "--seed", 1, code=2).stderr
    assert "one writes, one compares" in run("--renew", "--check", before, code=2).stderr


def run(*args, code=0):
    result = CliRunner().invoke(main, ["certify", *map(str, args)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_the_command_writes_checks_and_says_what_is_wrong(tmp_path, monkeypatch):
    folder, out = artifact(SCALE, OTHER_GPU).path, tmp_path / "out"
    shown = run(folder, "--output", out).stdout
    assert shown.startswith("- **scale_scores")
    assert shown.count("\n") == 1
    (path,) = out.glob("gfx1250/*.certificate.json")
    assert "holds" in run("--check", out, folder).stdout
    assert json.loads(run("--check", path, folder, "--json").stdout)[0]["holds"] is True
    assert "hashes compared" in run("--check", "--hashes-only", path).stdout
    (made,) = json.loads(run(folder, "--output", out, "--json").stdout)
    assert made == json.loads(path.read_text())
    bundle = tmp_path / "one.irattn"
    write_bundle(bundle, [artifact(SCALE, OTHER_GPU)])
    assert json.loads(run(bundle, "--output", out, "--json").stdout) == [made]
    assert ": holds" in run("--check", path, bundle).stdout
    (tmp_path / "bad.json").write_text("{}")
    mixed = run("--check", tmp_path / "bad.json", path, folder, code=1)
    assert "bad.json: _type: expected" in mixed.stderr
    # As `verify` does: on stderr, and as type and message.
    as_json = run("--check", tmp_path / "bad.json", path, folder, "--json", code=1)
    assert as_json.stderr == mixed.stderr
    first, _ = json.loads(as_json.stdout)
    assert first["error"]["type"] == "CertificateError"
    assert first["error"]["message"] in mixed.stderr
    assert ": holds" in mixed.stdout
    assert "there is none" in run("--check", folder, code=2).stderr
    assert "goes with --check" in run(folder, "--hashes-only", code=2).stderr
    assert "certificates say themselves" in run("--check", path, "--seed", 1, code=2).stderr
    assert "compile it first: `irattn compile rope_tiny" in run("rope_tiny", code=2).stderr
    assert (
        "none of the 1 artifacts given is it"
        in run("--check", path, artifact().path, code=1).stderr
    )
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path / "empty"))
    assert "no such folder" in run("--check", path, code=1).stderr


def test_from_python(tmp_path):
    folder = artifact(SCALE, OTHER_GPU).path
    (made,) = irattn.certify(str(folder), mutants=0, out=tmp_path)
    (path,) = tmp_path.glob("*/*.json")
    assert irattn.check_certificate(path, folder).holds
    assert irattn.check_certificate(made, artifact(SCALE, OTHER_GPU)).holds
    with pytest.raises(ArgumentError, match="artifacts: expected an artifact or the path"):
        irattn.certify(SPEC)
    with pytest.raises(ArgumentError, match="mutants: expected a whole number from 0, got -1"):
        irattn.certify(folder, mutants=-1)
    both = [artifact(), artifact(SCALE, OTHER_GPU)]
    write_bundle(tmp_path / "two.irattn", both)
    with pytest.raises(ArgumentError, match="artifact: expected one, got 2 in"):
        irattn.check_certificate(made, tmp_path / "two.irattn")
    with pytest.raises(ArgumentError, match="certificate: expected a path"):
        irattn.check_certificate(3, folder)


def test_a_baseline_has_its_certificate_beside_it_until_it_changes(tmp_path):
    made, of = certificate(SCALE, OTHER_GPU), artifact(SCALE, OTHER_GPU)
    (baseline,), _ = update_baseline([of], tmp_path)
    path = made.write(tmp_path)
    assert len(read_source("baseline", tmp_path).subjects) == 1
    assert update_baseline([of], tmp_path) == ([], [])
    gone = path.with_name("gone.certificate.json")
    gone.write_bytes(path.read_bytes())
    assert update_baseline([of], tmp_path) == ([], [gone])
    baseline.write_text(baseline.read_text().replace("wave_size", "wave_sizes"))
    assert update_baseline([of], tmp_path) == ([baseline], [path])
    assert not path.exists()
