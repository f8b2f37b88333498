"""The command line as a user meets it: output, messages, exit codes."""

import json
import re
import subprocess
import sys
import threading
import types

import click
import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn.__main__ import run as run_as_command
from irattn.cli import main
from irattn.compiling import catalog
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import Verifier
from irattn.reference import reference
from support.command import run
from support.model_configs import DEEPSEEK_V3, LLAMA_3_1_8B, PHASES


def test_list():
    lines = run("list").stdout.splitlines()
    for name, line in zip(catalog.names(), lines[2:], strict=True):
        assert line.startswith(f"{name} ")
        assert f"  {catalog.get(name).inputs[0].name} " in line
    assert max(map(len, lines)) <= 100
    found = json.loads(run("list", "--json", "--size", "tiny").stdout)
    assert [entry["name"] for entry in found] == catalog.names(["tiny"])
    assert found[0]["spec"] == catalog.get(found[0]["name"]).to_dict()


def test_list_tells_all_of_a_name():
    names = ["gqa_paged_decode_base", "whole_layer_decode_base"]
    shown = run("list", *names).stdout
    for name in names:
        for tensor in (*catalog.get(name).inputs, *catalog.get(name).outputs):
            assert f"put {tensor.name} " in shown
    assert "num_blocks 512" in shown
    assert "rope_type llama3" in shown
    assert max(map(len, shown.splitlines())) <= 100
    (entry,) = json.loads(run("list", names[0], "--json").stdout)
    assert entry["spec"] == catalog.get(names[0]).to_dict()
    assert "did you mean gqa_causal_base" in run("list", "gqa_cuasal_base", code=2).stderr
    assert "did you mean gqa_causal_base" in run("list", "GQA_Causal_Base", code=2).stderr
    assert "not both" in run("list", *names, "--size", "tiny", code=2).stderr


def test_targets():
    table = run("targets").stdout
    assert "gfx1100" in table
    assert "rx7900xtx" in table
    found = {entry["name"]: entry for entry in json.loads(run("targets", "--json").stdout)}
    assert found["gfx942"]["wave_size"] == 64
    assert found["gfx1100"]["matrix"]["f16"] == "WMMAR3_F32_16x16x16_F16"


def test_render():
    text = run("render", "gqa_causal_tiny").stdout
    assert text == irattn.render("gqa_causal_tiny")
    assert (
        "torch.aten.scaled_dot_product"
        in run("render", "gqa_causal_tiny", "--dialect", "torch").stdout
    )
    changed = run("render", "gqa_causal_tiny", "--set", "q_len=7", "--target", "cpu").stdout
    assert "tensor<1x4x7x32xf32>" in changed
    spec = catalog.get("gqa_causal_tiny").replace(q_len=7)
    in_json = run("render", json.dumps(spec.to_dict()), "--target", "cpu").stdout
    assert in_json == irattn.render(spec, target="cpu")


def test_compile(tmp_path):
    args = ("compile", "gqa_causal_tiny", "--target", "rx7900xtx", "--target", "cpu")
    args += ("--store", tmp_path)
    expected = [
        f"  gfx1100  gqa_causal_tiny  {tmp_path}/gfx1100/gqa_causal_tiny",
        f"  cpu  gqa_causal_tiny  {tmp_path}/cpu/gqa_causal_tiny",
    ]
    for outcome in ("compiled", "found"):
        *lines, last = run(*args).stdout.splitlines()
        told = [re.fullmatch(rf"{outcome} +\d+\.\d\d s({re.escape(end)})", line)[1]
                for end, line in zip(expected, lines, strict=True)]  # fmt: skip
        assert told == expected
        assert last == f"2 artifacts in {tmp_path}, 0 failed"
    (tmp_path / "cpu" / "gqa_causal_tiny" / "module.vmfb").unlink()
    found = json.loads(run(*args, "--json").stdout)
    assert [entry["target"] for entry in found["artifacts"]] == ["gfx1100", "cpu"]
    assert [entry["outcome"] for entry in found["artifacts"]] == ["found", "compiled"]
    assert all(entry["seconds"] >= 0 for entry in found["artifacts"])
    assert found["failed"] == []
    fields = {"name", "target", "outcome", "seconds", "path", "key", "sha256"}
    assert set(found["artifacts"][0]) == fields


