"""The store: reproducible, atomic, shared between processes, quick when it has the answer."""

import dataclasses
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import irattn
import irattn.compiling.build
from irattn import AttentionSpec
from irattn.compiling import catalog
from irattn.compiling.artifact import read_artifact
from irattn.compiling.build import build
from irattn.compiling.store import Store, default_root
from irattn.core.errors import ArgumentError, ArtifactError, CompileError, StorageError
from irattn.rendering import GraphRequest, allowed_tiles, request_digest, template_root
from irattn.rendering.digest import _renderer as renderer
from irattn.targets import get as get_target

pytestmark = pytest.mark.slow

SPEC = AttentionSpec(num_q_heads=2, num_kv_heads=1, q_len=8, kv_len=8, head_dim=16, io_dtype="f32")

BUILD = """
import sys, irattn
out, target, name = sys.argv[1:]
irattn.compile(name, target=target, name="small", out=out)
"""
# What compiles quickly, where another graph would show the same.
QUICK = "rms_norm_tiny"

# The same in a process of its own, whenever a line comes in; after another one, how that ended.
BUILDS = f"""
import os, sys
import irattn.api.kernels

for line in sys.stdin:
    child = os.fork()
    if not child:
        exec({BUILD!r})
        os._exit(0)
    print(child, flush=True)
    sys.stdin.readline()
    print(os.waitpid(child, 0)[1], flush=True)
"""


def build_elsewhere(out, target, name):
    return subprocess.Popen([sys.executable, "-c", BUILD, str(out), target, name], cwd=out)


@pytest.mark.parametrize("target", ["gfx1100", "x86-64-v3"])
def test_two_processes_in_two_folders_make_identical_bytes(tmp_path, target):
    outs = [tmp_path / "one", tmp_path / "two"]
    for out in outs:
        out.mkdir()
    children = [build_elsewhere(out, target, "mha_full_tiny") for out in outs]
    assert [child.wait() for child in children] == [0, 0]
    for file in ("module.mlir", "module.vmfb", "manifest.json"):
        first, second = ((out / target / "small" / file).read_bytes() for out in outs)
        assert first == second


def test_two_processes_in_one_folder(tmp_path):
    children = [build_elsewhere(tmp_path, "cpu", QUICK) for _ in range(3)]
    assert [child.wait() for child in children] == [0, 0, 0]
    assert read_artifact(tmp_path / "cpu" / "small").spec == catalog.get(QUICK)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", ".texts", "cpu"]


def test_a_hit_starts_no_compiler(tmp_path, monkeypatch):
    first = irattn.compile(SPEC, target="cpu", out=tmp_path)

    def no_compiler(text, flags):
        raise AssertionError("the compiler was started")

    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", no_compiler)
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == first
    with pytest.raises(AssertionError):
        irattn.compile(SPEC.replace(q_len=9), target="cpu", out=tmp_path)


def test_a_hit_renders_nothing(tmp_path, monkeypatch):
    first = irattn.compile(SPEC, target="cpu", out=tmp_path)
    render = irattn.compiling.build.render
    monkeypatch.setattr(irattn.compiling.build, "render", None)
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == first
    # Nor does another request, which it must not be taken for.
    for other in ({"target": "x86-64-v3"}, {"formulation": "fused"}, {"target": "gfx1100"}):
        with pytest.raises(TypeError):
            irattn.compile(SPEC, out=tmp_path, **{"target": "cpu", **other})
    # What irattn renders is another text when its templates, or what is around them, change.
    rendered = []
    monkeypatch.setattr(
        irattn.compiling.build, "render", lambda request: rendered.append(1) or render(request)
    )
    monkeypatch.setattr("irattn.rendering.digest._renderer", lambda: "another")
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == first
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == first
    assert len(rendered) == 1


@pytest.mark.parametrize("kept", [b"", b"\xff" * 64, b"0" * 64, b"not a hash"])
def test_what_is_wrong_with_a_kept_hash_costs_a_rendering(tmp_path, kept):
    first = irattn.compile(SPEC, target="cpu", out=tmp_path)
    (place,) = (tmp_path / ".texts").iterdir()
    right = place.read_bytes()
    place.write_bytes(kept)
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == first
    assert place.read_bytes() == right


def test_where_nothing_can_be_kept_what_is_there_is_found(tmp_path, monkeypatch):
    first = irattn.compile(SPEC, target="cpu", out=tmp_path)
    shutil.rmtree(tmp_path / ".texts")
    (tmp_path / ".texts").write_text("in the way")
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == first


