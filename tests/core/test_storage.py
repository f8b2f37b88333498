"""Disks that are full or read-only, and folders that are none: one line, and no half of a file."""

import errno
import os
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import irattn
import irattn.compiling.build
from irattn import AttentionSpec
from irattn.compiling.artifact import read_artifact
from irattn.compiling.compiler import DiagnosticsError
from irattn.core.errors import ArtifactError, CompileError, StorageError
from irattn.core.folders import new_file
from irattn.lab.iree_versions import toolchains
from support.command import run

pytestmark = pytest.mark.slow

resource = pytest.importorskip("resource", reason="limits the size of files")

SPEC = AttentionSpec(num_q_heads=2, num_kv_heads=1, q_len=8, kv_len=8, head_dim=16, io_dtype="f32")

# What the system says of a file that outgrows its limit.
TOO_LARGE = os.strerror(errno.EFBIG)


@contextmanager
def no_room(most=200):
    """Files of at most so many bytes, as on a disk that is full.

    Python must not keep what it compiles of imports then: Python 3.11 does not see that the half of
    it is missing, and no later process could import it.
    """
    before, keeps_none = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = keeps_none


@pytest.fixture
def read_only(monkeypatch):
    """A disk on which no folder can be made."""

    def refuse(*args, **kwargs):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "/some/.staging-0")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)


@pytest.fixture(scope="module")
def artifact():
    return irattn.compile("gqa_causal_tiny", target="gfx1100")


def compile_into(out, **how):
    return irattn.compile(SPEC, target="cpu", name="small", out=out, **how)


def failure(*args):
    """The only line that a command says, which fails."""
    said = run(*args, code=1).stderr.splitlines()
    errors = [line for line in said if line.startswith("Error: ")]
    assert len(errors) == 1, said
    return errors[0].removeprefix("Error: ")


def files_in(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_full_store_names_artifact_and_folder(tmp_path, monkeypatch):
    vmfb = compile_into(tmp_path / "elsewhere").vmfb
    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", lambda text, flags: vmfb)
    store = tmp_path / "store"
    with no_room(), pytest.raises(StorageError) as caught:
        compile_into(store)
    assert str(caught.value) == f"small for cpu: not written to {store}: {TOO_LARGE}"
    assert list(store.iterdir()) == []


def test_an_artifact_that_cannot_be_replaced_stays(tmp_path, monkeypatch):
    first = compile_into(tmp_path)
    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", lambda text, flags: first.vmfb)
    with no_room(), pytest.raises(StorageError):
        irattn.compile(SPEC.replace(q_len=9), target="cpu", name="small", out=tmp_path)
    assert read_artifact(first.path) == first
    assert not list(tmp_path.glob(".staging*"))


@pytest.fixture
def no_compiler(monkeypatch):
    monkeypatch.setattr(
        irattn.compiling.build, "compile_mlir", lambda text, flags: pytest.fail("compiled")
    )


def test_a_read_only_store_is_told_before_anything_is_compiled(tmp_path, read_only, no_compiler):
    args = ("compile", "--target", "gfx1100", "--target", "cpu", "gqa_causal_tiny")
    said = run(*args, "--store", tmp_path, code=1).stderr.splitlines()
    named = [(target, f"gqa_causal_tiny for {target}") for target in ("gfx1100", "cpu")]
    again = "again: irattn compile gqa_causal_tiny --target"
    assert said == [
        *(
            f"Error: {entry}: not written to {tmp_path}: Read-only file system"
            for _, entry in named
        ),
        *(f"{again} {target} --store {tmp_path}" for target, _ in named),
    ]


def test_a_store_that_nobody_named_says_how_to_name_another(tmp_path, monkeypatch, read_only):
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))
    with pytest.raises(StorageError, match=r": Read-only .*; IRATTN_CACHE names another folder$"):
        irattn.load(SPEC, target="cpu")


