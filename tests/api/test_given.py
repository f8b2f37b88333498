"""What callers of the verbs give that is no spec, path, name or number: refused before any work."""

import numpy as np
import pytest

import irattn
from irattn.core.errors import ArgumentError, IrattnError, SourceError
from support.command import run

NAME = "softmax_tiny"


@pytest.fixture(scope="module")
def artifact():
    return irattn.compile(NAME, target="cpu")


@pytest.mark.parametrize(
    ("verb", "given", "message"),
    [
        # An empty word is none, and no word for the default either.
        (irattn.load, {"target": ""}, "'': not a target of irattn"),
        (irattn.verify, {"target": ""}, "'': not a target of irattn"),
        (irattn.compile, {"name": ""}, "name: expected at most 200 letters"),
        (irattn.compile, {"out": ""}, "out: expected a path, got ''"),
        (irattn.load, {"out": ""}, "out: expected a path, got ''"),
        # Softmax has one formulation: whatever is asked for would be left out in silence.
        (irattn.compile, {"formulation": "x"}, "expected fused or blocked, got 'x'"),
        (irattn.compile, {"formulation": "fused"}, "softmax has only one; leave it out"),
        (irattn.verify, {"formulation": "fused"}, "softmax has only one; leave it out"),
        (irattn.verify, {"seed": "1"}, "seed: expected a whole number from 0, got '1'"),
        (irattn.verify, {"seed": True}, "seed: expected a whole number from 0, got True"),
    ],
)
def test_of_a_spec(verb, given, message):
    with pytest.raises(IrattnError, match=message):
        verb(NAME, **given)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"seed": "x"}, ArgumentError, "seed: expected a whole number from 0, got 'x'"),
        ({"policy": ""}, ArgumentError, "policy: expected a path, got ''"),
        ({"policy": []}, ArgumentError, r"policy: expected a path, got \[\]"),
        ({"baseline_revision": 3}, SourceError, "expected a revision of git, got 3"),
    ],
)
def test_of_a_comparison(artifact, given, error, message):
    """Two equal sides: nothing that runs would find it."""
    folder = artifact.path
    with pytest.raises(error, match=message):
        irattn.compare(folder, folder, **given)


def test_of_bundles_and_benchmarks(tmp_path):
    for nothing in ([], {}):
        with pytest.raises(ArgumentError, match="specs: expected at least one, got none"):
            irattn.bundle(nothing, tmp_path / "b.irattn", target="gfx1100")
        with pytest.raises(ArgumentError, match="specs: expected at least one, got none"):
            irattn.bench(nothing)
    with pytest.raises(IrattnError, match="'': not a target of irattn"):
        irattn.bundle(NAME, tmp_path / "b.irattn", target="gfx1100", cpu="")
    assert list(tmp_path.iterdir()) == []


def test_of_stages():
    with pytest.raises(ArgumentError, match="tensors: expected arrays by name, got NoneType"):
        irattn.run_stages("gqa_causal_tiny", None)


def test_numpys_whole_numbers_are_whole_numbers(artifact):
    (one,) = irattn.verify(artifact, seed=np.int64(3))
    (other,) = irattn.verify(artifact, seed=3)
    assert one.accuracy == other.accuracy
    (certificate,) = irattn.certify(artifact, seed=np.uint8(3), workgroups=np.int32(0))
    assert certificate.to_dict()["predicate"]["settings"]["seed"] == 3


@pytest.mark.parametrize("option", ["--target", "--name", "--store"])
def test_of_the_command_line(option):
    assert f"{option}: expected a value, got ''" in run("run", NAME, option, "", code=2).stderr