def test_the_digest_of_a_request_counts_all_that_renders(tmp_path, monkeypatch):
    request = GraphRequest(SPEC, get_target("gfx1100"))
    before = request_digest(request)
    root = shutil.copytree(template_root(), tmp_path / "templates")
    monkeypatch.setattr("irattn.rendering.digest.template_root", lambda: root)
    renderer.cache_clear()
    try:
        assert request_digest(request) == before
        (root / "linalg" / "rms_norm.mlir.j2").write_text("another")
        renderer.cache_clear()
        assert request_digest(request) != before
    finally:
        renderer.cache_clear()
    others = [
        dataclasses.replace(request, tile=allowed_tiles(request)[1]),
        dataclasses.replace(request, formulation="blocked"),
        dataclasses.replace(request, target=get_target("gfx1201")),
        dataclasses.replace(request, spec=SPEC.replace(causal=True)),
        GraphRequest(SPEC, request.target, dialect="torch"),
    ]
    assert len({before, *map(request_digest, others)}) == 1 + len(others)


@pytest.mark.parametrize("file", ["module.mlir", "module.vmfb", "manifest.json"])
@pytest.mark.parametrize("damage", ["truncate", "flip", "remove"])
def test_a_damaged_artifact_is_refused_and_made_again(tmp_path, file, damage):
    made = irattn.compile(SPEC, target="cpu", out=tmp_path)
    path = made.path / file
    data = path.read_bytes()
    if damage == "remove":
        path.unlink()
    else:
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        path.write_bytes(data[:middle] if damage == "truncate" else flipped)
    if file != "manifest.json":
        with pytest.raises(ArtifactError):
            read_artifact(made.path)
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == made
    assert path.read_bytes() == data


def test_a_changed_spec_under_the_same_name_replaces_it(tmp_path):
    irattn.compile(SPEC, target="cpu", name="small", out=tmp_path)
    other = SPEC.replace(kv_len=12)
    assert irattn.compile(other, target="cpu", name="small", out=tmp_path).spec == other
    assert read_artifact(tmp_path / "cpu" / "small").spec == other


def test_what_cannot_be_replaced_stays(tmp_path, monkeypatch):
    """The old artifact is moved away first: it comes back if the new one cannot be moved in."""
    kept = irattn.compile(SPEC, target="cpu", name="small", out=tmp_path)
    rename = Path.rename

    def no_new(path, target):
        if path.name == "new":
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", no_new)
    with pytest.raises(StorageError):
        irattn.compile(SPEC.replace(kv_len=12), target="cpu", name="small", out=tmp_path)
    assert read_artifact(kept.path) == kept


def test_killed_at_any_moment_nothing_half_written_is_read(tmp_path):
    """Kill builds after random delays: what lies under the name is whole, or is not there."""
    rng = random.Random(0)
    folder = tmp_path / "cpu" / "small"
    survived = 0
    command = [sys.executable, "-c", BUILDS, str(tmp_path), "cpu", QUICK]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, bufsize=1, **pipes) as builds:

        def go_on():
            builds.stdin.write("\n")
            return int(builds.stdout.readline())

        for _ in range(12):
            child = go_on()
            time.sleep(rng.uniform(0, 0.8))
            os.kill(child, signal.SIGKILL)
            assert go_on() in (0, signal.SIGKILL)
            if folder.exists():
                survived += 1
                assert read_artifact(folder).spec == catalog.get(QUICK)
                folder.rename(tmp_path / f"done-{survived}")
        go_on()
        assert go_on() == 0
    assert read_artifact(folder).spec == catalog.get(QUICK)


def test_a_failed_compilation_is_explained(tmp_path, monkeypatch):
    render = irattn.compiling.build.render

    def broken(request):
        return render(request).replace("arith.divf %weighted", "arith.divi %weighted")

    monkeypatch.setattr(irattn.compiling.build, "render", broken)
    with pytest.raises(CompileError) as caught:
        irattn.compile(SPEC, target="gfx1100", name="broken", out=tmp_path)
    message = str(caught.value)
    assert message.startswith("broken does not compile for gfx1100: ")
    assert "arith.divi" in message
    assert '"kv_len": 8' in message
    assert "template: attention/gpu_tiles.mlir.j2:" in message
    kept = next((tmp_path / ".failed").iterdir())
    assert str(kept) in message
    assert "arith.divi" in (kept / "module.mlir").read_text()
    assert "--iree-rocm-target=gfx1100" in (kept / "command.txt").read_text()
    assert "error:" in (kept / "diagnostics.txt").read_text()
    # The kept command reproduces it in a shell, in that folder.
    command = (kept / "command.txt").read_text()
    again = subprocess.run(
        f"PATH={os.path.dirname(sys.executable)}:$PATH; {command}",
        shell=True, cwd=kept, capture_output=True, text=True,
    )  # fmt: skip
    assert again.returncode != 0
    assert "arith.divi" in again.stderr