def test_what_is_in_a_read_only_store_is_found(tmp_path, monkeypatch, request):
    made = compile_into(tmp_path)
    request.getfixturevalue("read_only")
    assert compile_into(tmp_path) == made


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("file", "{tmp}/file is no folder"),
        ("file/below", "{tmp}/file/below is no folder"),
        ("n" * 300, "File name too long"),
    ],
    ids=["file", "below a file", "long name"],
)
def test_a_store_that_is_no_folder_is_told(tmp_path, no_compiler, place, reason):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StorageError) as caught:
        compile_into(tmp_path / place)
    where = f"small for cpu: not written to {tmp_path / place}: "
    assert str(caught.value) == where + reason.format(tmp=tmp_path)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_place_out_of_reach_is_no_artifact(tmp_path, monkeypatch):
    with pytest.raises(ArtifactError, match="not readable: File name too long"):
        irattn.load(tmp_path / ("n" * 300))
    assert "not in the catalogue" in run("run", "n" * 300, code=2).stderr

    def forbidden(path, **how):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(Path, "stat", forbidden)
    with pytest.raises(ArtifactError, match="not readable: Permission denied"):
        irattn.load(tmp_path)


def test_a_failure_that_cannot_be_kept_is_still_told(tmp_path, monkeypatch):
    def refuse(text, flags):
        raise DiagnosticsError(1000 * "error: no", "no", None)

    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", refuse)
    with no_room(), pytest.raises(CompileError) as caught:
        compile_into(tmp_path)
    message = str(caught.value)
    assert message.startswith("small does not compile for cpu: no\n")
    assert (
        f"not kept: module.mlir, command.txt, diagnostics.txt: not written to {tmp_path}" in message
    )
    assert files_in(tmp_path) == []


def test_full_disks_leave_what_was_there(tmp_path, artifact):
    folder = artifact.path
    commands = {
        "b.irattn": ("bundle", "gqa_causal_tiny", "--target", "gfx1100", "-o"),
        "c.html": ("compare", folder, folder, "--format", "html", "-o"),
        "o.npy": ("run", "gqa_causal_tiny", "--output"),
        "o.npz": ("run", "gqa_causal_tiny", "--output"),
    }
    for name, words in commands.items():
        place = tmp_path / name
        run(*words, place)
        before = place.read_bytes()
        with no_room():
            assert failure(*words, place).startswith(f"{name}: not written to {tmp_path}: ")
        assert place.read_bytes() == before
    assert files_in(tmp_path) == sorted(commands)


def test_folders_on_full_disks_do_not_appear(tmp_path, artifact):
    what = "gqa_causal_tiny for gfx1100"
    with no_room():
        said = failure("export", artifact.path, "-o", tmp_path / "x")
    assert said == f"{what}: not written to {tmp_path / 'x'}: {TOO_LARGE}"
    with no_room():
        said = failure("repro", "gqa_causal_tiny", "--target", "gfx1100", "-o", tmp_path / "r")
    assert said == f"{what}: not written to {tmp_path / 'r'}: {TOO_LARGE}"
    with no_room():
        said = failure(
            *("baseline", "update", "--store", artifact.path, "-o", tmp_path / "b"),
        )
    assert said == f"gqa_causal_tiny.json: not written to {tmp_path / 'b/gfx1100'}: {TOO_LARGE}"
    assert files_in(tmp_path) == []


def test_short_writes_of_numpy_are_explained(tmp_path):
    with (
        no_room(),
        pytest.raises(StorageError, match=r"o\.npy: not written to .*: the disk may be full: "),
        new_file(tmp_path / "o.npy") as file,
    ):
        np.save(file, np.zeros(10_000))
    assert files_in(tmp_path) == []


def test_folders_made_for_a_file_that_is_not_written_vanish(tmp_path):
    (tmp_path / "there").mkdir()
    for place in ("there/gfx1100/one.json", "new/gfx1100/one.json"):
        with (
            no_room(),
            pytest.raises(StorageError),
            new_file(tmp_path / place, makes_folder=True) as file,
        ):
            file.write(bytes(10_000))
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]


def test_a_new_file_takes_the_place_behind_a_link_and_no_device(tmp_path):
    link, place = tmp_path / "link", tmp_path / "folder" / "file"
    place.parent.mkdir()
    link.symlink_to(place)
    with new_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert place.read_bytes() == b"new"
    with new_file(Path(os.devnull)) as file:
        file.write(b"gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_version_of_iree_that_cannot_be_kept(tmp_path, monkeypatch, read_only):
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))
    with pytest.raises(StorageError, match=r"IREE 3\.0\.0: not written to .*: Read-only file"):
        toolchains.toolchain("3.0.0")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [["targets"], ["targets", "--json"]])
def test_standard_output_that_is_full(words):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "irattn", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "Error: standard output: No space left on device\n"
