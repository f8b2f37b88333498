"""Reproductions: what is written runs with IREE's own tools, passes, and fails when it should."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
import irattn.compiling.build
import irattn.lab.repro.compilation
import irattn.lab.repro.folder
from irattn.cli import main
from irattn.compiling import catalog
from irattn.compiling.compiler import compile_installed
from irattn.core.errors import UsageError
from irattn.lab.repro import compilation_of_spec, write_reproduction
from irattn.lab.tool_calls import case_names, thresholds, tool_call
from irattn.rendering import GraphRequest
from irattn.targets import get as get_target

pytestmark = pytest.mark.slow

# Only a shell, and this Python by name: IREE's console scripts are on no PATH.
BARE = {"PATH": os.pathsep.join(["/usr/bin", "/bin"]), "PYTHON": sys.executable}


def repro(*args, code=0):
    result = CliRunner().invoke(main, ["repro", *map(str, args)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def sh(folder, script):
    """Run a script of the folder from elsewhere, in an environment without irattn."""
    return subprocess.run(
        ["sh", str(folder / script)], cwd="/", env=BARE, capture_output=True, text=True
    )


def assert_runs(folder, suffix=""):
    compiled = sh(folder, f"compile{suffix}.sh")
    assert compiled.returncode == 0, compiled.stderr
    ran = sh(folder, f"run{suffix}.sh")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "[SUCCESS] all function outputs matched" in ran.stdout


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("gqa_causal_tiny", {"inputs/query.npy", "expected/output.npy"}),
        ("paged_soft_cap_lse_tiny", {"inputs/block_table.npy", "expected/lse.npy"}),
        ("keep_mask_tiny", {"inputs/keep_mask.npy"}),
        ("dynamic_causal_tiny", {"inputs/query.npy", "inputs/q_lens.npy"}),
        ("cache_append_tiny", {"expected/updated_key_cache.npy"}),
    ],
)
def test_it_runs_with_the_tools_alone(tmp_path, name, files):
    folder = tmp_path / "made" / "here"
    result = repro(name, "--target", "cpu", "-o", folder)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert files < found
    assert {"README.md", "module.mlir", "compile.sh", "run.sh"} < found
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert result.stdout.startswith(f"{folder}: {len(found)} files, {size / 1024:.1f} KiB\n")
    assert_runs(folder)


def test_bf16_runs_and_a_wrong_number_is_found(tmp_path):
    folder = tmp_path / "r"
    repro("lse_tiny", "--target", "cpu", "--set", "io_dtype=bf16", "-o", folder)
    assert_runs(folder)
    run = (folder / "run.sh").read_text()
    assert "--expected_output=1x4x32x32xbf16=@expected/output.bin" in run
    assert "--expected_output=@expected/lse.npy" in run
    for file in ("output.bin", "lse.npy"):
        path = folder / "expected" / file
        data = path.read_bytes()
        # The high byte of the last number: its sign and exponent.
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 0x40]))
        failed = sh(folder, "run.sh")
        assert failed.returncode == 1
        assert "[FAILED] result[" in failed.stdout + failed.stderr
        path.write_bytes(data)


@pytest.mark.parametrize(
    ("name", "has_twin"), [("merge_states_tiny", False), ("gqa_causal_tiny", True)]
)
def test_a_gpu_graph_shows_its_numbers_on_the_cpu(tmp_path, name, has_twin):
    """A graph without tiles compiles for both as it is."""
    repro(name, "--target", "gfx1100", "-o", tmp_path / "r")
    assert "--iree-rocm-target=gfx1100" in (tmp_path / "r" / "compile.sh").read_text()
    assert "--device=hip" in (tmp_path / "r" / "run.sh").read_text()
    assert (tmp_path / "r" / "module-cpu.mlir").exists() == has_twin
    assert_runs(tmp_path / "r", "-cpu")
    readme = (tmp_path / "r" / "README.md").read_text()
    assert ("`module-cpu.mlir` is the graph of the same spec for CPUs" in readme) == has_twin


def test_the_readme_says_the_commands_word_for_word(tmp_path):
    folder = tmp_path / "r"
    repro(
        "gqa_decode_tiny",
        "--target",
        "gfx1100",
        "--case",
        "large_logits",
        "--seed",
        "3",
        "-o",
        folder,
    )
    readme = (folder / "README.md").read_text()
    for name in ("compile.sh", "run.sh", "compile-cpu.sh", "run-cpu.sh"):
        command = (folder / name).read_text().partition('cd "$(dirname "$0")"\n')[2]
        assert command.startswith('"${PYTHON:-python3}" -m iree.')
        assert command in readme
    version = irattn.compile("gqa_decode_tiny").manifest.compiler_version
    assert f"pip install iree-base-compiler=={version} iree-base-runtime=={version}" in readme
    assert "case `large_logits`, seed 3" in readme


def test_an_artifact_is_shown_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", compile_installed)
    artifact = irattn.compile("gqa_decode_tiny", target="x86-64-v3", out=tmp_path / "store")
    folder = tmp_path / "r"
    found = json.loads(repro(artifact.path, "-o", folder, "--json").stdout)
    assert (found["target"], found["compiles"]) == ("x86-64-v3", True)
    assert (folder / "module.mlir").read_text() == artifact.mlir
    assert_runs(folder)
    # The kept commands make the artifact's own bytes.
    assert (folder / "module.vmfb").read_bytes() == artifact.vmfb
    refused = repro(artifact.path, "--target", "cpu", "-o", tmp_path / "s", code=2)
    assert "an artifact's folder is shown as it is" in refused.stderr


def test_a_graph_that_does_not_compile_has_its_diagnostics(tmp_path, monkeypatch):
    render = irattn.compiling.build.render

    def broken(request):
        return render(request).replace("arith.divf %weighted", "arith.divi %weighted")

    monkeypatch.setattr(irattn.compiling.build, "render", broken)
    monkeypatch.setattr(irattn.lab.repro.compilation, "render", broken)
    folder = tmp_path / "r"
    result = repro(
        "gqa_causal_tiny", "--target", "gfx1100", "-o", folder, "--store", tmp_path / "store"
    )
    assert "it shows that gqa_causal_tiny does not compile for gfx1100" in result.stdout
    assert {path.name for path in folder.iterdir()} == {
        "README.md", "module.mlir", "compile.sh", "diagnostics.txt",
    }  # fmt: skip
    compiled = sh(folder, "compile.sh")
    assert compiled.returncode != 0
    (first,) = (line for line in compiled.stderr.splitlines() if "error:" in line)
    assert first in (folder / "README.md").read_text()
    assert first in (folder / "diagnostics.txt").read_text()


def test_torch_without_a_cpu_form_says_why(tmp_path):
    spec = catalog.get("mha_full_tiny").replace(head_dim=160)
    compilation = compilation_of_spec(GraphRequest(spec, get_target("gfx1100"), dialect="torch"))
    write_reproduction(compilation, tmp_path / "r")
    assert not (tmp_path / "r" / "run-cpu.sh").exists()
    assert "Not possible with this graph: " in (tmp_path / "r" / "README.md").read_text()


def test_a_folder_with_anything_in_it_is_refused(tmp_path):
    (tmp_path / "r").mkdir()
    repro("gqa_decode_tiny", "--target", "cpu", "-o", tmp_path / "r")
    before = sorted(tmp_path.rglob("*"))
    for place in (tmp_path / "r", tmp_path / "r" / "module.mlir"):
        refused = repro("gqa_decode_tiny", "--target", "cpu", "-o", place, code=2)
        assert "-o" in refused.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(irattn.lab.repro.folder, "write_expected", full)
    result = repro("gqa_decode_tiny", "--target", "cpu", "-o", tmp_path / "r", code=1)
    assert "No space left on device" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_case_that_the_spec_does_not_have_is_refused(tmp_path):
    refused = repro("gqa_decode_tiny", "--case", "context_of_one", "-o", tmp_path / "r", code=2)
    assert "case: attention has normal, uniform, " in refused.stderr
    assert not (tmp_path / "r").exists()
    with pytest.raises(UsageError, match="got 'nope'"):
        tool_call(catalog.get("gqa_decode_tiny"), "nope")


@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_the_thresholds_leave_room_for_rounding_and_none_for_zeros(io_dtype):
    """Each output of the kernel is within half of what is allowed; an output of zeros is not."""
    spec = catalog.get("soft_cap_tiny").replace(io_dtype=io_dtype)
    kernel = irattn.load(spec)
    for case in case_names(spec):
        call = tool_call(spec, case)
        names = (tensor.name for tensor in call.spec.inputs)
        (output,) = kernel.outputs(**dict(zip(names, call.inputs, strict=True)))
        (expected,), (allowed,) = call.expected, thresholds(call).values()
        assert np.abs(output.astype(np.float64) - expected).max() <= allowed / 2
        # Of logits of a million f32 leaves less: their units are shares of the weights.
        times = 20 if (io_dtype, case) == ("f32", "huge_scale") else 50
        assert np.abs(expected).max() > times * allowed