def test_compile_without_names_says_how_many(monkeypatch, tmp_path):
    """Before it begins, on stderr; what was named is known to whoever named it."""
    asked = []

    def build_all(work, *args, **kwargs):
        asked.append(work)
        return [], []

    for command in ("compile", "bundle", "baseline"):
        monkeypatch.setattr(f"irattn.cli.{command}.build_all", build_all)
    count = len(catalog.names())
    two = ("compile", "--target", "cpu", "--target", "gfx942")
    told = run(*two, "--jobs", 1).stderr
    assert re.match(rf"{2 * count} artifacts: about \d+ minutes on 1 core, ", told)
    tiny = len(catalog.names(["tiny"]))
    assert run(*two, "--size", "tiny").stderr.startswith(f"{2 * tiny} artifacts: about ")
    base = 3 * len(catalog.names(["base"]))
    kept = ("baseline", "catalogue", "-o", tmp_path)
    assert run(*kept).stderr.startswith(f"{base} artifacts: about ")
    assert len(asked) == 3
    for words in ((*two, "--json"), (*two, "mha_full_tiny"), (*kept, "mha_full_base")):
        assert run(*words).stderr == ""


def test_the_first_command_of_help_takes_seconds():
    """It names what it compiles."""
    (first,) = re.findall(r"Start with: irattn (.*)", run("--help").stdout)
    (name,) = {*first.split()} & {*catalog.names(["tiny"])}
    assert first == f"compile --target gfx1100 {name}"


def test_compile_keeps_the_order_of_the_request(tmp_path, monkeypatch):
    """Also where what was asked for first is done last, and where something fails between."""
    compile_mlir, is_last_done = irattn.compiling.build.compile_mlir, threading.Event()

    def late(text, flags):
        if "tensor<1x4x1x32xf32>" not in text:
            assert is_last_done.wait(300)
            return compile_mlir(text, flags)
        vmfb = compile_mlir(text, flags)
        is_last_done.set()
        return vmfb

    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", late)
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "mqa_causal_tiny").write_text("no folder")
    names = ("gqa_causal_tiny", "mqa_causal_tiny", "mha_full_tiny", "gqa_decode_tiny")
    args = (*names, "--target", "cpu", "--store", tmp_path, "--jobs", 4)
    result = run("compile", *args, code=1)
    names = [line.split()[4] for line in result.stdout.splitlines()[:-1]]
    assert names == ["gqa_causal_tiny", "mha_full_tiny", "gqa_decode_tiny"]
    places = [result.output.index(f"cpu/{name}") for name in ("gqa_causal_tiny", "mqa_causal_tiny",
                                                             "mha_full_tiny")]  # fmt: skip
    assert places == sorted(places)
    found = json.loads(run("compile", *args, "--json", code=1).stdout)
    assert [entry["name"] for entry in found["artifacts"]] == names


def test_changed_specs_have_names_of_their_own(tmp_path):
    run("compile", "gqa_causal_tiny", "--target", "cpu", "--store", tmp_path,
        "--set", "q_len=7", "--set", "io_dtype=f16")  # fmt: skip
    assert (tmp_path / "cpu" / "gqa_causal_tiny+io_dtype=f16+q_len=7").is_dir()


def test_specs_in_json_are_taken_as_names_are(tmp_path):
    norm = '{"op": "rms_norm", "io_dtype": "f32", "rows": 3, "columns": 7}'
    ran = json.loads(run("run", norm, "--set", "rows=4", "--store", tmp_path, "--json").stdout)
    assert ran["outputs"][0]["shape"] == [4, 7]
    assert "input x        f32 [3, 7]" in run("list", norm).stdout
    files = json.loads(run("repro", norm, "-o", tmp_path / "shown", "--json").stdout)
    assert files["name"].startswith("rms_norm-")
    twice = run("render", norm.replace('"rows": 3', '"rows": 3, "rows": 4'), code=2).stderr
    assert "a key is there twice" in twice
    (tmp_path / "norm.json").write_text(norm)
    assert (
        "norm.json: a spec is given as text" in run("list", tmp_path / "norm.json", code=2).stderr
    )

    args = ("compile", norm, "--target", "cpu", "--store", tmp_path / "norm.json" / "x")
    again = f"irattn compile '{norm}' --target cpu --store {args[-1]}"
    assert run(*args, code=1).stderr.endswith(f"\nagain: {again}\n")


