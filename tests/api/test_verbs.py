"""The public verbs refuse what is of another type than they take, by the argument's name."""

import pytest

import irattn
from irattn.core.errors import IrattnError

SPEC = irattn.AttentionSpec(batch=1, num_q_heads=1, num_kv_heads=1, q_len=4, kv_len=4, head_dim=8)
NAME = "causal_mask_tiny"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda path: irattn.render(SPEC, target=5), "target: expected a name"),
        (lambda path: irattn.compile(SPEC, target=5), "target: expected a name"),
        (lambda path: irattn.compile(SPEC, name=5), "name: expected at most 200"),
        (lambda path: irattn.compile(SPEC, out=5), "out: expected a path"),
        (lambda path: irattn.compile(5), "spec: expected a spec or a catalogue name"),
        (lambda path: irattn.bundle([SPEC], path, target="cpu"), "specs: .*got AttentionSpec"),
        (lambda path: irattn.bundle(SPEC, path, target="cpu"), "specs: .*got AttentionSpec"),
        (lambda path: irattn.bundle(5, path, target="cpu"), "specs: .*got int"),
        (lambda path: irattn.bundle({"mine": 5}, path, target="cpu"), "spec: .*got int"),
        (lambda path: irattn.bundle([NAME], path, target=5), "target: expected a name"),
        (lambda path: irattn.bundle([NAME], 5, target="cpu"), "file: expected a path"),
        (lambda path: irattn.bench(5), "specs: .*got int"),
        (lambda path: irattn.compile(SPEC, tuning=5), "tuning: expected a path"),
        (lambda path: irattn.tune(5, path, target="gfx1100"), "specs: .*got int"),
        (lambda path: irattn.tune(NAME, 5, target="gfx1100"), "file: expected a path"),
        (lambda path: irattn.tune(NAME, path, target=5), "target: expected a name"),
        (lambda path: irattn.tune(NAME, path, target="gfx1100", budget=0), "budget: expected how"),
        (lambda path: irattn.tune(NAME, path, target="gfx1100"), "causal_mask in linalg has none"),
        (lambda path: irattn.compare(5, path), "expected an artifact, a path"),
        (lambda path: irattn.compare(path, path, policy=5), "policy: expected a path"),
        (lambda path: irattn.verify(NAME, seed="x"), "seed: expected a whole number"),
        (lambda path: irattn.verify(NAME, seed=-1), "seed: expected a whole number"),
    ],
)
def test_another_type_is_refused_by_name(call, message, tmp_path):
    with pytest.raises(IrattnError, match=message):
        call(tmp_path / "one.irattn")
    assert not any(tmp_path.iterdir())


def test_a_bundle_takes_one_name_as_bench_does(tmp_path):
    made = irattn.bundle(NAME, tmp_path / "one.irattn", target="cpu", cpu=None)
    assert list(made.entries) == [NAME]