def test_the_manifest_says_what_was_compiled(tmp_path):
    manifest = irattn.compile(SPEC, target="gfx1100", name="small", out=tmp_path).manifest
    fields = dataclasses.asdict(manifest)
    assert fields["format_version"] == 2
    assert fields["spec"] == SPEC.to_dict()
    assert (fields["target"], fields["formulation"], fields["dialect"]) == (
        "gfx1100",
        "fused",
        "linalg",
    )
    assert fields["entry_points"] == ["attention"]
    assert [tensor["name"] for tensor in fields["inputs"]] == ["query", "key", "value"]
    assert fields["outputs"] == [{"name": "output", "shape": [1, 2, 8, 16], "dtype": "f32"}]
    assert fields["flags"] == list(irattn.targets.get("gfx1100").flags)
    assert str(tmp_path) not in manifest.to_json()


def test_variants_of_one_name_do_not_replace_each_other(tmp_path):
    made = [
        irattn.compile(SPEC, target="cpu", name="small", out=tmp_path, **how)
        for how in ({}, {"formulation": "fused"}, {"dialect": "torch"})
    ]
    assert [artifact.path.name for artifact in made] == ["small", "small.fused", "small.torch"]


@pytest.mark.parametrize("name", ["/tmp/elsewhere", "../up", ".", "a/b", "x" * 201, ""])
def test_a_name_that_is_no_plain_folder_name_is_refused(tmp_path, name):
    with pytest.raises(ArgumentError, match="name: expected at most 200 letters, digits and"):
        build(GraphRequest(SPEC, get_target("cpu")), Store(tmp_path), name=name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_anything_else_in_it_is_not_replaced(tmp_path):
    made = irattn.compile(SPEC, target="cpu", name="small", out=tmp_path)
    (made.path / "notes.txt").write_text("precious")
    with pytest.raises(ArtifactError, match=r"holds notes.txt, which is no part of an artifact"):
        irattn.compile(SPEC.replace(q_len=9), target="cpu", name="small", out=tmp_path)
    assert (made.path / "notes.txt").read_text() == "precious"
    assert read_artifact(made.path) == made
    assert not list(tmp_path.glob(".staging-*"))


def test_an_edited_manifest_is_made_again(tmp_path):
    made = irattn.compile(SPEC, target="cpu", out=tmp_path)
    path = made.path / "manifest.json"
    path.write_text(path.read_text().replace('"dialect": "linalg"', '"dialect": "torch"'))
    assert irattn.compile(SPEC, target="cpu", out=tmp_path) == made


@pytest.mark.parametrize(
    "changes",
    [
        {"sha256": []},
        {"entry_points": []},
        {"target": "gfx999"},
        {"spec": {"op": []}},
        {"name": 3},
        {"format_version": 1},
        {"unknown": 1},
    ],
)
def test_a_manifest_with_impossible_fields_is_refused(tmp_path, changes):
    made = irattn.compile(SPEC, target="cpu", out=tmp_path)
    path = made.path / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(ArtifactError, match="compile it again"):
        read_artifact(made.path)


def test_many_threads_publish_at_once(tmp_path):
    made = irattn.compile(SPEC, target="cpu", name="small", out=tmp_path)
    store = Store(tmp_path)

    def publish(number):
        manifest = dataclasses.replace(made.manifest, name=f"small{number % 7}")
        return store.publish(manifest, made.mlir, made.vmfb)

    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(publish, range(160)))) == 160


def test_a_cache_in_ones_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("IRATTN_CACHE", "~/kept")
    assert default_root() == tmp_path / "kept"
    # Nobody's home.
    monkeypatch.setenv("IRATTN_CACHE", "~no-such-user/kept")
    assert default_root() == Path("~no-such-user/kept")