def test_compile_reports_failures_and_goes_on(tmp_path, monkeypatch):
    render = irattn.compiling.build.render

    def broken(request):
        text = render(request)
        return text.replace("divf", "divi") if request.spec.q_len == 1 else text

    monkeypatch.setattr(irattn.compiling.build, "render", broken)
    args = ("compile", "gqa_decode_tiny", "gqa_causal_tiny", "--target", "cpu", "--store", tmp_path)
    result = run(*args, code=1)
    assert "Error: gqa_decode_tiny does not compile for cpu: " in result.stderr
    assert result.stdout.endswith(f"1 artifact in {tmp_path}, 1 failed\n")
    again = f"irattn compile gqa_decode_tiny --target cpu --store {tmp_path}"
    assert result.stderr.endswith(f"\nagain: {again}\n")
    found = json.loads(run(*args, "--json", code=1).stdout)
    assert [entry["name"] for entry in found["artifacts"]] == ["gqa_causal_tiny"]
    assert [entry["name"] for entry in found["failed"]] == ["gqa_decode_tiny"]


def test_run_with_files(tmp_path):
    spec = catalog.get("gqa_causal_tiny").replace(io_dtype="bf16")
    tensors = random_tensors(spec, 5)
    args = ["run", "gqa_causal_tiny", "--set", "io_dtype=bf16", "--output", tmp_path / "o.npy"]
    for name, array in tensors.items():
        np.save(tmp_path / f"{name}.npy", array)
        args += ["--input", f"{name}={tmp_path / name}.npy"]
    result = run(*args)
    assert "output bf16 [1, 4, 32, 32]" in result.stdout
    assert result.stderr == "ran cpu code on device local-sync\n"
    output = np.load(tmp_path / "o.npy").view(ml_dtypes.bfloat16).astype(np.float64)
    np.testing.assert_allclose(output, reference(spec, tensors)[0], atol=2e-2)


def test_run_with_several_outputs(tmp_path):
    result = run("run", "lse_tiny", "--output", tmp_path / "o.npz")
    assert "output f32 [1, 4, 32, 32]\nmean " in result.stdout
    assert "\nlse f32 [1, 4, 32]\nmean " in result.stdout
    assert set(np.load(tmp_path / "o.npz")) == {"output", "lse"}
    refused = run("run", "lse_tiny", "--output", tmp_path / "o.npy", code=2)
    assert "has the outputs output, lse, which need a .npz file" in refused.stderr


def test_run_an_artifact_with_random_inputs(tmp_path):
    artifact = irattn.compile("gqa_decode_tiny", target="cpu", out=tmp_path)
    first, second, other = (run("run", artifact.path, "--seed", seed).stdout for seed in (1, 1, 2))
    assert first == second != other


def test_verify(tmp_path):
    result = run("verify", "mha_full_tiny", "gqa_decode_tiny", "--target", "cpu")
    assert "2 of 2 passed" in result.stdout
    assert "ran cpu code on device local-sync" in result.stdout
    found = json.loads(run("verify", "mha_full_tiny", "--json").stdout)
    assert found[0]["passed"] is True
    assert found[0]["relative"] < found[0]["tolerance"] == 1e-5
    artifact = irattn.compile("mha_full_tiny", target="cpu", out=tmp_path)
    assert "1 of 1 passed" in run("verify", artifact.path).stdout


def test_verify_exits_1_when_a_graph_is_wrong(monkeypatch, tmp_path):
    render = irattn.compiling.build.render
    monkeypatch.setattr(
        irattn.compiling.build,
        "render",
        lambda *a, **k: render(*a, **k).replace("%mean_any = arith.mulf", "%mean_any = arith.addf"),
    )
    result = run("verify", "mha_full_tiny", "--set", "q_len=8", "--store", tmp_path, code=1)
    assert "FAILED: normal" in result.stdout
    assert "0 of 1 passed" in result.stdout
    again = f"irattn verify mha_full_tiny --set q_len=8 --store {tmp_path}"
    assert result.stderr.endswith(f"\nagain: {again}\n")
    folder = tmp_path / "cpu" / "mha_full_tiny+q_len=8"
    assert run("verify", folder, code=1).stderr.endswith(f"\nagain: irattn verify {folder}\n")


