"""`irattn.verify` takes what `irattn.load` takes, and says what the command says."""

import json

import pytest
from click.testing import CliRunner

import irattn
from irattn.cli import main
from irattn.core.errors import ArgumentError, ArtifactError, IrattnError, UsageError

NAMES = ("causal_mask_tiny", "scale_scores_tiny")


@pytest.fixture(scope="module")
def artifacts():
    return [irattn.compile(name, target="cpu") for name in NAMES]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    file = tmp_path_factory.mktemp("bundle") / "two.irattn"
    irattn.bundle(NAMES, file, target="cpu", cpu=None)
    return file


def names_of(verdicts):
    assert all(verdict.passed for verdict in verdicts)
    return [verdict.name for verdict in verdicts]


@pytest.mark.parametrize(
    "given", [lambda one: one, lambda one: one.path, lambda one: str(one.path)]
)
def test_an_artifact_is_verified_as_it_is(artifacts, given, monkeypatch):
    monkeypatch.setattr("irattn.compiling.build.compile_mlir", None)
    (verdict,) = irattn.verify(given(artifacts[0]))
    assert (verdict.name, verdict.passed) == (NAMES[0], True)
    assert verdict.ran == "cpu code on device local-sync"
    assert irattn.verify(given(artifacts[0]), target="cpu") == [verdict]


def test_a_bundle_is_verified_whole_or_by_entry(bundle):
    assert names_of(irattn.verify(bundle)) == list(NAMES)
    assert names_of(irattn.verify(str(bundle), name=NAMES[1])) == [NAMES[1]]
    with pytest.raises(ArgumentError, match=r"^name: expected one of .*, got other$"):
        irattn.verify(bundle, name="other")
    with pytest.raises(ArgumentError, match=r"^target: expected one of cpu, got gfx1100$"):
        irattn.verify(bundle, target="gfx1100")


def test_several_of_all_kinds_in_order(artifacts, bundle):
    spec = artifacts[0].spec
    given = [artifacts[1], NAMES[0], bundle, spec, spec]
    digest = f"{spec.op}-{spec.digest}"
    expected = [NAMES[1], NAMES[0], *NAMES, digest, digest]
    assert names_of(irattn.verify(one for one in given)) == expected
    assert names_of(irattn.verify({"mine": spec})) == ["mine"]


def test_the_command_says_the_same(artifacts, bundle):
    for paths in ([str(bundle)], [str(one.path) for one in artifacts]):
        said = CliRunner().invoke(main, ["verify", *paths, "--json"])
        assert json.loads(said.stdout) == [one.to_dict() for one in irattn.verify(paths)]


@pytest.mark.slow
def test_stages_say_which_of_them_is_wrong():
    (verdict,) = irattn.verify("mha_full_tiny", stages=True)
    assert verdict.passed
    assert [row.stage for row in verdict.rows][-1] == "attention"
    said = CliRunner().invoke(main, ["verify", "mha_full_tiny", "--stages", "--json"])
    assert json.loads(said.stdout) == [verdict.to_dict()]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"name": "a"}, ArgumentError, "name: expected none, as this is no bundle, got a"),
        ({"target": "gfx1100"}, ArgumentError, "target: expected cpu, which the artifact is "),
        ({"formulation": "fused"}, ArgumentError, "formulation: expected none, as artifacts and"),
        ({"dialect": "torch"}, ArgumentError, "dialect: expected none, as artifacts and bundles"),
        ({"stages": True}, ArgumentError, "stages: expected none, as artifacts and bundles are"),
        ({"out": "here"}, ArgumentError, "out: expected none, as artifacts and bundles are"),
        ({"device": "hip"}, IrattnError, "device hip: cannot run causal_mask_tiny"),
    ],
)
def test_what_does_not_go_with_an_artifact_is_refused(artifacts, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        irattn.verify(artifacts[0], **options)


def test_all_is_checked_before_anything_runs(artifacts, tmp_path, monkeypatch):
    monkeypatch.setattr("irattn.lab.verification.artifacts.known_cases", None)
    with pytest.raises(ArtifactError, match="no such folder"):
        irattn.verify([artifacts[0], tmp_path / "none"])
    with pytest.raises(UsageError, match="expected contiguous attention to take apart"):
        irattn.verify(["mha_full_tiny", NAMES[0]], stages=True)
