"""What was made elsewhere is found in the store's folder; what is compiled in a call is told."""

import logging
import shlex

import numpy as np
import pytest

import irattn
from irattn import targets
from irattn.compiling import catalog, prebuilt
from irattn.compiling.store import Store
from irattn.core.errors import ArtifactError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import kernel_cache
from support.command import run

SPEC = catalog.get("rms_norm_tiny")


@pytest.fixture
def without_compiler(monkeypatch):
    """A machine that cannot compile."""

    def fail(*how, **others):
        raise AssertionError("it compiles")

    monkeypatch.setattr(prebuilt, "installed_version", lambda package: None)
    monkeypatch.setattr(prebuilt, "find_or_compile", fail)


@pytest.fixture
def folder(tmp_path):
    """A store's folder with a bundle that was made with another store."""
    folder = tmp_path / "store"
    folder.mkdir()
    irattn.bundle({"norm": SPEC}, folder / "shipped.irattn", target=["sm_80", "gfx1100"])
    return folder


def test_a_bundle_in_the_store_is_taken_first(folder, monkeypatch):
    monkeypatch.setattr(prebuilt, "find_or_compile", None)
    kernel = irattn.load(SPEC, target="x86-64-v3", out=folder)
    assert kernel.artifact.path == folder / "shipped.irattn" / "x86-64-v3" / "norm"
    tensors = random_tensors(SPEC)
    np.testing.assert_allclose(kernel(**tensors), *reference(SPEC, tensors), rtol=1e-4)
    kernels = irattn.KernelCache("exact", target="x86-64-v3", out=folder)
    assert kernels.is_compiled(SPEC)
    assert kernels.kernel(SPEC).artifact.path == kernel.artifact.path
    assert not kernels.is_compiled(SPEC.replace(rows=5))


@pytest.mark.parametrize(
    ("target", "variant"),
    [("sm_89", "sm_80"), ("gfx1100", "gfx1100"), ("gfx942", None), ("cpu", "x86-64-v3")],
)
def test_without_a_compiler_what_runs_is_taken(folder, without_compiler, target, variant):
    found = prebuilt.prebuilt(SPEC, targets.get(target), folder)
    assert variant == (found and found.target)


def test_with_a_compiler_only_the_target_s_own_is_taken(folder):
    assert prebuilt.prebuilt(SPEC, targets.get("sm_89"), folder) is None
    assert prebuilt.prebuilt(SPEC, targets.get("cpu"), folder) is None
    assert prebuilt.prebuilt(SPEC.replace(rows=5), targets.get("sm_80"), folder) is None


def test_code_for_another_processor_is_not_taken(folder, monkeypatch):
    irattn.bundle({"norm": SPEC}, folder / "own.irattn", target="sm_80", cpu="cpu")
    assert prebuilt.prebuilt(SPEC, targets.get("cpu"), folder).target == "cpu"
    monkeypatch.setattr(prebuilt, "host_cpu_digest", lambda: "another")
    assert prebuilt.prebuilt(SPEC, targets.get("cpu"), folder) is None


def test_a_bundle_that_changes_is_read_again(folder):
    other = SPEC.replace(rows=5)
    assert prebuilt.prebuilt(other, targets.get("sm_80"), folder) is None
    irattn.bundle({"norm": SPEC, "five": other}, folder / "shipped.irattn", target="sm_80")
    assert prebuilt.prebuilt(other, targets.get("sm_80"), folder).spec == other


def test_a_damaged_bundle_is_named(folder):
    path = folder / "shipped.irattn"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ArtifactError, match=r"shipped\.irattn: "):
        irattn.load(SPEC, target="sm_80", out=folder)


def test_a_call_that_compiles_says_what_and_how_to_have_it_before(tmp_path, caplog):
    caplog.set_level(logging.WARNING, logger="irattn.compiling")
    spec = SPEC.replace(rows=7)
    kernels = irattn.KernelCache("exact", target="x86-64-v3", out=tmp_path / "first")
    kernels.kernel(spec)
    kernels.kernel(spec)
    (line,) = caplog.messages
    assert line.startswith("compiling rms_norm for x86-64-v3, which takes seconds")
    command = shlex.split(line.partition("before the first call: ")[2])
    assert command[:2] == ["irattn", "compile"]
    caplog.clear()
    # The command of the line puts it where calls look.
    run(*command[1:], "--store", str(tmp_path / "second"))
    kernels = irattn.KernelCache("exact", target="x86-64-v3", out=tmp_path / "second")
    assert kernels.is_compiled(spec)
    kernels.kernel(spec)
    assert caplog.messages == []


def test_a_spec_that_is_too_long_to_type_is_not_told():
    heads = {"num_q_heads": 1, "num_kv_heads": 1, "head_dim": 16}
    ids = np.zeros(8, np.int32)
    spec = irattn.AttentionSpec(**heads, q_len=8, kv_len=8, mask_mod=irattn.masks.document(ids))
    line = kernel_cache.line_for_wait(spec, targets.get("cpu"))
    assert line == "compiling attention for cpu, which takes seconds and is kept"
    assert len(kernel_cache.line_for_wait(spec.replace(mask_mod=None), targets.get("cpu"))) < 250


def test_what_another_process_made_meanwhile_is_not_told(tmp_path, caplog, monkeypatch):
    spec = SPEC.replace(rows=9)
    find = Store.find

    def found(store, wanted):
        monkeypatch.setattr(Store, "find", find)
        irattn.compile(spec, target="x86-64-v3", out=store.root)

    monkeypatch.setattr(Store, "find", found)
    irattn.KernelCache("exact", target="x86-64-v3", out=tmp_path).kernel(spec)
    assert caplog.messages == []
    assert kernel_cache.logger.name == "irattn.compiling"


def test_a_spec_in_json_is_a_name(tmp_path):
    changed = SPEC.replace(rows=3, eps=1e-3)
    run("compile", SPEC.to_short_json(), "--set", "rows=3", "--set", "eps=1e-3",
        "--target", "x86-64-v3", "--store", str(tmp_path))  # fmt: skip
    assert (tmp_path / "x86-64-v3" / f"rms_norm-{changed.digest}").is_dir()
    assert "spec: expected JSON" in run("compile", "{no json}", code=2).stderr