@pytest.mark.slow
def test_models(tmp_path):
    config = tmp_path / "config.json"
    # A cut model: its layers at full size take the float64 reference a minute.
    cut = {"head_dim": 32, "hidden_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2}
    cut["intermediate_size"] = 192
    config.write_text(json.dumps({**LLAMA_3_1_8B, **cut}))
    args = ("--config", config, "--q-len", "20", "--kv-len", "40")
    found = json.loads(run("compile", "--target", "cpu", *args, "--json").stdout)
    assert [e["name"].partition("_b1_")[0] for e in found["artifacts"]] == [
        f"llama_{phase}" for phase in PHASES
    ]
    assert "4 of 4 passed" in run("verify", *args).stdout
    config.write_text(json.dumps({**DEEPSEEK_V3, "model_type": "llama"}))
    assert "kv_lora_rank" in run("compile", "--target", "cpu", *args, code=2).stderr


def test_doctor():
    text = run("doctor").stdout
    assert "\ncomplete: compiler and runtime match\n" in text
    assert re.search(r"^emulator +executes AMD code", text, re.MULTILINE)
    found = json.loads(run("doctor", "--json").stdout)
    assert found["versions_match"] is True
    assert {entry["driver"] for entry in found["drivers"]} == {
        "local-sync", "local-task", "hip", "cuda",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["tune", "gqa_causal_tiny"], "expected --target, what to tune for"),
        (["compile", "nope", "--target", "cpu"], "nope: not in the catalogue"),
        (["compile", "--target", "gfx1030"], "gfx1030: the pinned IREE compiler has no"),
        (
            ["compile", "mha_full_tiny", "--target", "cpu", "--set", "q_len=0"],
            "q_len: expected a whole number of at least 1, got 0",
        ),
        (["compile", "--target", "cpu", "--q-len", "3"], "go with --config; else use --set"),
        (["render", "gqa_paged_decode_tiny", "--dialect", "torch"], "torch has no word"),
        (["run", "mha_full_tiny", "--input", "query"], "expected NAME=FILE.npy, got 'query'"),
        (["run", "mha_full_tiny", "--input", "query=no.npy"], "no.npy is not a readable .npy"),
        (
            ["compile", "gqa_paged_decode_tiny", "--target", "cpu", "--dialect", "torch"],
            "no word for paged",
        ),
        (["verify", "gqa_paged_decode_tiny", "--dialect", "torch"], "torch has no word"),
        (
            ["render", "mha_full_tiny", "--dialect", "torch", "--formulation", "fused"],
            "formulation: the torch dialect leaves it to the compiler",
        ),
        (["run", "mha_full_tiny", "--seed", "-1"], "-1 is not in the range x>=0"),
        (["verify", "mha_full_tiny", "--set", "q_len=3", "--set", "q_len=4"], "given twice"),
        (["run", "mha_full_tiny", "--device", "tpu"], "'tpu' is not one of"),
        (["verify", "mha_full_tiny", "--set", "size=3"], "size: not a field of attention"),
        (["verify", "mha_full_tiny", "--set", "=3"], "--set: expected field=value, got '=3'"),
        (["render", "mha_full_tiny", "--set", f"q_len={2**63}"], "- 1, got about 2**63\n"),
        (["render", ""], "NAME: expected a value, got ''"),
        (["compare", "artifacts", ""], "CANDIDATE: expected a value, got ''"),
        (["render", "mha_full_tiny", "--target", "a\nb"], "'a\\nb': not a target of irattn"),
        (["verify", "mha_full_tiny", "./a"], "got both: mha_full_tiny, ./a"),
        (["run", "mha_full_tiny", "--output", ""], "--output: expected a value, got ''"),
        (
            ["compile", "mha_full_tiny", "--target", "cpu", "--store", ""],
            "--store: expected a value",
        ),
        (["matrix", "--iree", "1.0", "--timeout", "nan"], "expected a number, got nan"),
        (["matrix", "--iree", "1.0", "--timeout", "inf"], "inf is not in the range 0<x<=604800"),
        (["opcodes", "cpu"], "cpu is not code for an AMD GPU"),
        (["generate", "folder", "Hello"], "'Hello': expected --prompt before a text"),
    ],
)
def test_a_users_mistake_exits_2_with_a_reason(args, message):
    result = run(*args, code=2)
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["render", "mha_full_tiny", "--target", "gfx1100", "--target", "gfx942"], "--target"),
        (["verify", "mha_full_tiny", "--seed=1", "mha_full_tiny", "--seed=1"], "--seed"),
        (["bundle", "mha_full_tiny", "-o", "a.irattn", "--output", "b.irattn"], "--output"),
        (["baseline", "update", "--store", "a", "--store", "b"], "--store"),
    ],
)
def test_options_given_twice_are_refused(words, option):
    """click keeps the last: what was asked for first would be left out in silence."""
    result = run(*words, code=2)
    assert result.stderr.startswith("Usage: ")
    assert f"{words[0]} " in result.stderr.splitlines()[0]
    assert result.stderr.endswith(f"Error: {option}: expected once, got it 2 times\n")
    assert "Usage: " in run(*words, "--help").stdout


