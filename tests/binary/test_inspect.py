"""`irattn inspect`: what it prints, and that it starts neither compiler nor runtime."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

import irattn
from irattn.binary.codeobject import isa
from irattn.binary.inspection.figures import ModuleFigures
from irattn.cli import main
from irattn.core.declared import read_as

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("inspected")
    irattn.compile("gqa_paged_decode_base", target="gfx1100", out=out)
    irattn.compile("mha_full_base", target="gfx1100", out=out)
    irattn.compile("gqa_causal_tiny", target="cpu", out=out)
    return out


def inspect(*arguments):
    return CliRunner().invoke(main, ["inspect", *map(str, arguments)])


def test_an_artifact_is_shown_with_its_kernels(folder):
    result = inspect(folder / "gfx1100" / "gqa_paged_decode_base")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "gqa_paged_decode_base for gfx1100"
    (attention,) = (line for line in lines if "attention_kernel" in line)
    assert attention.split()[3:] == ["352", "x", "1", "x", "1", "128", "x", "1", "x", "1"]
    # Each kernel by its short name: as a step beside the compiler's, its registers, instructions.
    for name in ("attention", "merge"):
        assert sum(f"{name}  " in line for line in lines) == 3
    assert "limited by" in result.output
    assert "matrix    vector    scalar" in result.output


def test_work_is_told_where_loops_do_not_depend_on_the_call(folder):
    full = inspect(folder / "gfx1100" / "mha_full_base")
    assert "4.29 GFLOP needed, 4.29 in matrix instructions (estimate): 100%" in full.output
    paged = inspect(folder / "gfx1100" / "gqa_paged_decode_base")
    assert "GFLOP needed" not in paged.output


def test_json_says_all_and_reads_back(folder):
    result = inspect(folder, "--json")
    cpu, gpu, full = json.loads(result.output)
    assert (cpu["manifest"]["target"], gpu["manifest"]["target"]) == ("cpu", "gfx1100")
    assert cpu["module"]["kernels"] == []
    assert full["work_efficiency"] == pytest.approx(1.0)
    (attention,) = (step for step in gpu["module"]["steps"] if "attention_k" in step["kernel"])
    assert {"input1", "input2", "input3", "input4"} < set(attention["reads"])
    assert all(buffer.startswith("transient") for buffer in attention["writes"])
    assert gpu["module"]["steps"][-1]["writes"] == ["output0"]
    assert gpu["names"]["kernels"][attention["kernel"]] == "attention"
    assert gpu["names"]["steps"] == ["attention", "merge"]
    assert len(cpu["names"]["steps"]) == len(cpu["module"]["steps"])
    figures = read_as(ModuleFigures, gpu["module"])
    assert json.loads(json.dumps(figures.to_dict())) == gpu["module"]
    assert figures.kernels[0].occupancy.limited_by == "registers"


def test_machine_code_is_listed(folder):
    result = inspect(folder / "gfx1100" / "gqa_paged_decode_base", "--isa")
    assert result.output.count("s_endpgm") >= 2
    assert "v_wmma_f32_16x16x16_f16" in result.output


def test_no_compiler_and_no_runtime_is_started(folder):
    code = (
        "import sys\nfrom irattn.cli import main\n"
        f"main(['inspect', {str(folder)!r}, '--json'], standalone_mode=False)\n"
        "loaded = [name for name in sys.modules if name.startswith('iree.')]\n"
        "sys.exit(f'loaded {loaded}' if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["--isa", "--waits", "--execute"])
def test_what_cannot_be_told_of_one_artifact_is_said_first(folder, option):
    """A folder with code for a CPU: nothing of the others is shown before, in JSON neither."""
    why = {
        "--isa": "cpu: irattn has no instruction tables for it",
    }.get(option, "cpu is not code for an AMD GPU")
    result = inspect(folder, option)
    assert (result.exit_code, result.output) == (1, f"Error: {option}: {why}\n")
    assert (
        f"{option}: {why}"
        in json.loads(inspect(folder, option, "--json").output)["error"]["message"]
    )


def test_without_the_tables_the_rest_is_shown(folder, monkeypatch):
    monkeypatch.setattr(isa.importlib.util, "find_spec", lambda name: None)
    result = inspect(folder / "gfx1100" / "gqa_paged_decode_base")
    assert "instructions are not decoded: pip install 'irattn[isa]'" in result.output
    assert "VGPRs" in result.output
    result = inspect(folder / "gfx1100" / "gqa_paged_decode_base", "--isa")
    assert result.exit_code == 1
    assert "pip install 'irattn[isa]'" in result.output


def test_without_the_tables_package_the_rest_is_shown(folder):
    """Not only looked for in vain, but not to be imported: what is decoded elsewhere shows."""
    code = (
        "import sys; sys.modules['tinygrad'] = None\n"
        "from irattn.cli import main\n"
        f"main(['inspect', {str(folder / 'gfx1100')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "VGPRs" in done.stdout
    assert "instruction tables that are not here: pip install 'irattn[isa]'" in done.stdout


def test_operands_are_shown_whole(folder):
    """The last operand too, where it is the first register; literals as numbers."""
    shown = inspect(folder / "gfx1100" / "gqa_paged_decode_base", "--isa").output
    lines = [line.split(maxsplit=2)[1:] for line in shown.splitlines() if "  0x" in line]
    shifted = [rest[0] for name, *rest in lines if name == "v_lshlrev_b32_e32"]
    assert all(operands.count(", ") == 2 for operands in shifted)
    moved = [rest[0] for name, *rest in lines if name == "s_mov_b32"]
    assert any(operands.endswith(", 0x31027000") for operands in moved)
    assert all(operands.count(", ") == 1 for operands in moved)
    assert "LIT" not in shown
    assert "VOPDOp" not in shown


def test_a_folder_without_artifacts_is_refused(tmp_path):
    result = inspect(tmp_path)
    assert result.exit_code == 2
    assert "expected an artifact or a folder of artifacts, and found none there" in result.output


def test_whether_the_emulator_executes_it_is_said(folder):
    assert "  emulator   executes it" in inspect(folder / "gfx1100").output
    cpu, gpu, _ = json.loads(inspect(folder, "--json").output)
    assert cpu["emulator_stops_at"] == ["cpu is not code for an AMD GPU"]
    assert gpu["emulator_stops_at"] == []


def test_executed_instructions_are_counted(tmp_path):
    irattn.compile("gqa_decode_tiny", target="gfx1100", out=tmp_path)
    (found,) = json.loads(inspect(tmp_path, "--execute", "--json").output)
    (dispatch,) = found["executed"]
    assert dispatch["instructions"]["vector"] > dispatch["waves"] > 0
    # Every key and value is read once at least, and the output written.
    assert dispatch["traffic"]["touched_bytes"] >= 2 * 2 * 32 * 32 * 4
    assert dispatch["estimate"]["bound_by"] in dispatch["estimate"]["busy"]
    text = inspect(tmp_path, "--execute").output
    assert "estimated for RX 7900 XTX, in microseconds (a model, no measurement)" in text


def test_what_is_not_emulated_is_not_executed(folder):
    result = inspect(folder / "cpu", "--execute")
    assert result.exit_code == 1
    assert "cpu is not code for an AMD GPU" in result.output