def test_flags_and_lists_may_be_repeated():
    words = ("list", "--size", "tiny", "--json")
    assert run(*words, "--size", "tiny", "--json").stdout == run(*words).stdout


def test_folders_of_several_artifacts_are_no_catalogue_names(tmp_path, monkeypatch):
    run("compile", "mha_full_tiny", "--target", "cpu", "--store", tmp_path / "art")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gqa_causal_tiny").mkdir()
    for word in ("art", "./art/cpu"):
        result = run("verify", word, code=1)
        assert "no artifact here (manifest.json is missing); name one" in result.stderr
        assert result.stderr.endswith("as art/cpu/mha_full_tiny\n")
    # An entry's name stays one beside a folder that happens to have it.
    assert run("verify", "gqa_causal_tiny").exit_code == 0


def test_wrong_input_files(tmp_path):
    np.save(tmp_path / "q.npy", np.zeros((2, 2), np.float32))
    result = run("run", "mha_full_tiny", "--input", f"query={tmp_path}/q.npy", code=2)
    assert result.stderr == "Error: query: expected f32 [1, 4, 32, 32], got f32 [2, 2]\n"


def test_a_named_device_that_is_not_there_exits_1():
    if irattn.runtime.driver_status("hip").problem is None:
        pytest.skip("an AMD GPU is here")
    result = run("run", "mha_full_tiny", "--target", "gfx1100", "--device", "hip", code=1)
    assert result.stderr.startswith("Error: device hip: ")


@pytest.mark.parametrize("name", main.list_commands(None))
def test_help_fits_a_terminal(name):
    command = main.get_command(None, name)
    text = command.get_help(click.Context(command, info_name=name, terminal_width=78))
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_terminal(monkeypatch, stream):
    """As `irattn list >&-` and daemons have it; Python has no stream then."""
    monkeypatch.setattr(sys, stream, None)
    main(["list", "--size", "tiny"], standalone_mode=False)


def test_python_dash_m():
    result = subprocess.run(
        [sys.executable, "-m", "irattn", "list", "--size", "xlong"], capture_output=True, text=True
    )
    assert result.returncode == 0
    assert "gqa_causal_xlong" in result.stdout


def test_ctrl_c_while_commands_are_imported(monkeypatch, capsys):
    class Interrupted(types.ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "irattn.cli", Interrupted("irattn.cli"))
    with pytest.raises(SystemExit) as ended:
        run_as_command()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "\nAborted!\n"


def test_import_is_light():
    """Neither the compiler, the runtime nor the template engine loads with the package.

    `irattn compile` does without what reads and executes machine code, and prints no table.
    """
    code = """
import sys, irattn
print([m for m in ("iree", "jinja2", "click") if m in sys.modules])
import irattn.cli.compile
print([m for m in ("iree", "irattn.lab.emulator", "elftools", "tabulate") if m in sys.modules])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "[]\n[]\n"


def test_folders_that_cannot_be_used_exit_1(tmp_path):
    (tmp_path / "file").write_text("")
    words = ("compile", "mha_full_tiny", "--target", "cpu", "--store", tmp_path / "file" / "below")
    assert str(tmp_path) in run(*words, code=1).stderr
    # Before anything is compared, so that minutes are not lost.
    words = ("compare", "no/such", "place", "-o", tmp_path / "missing" / "report")
    assert str(tmp_path) in run(*words, code=2).stderr
    (tmp_path / "cpu").write_text("")
    run("compile", "mha_full_tiny", "--target", "cpu", "--store", tmp_path, code=1)


def test_a_damaged_input_file_exits_2(tmp_path):
    (tmp_path / "q.npy").write_bytes(b"PK\x03\x04nonsense")
    result = run("run", "mha_full_tiny", "--input", f"query={tmp_path}/q.npy", code=2)
    assert "is not a readable .npy file" in result.stderr


def test_artifact_folders_take_no_spec_options(tmp_path):
    artifact = irattn.compile("mha_full_tiny", target="cpu", out=tmp_path)
    result = run("verify", artifact.path, "--target", "gfx942", code=2)
    assert "artifact folders and bundles are verified as they are" in result.stderr


def test_errors_without_bound_are_null_in_json(monkeypatch, tmp_path):
    render = irattn.compiling.build.render
    monkeypatch.setattr(
        irattn.compiling.build,
        "render",
        lambda *a, **k: render(*a, **k).replace(
            "arith.divf %unit, %row_sum", "arith.divf %zero, %zero"
        ),
    )
    found = json.loads(run("verify", "mha_full_tiny", "--json", "--store", tmp_path, code=1).stdout)
    assert found[0]["relative"] is None
    assert found[0]["passed"] is False


def test_verify_goes_on_after_an_entry_that_does_not_compile(tmp_path, monkeypatch):
    render = irattn.compiling.build.render

    def broken(request):
        text = render(request)
        return text.replace("divf", "divi") if request.spec.q_len == 1 else text

    monkeypatch.setattr(irattn.compiling.build, "render", broken)
    result = run("verify", "gqa_decode_tiny", "gqa_causal_tiny", "--store", tmp_path, code=1)
    assert "Error: gqa_decode_tiny does not compile for cpu: " in result.stderr
    assert "1 of 2 passed" in result.stdout
    assert re.search(r"^gqa_decode_tiny +not run$", result.stdout, re.MULTILINE)
    names = "gqa_decode_tiny", "gqa_causal_tiny"
    found = json.loads(run("verify", *names, "--store", tmp_path, "--json", code=1).stdout)
    assert [entry["passed"] for entry in found] == [False, True]
    assert found[0]["error"]["type"] == "CompileError"
    assert "does not compile" in found[0]["error"]["message"]


def test_verify_goes_on_after_an_entry_for_which_memory_was_short(tmp_path, monkeypatch):
    """As where several are verified at a time, each of which alone would fit."""
    work = Verifier.work

    def full():
        raise MemoryError("3 TiB")

    def short(verifier, specs):
        return [(n, full if n == "softmax_tiny" else call) for n, call in work(verifier, specs)]

    monkeypatch.setattr(Verifier, "work", short)
    names = ("softmax_tiny", "scale_scores_tiny")
    result = run("verify", *names, "--store", tmp_path, code=1)
    assert "Error: softmax_tiny: this needs more memory than there is: 3 TiB" in result.stderr
    assert "1 of 2 passed" in result.stdout
    assert f"again: irattn verify softmax_tiny --store {tmp_path}" in result.stderr


def test_verify_refuses_a_target_that_the_emulator_does_not_execute(tmp_path):
    for target in ("cpu", "sm_89", "gfx908"):
        args = ("gqa_decode_tiny", "--target", target, "--device", "emulator", "--store", tmp_path)
        result = run("verify", *args, code=2)
        assert f"--device emulator: {target} is not" in result.stderr
    assert not any(tmp_path.iterdir())


def test_sizes_that_no_memory_holds_are_told():
    sizes = ("--set", f"q_len={10**11}", "--set", f"kv_len={10**11}")
    result = run("run", "gqa_causal_tiny", "--target", "gfx1100", *sizes, code=1)
    assert result.stderr.startswith("Error: this needs more memory than there is: ")


def test_a_command_imports_none_of_the_others():
    code = """
import sys
from click.testing import CliRunner
from irattn.cli import main
assert CliRunner().invoke(main, ["targets"]).exit_code == 0
print([name for name in ("comparison", "emulator", "runtime") if f"irattn.{name}" in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
