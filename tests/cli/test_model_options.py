"""`--config` and what goes with it, as a user meets it."""

import json
import re

import pytest

import irattn.lab.executors.local
from irattn.cli.models import _ranges
from support.command import run
from support.compiled_once import compiled_once
from support.model_configs import BERT_BASE, GPT_2, LLAMA_3_1_8B, NEO

pytestmark = pytest.mark.slow

# Small heads, and few of them: these tests are about words.
CUT = {"head_dim": 16, "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 1}

# Lengths where a test names no others.
SHORT = {"--q-len": 4, "--kv-len": 64}


def compiled_to_nothing(text, flags, **how):
    """A program with the function of a graph, which computes nothing."""
    aliases = "".join(re.findall(r"^!.*\n", text, re.MULTILINE))
    head, given = re.search(r"^(func\.func @.*-> \(?(.*?)\)? \{)$", text, re.MULTILINE).groups()
    outputs = given.split(", ")
    made = "".join(f"%o{i} = tensor.empty() : {kind}\n" for i, kind in enumerate(outputs))
    names = ", ".join(f"%o{i}" for i in range(len(outputs)))
    graph = f"{aliases}{head}\n{made}return {names} : {given}\n}}"
    return compiled_once(graph, flags, **how)


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """What `irattn compile --config` says of a configuration, whatever the code is."""
    monkeypatch.setattr(irattn.lab.executors.local, "compile_mlir", compiled_to_nothing)

    def compile_config(config, *args, target="cpu", lengths=SHORT, code=0):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config))
        common = ("compile", "--config", path, "--target", target, "--store", tmp_path / "out")
        short = [word for pair in lengths.items() if pair[0] not in args for word in pair]
        return run(*common, *short, *args, code=code)

    return compile_config


def specs(result, root):
    """Specs of what was compiled, by phase."""
    found = {}
    for artifact in json.loads(result.stdout)["artifacts"]:
        manifest = json.loads((root / artifact["path"] / "manifest.json").read_text())
        found[artifact["name"].split("_b1_")[0]] = manifest["spec"]
    return found


def test_settings_reach_the_specs_that_have_the_field(compiled, tmp_path):
    llama = {**LLAMA_3_1_8B, **CUT}
    options = compiled(llama, "--num-blocks", 9, "--block-size", 32, "--json")
    settings = compiled(llama, "--set", "num_blocks=9", "--set", "block_size=32", "--json")
    made, again = (json.loads(result.stdout)["artifacts"] for result in (options, settings))
    assert [artifact["key"] for artifact in made] == [artifact["key"] for artifact in again]
    found = specs(options, tmp_path)
    assert "num_blocks" not in found["llama_prefill"]
    for phase in ("paged_decode", "layer_prefill", "layer_decode"):
        spec = found[f"llama_{phase}"]
        spec = spec.get("attention", spec)
        # Contexts of 64 tokens take half as many blocks of 32 as of 16.
        assert (spec["num_blocks"], spec["block_size"], spec["max_blocks"]) == (9, 32, 2)
    (name,) = (name for name in found if name.endswith("layer_decode"))
    assert found[name]["max_positions"] == 64


@pytest.mark.parametrize(
    ("config", "args", "message"),
    [
        (LLAMA_3_1_8B, ["--set", "size=3"], "size: not a field of any spec of this model; their f"),
        (
            BERT_BASE,
            ["--num-blocks", 9],
            "num_blocks: not a field of any spec of this model; their",
        ),
        (BERT_BASE, ["--set", "block_size=9"], "block_size: not a field of any spec of this model"),
        (LLAMA_3_1_8B, ["--num-blocks", 3], "num_blocks: expected at least 4, got 3: blocks of 16"),
        (LLAMA_3_1_8B, ["--q-len", 65], "q_len: expected at most kv_len = 64, got 65; the keys of"),
        (LLAMA_3_1_8B, ["--set", "q_len=9"], "--set: q_len is given by --q-len, too"),
        (
            LLAMA_3_1_8B,
            ["--set", "batch=many"],
            "batch: expected a whole number of at least 1, got",
        ),
        (
            LLAMA_3_1_8B,
            ["--set", "batch=null"],
            "batch: expected a whole number of at least 1, got",
        ),
        (LLAMA_3_1_8B, ["--set", "io_dtype=f8"], "io_dtype: expected one of"),
        (LLAMA_3_1_8B, ["mha_full_tiny"], "give names or --config, not both"),
        (
            GPT_2,
            ["--kv-len", 2000],
            "n_positions: 1024 is the model's longest context; 2000 tokens",
        ),
        (
            {**BERT_BASE, "model_type": "swin"},
            [],
            "model_type: swin: a type that irattn does not know",
        ),
    ],
)
def test_mistakes_exit_2_with_a_reason(compiled, config, args, message):
    result = compiled(config, *args, code=2)
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("args", [["--num-blocks", 3], ["--block-size", 3], ["--bidirectional"]])
def test_options_of_a_model_need_one(args):
    result = run("compile", "mha_full_tiny", "--target", "cpu", *args, code=2)
    assert f"{args[0]}: go with --config; else use --set" in result.stderr


def test_bidirectional(compiled):
    unknown = {**BERT_BASE, **CUT, "model_type": "novel"}
    result = compiled(unknown, "--bidirectional", "--ignore-key", "model_type", "--json")
    said = json.loads(result.stdout)
    assert said["artifacts"][0]["name"].startswith("model_encode_b1_h2x1_d16_q4_kv64_f32-")
    note = "model_type: ignored, as if it were not there"
    assert note in said["notes"]
    assert f"Note: {note}\n" in result.stderr


# Without layers, for norms of heads that none of ours has.
CHAMELEON = {"model_type": "chameleon", "hidden_size": 32, "num_attention_heads": 2}
CHAMELEON |= {"num_key_value_heads": 2, "num_hidden_layers": 12}


def test_layers_and_notes_are_said(compiled):
    config = {**CHAMELEON, "torch_dtype": "bfloat16"}
    result = compiled(config)
    assert result.stderr.startswith("Note: model_type: chameleon: not one whose layers are known (")
    assert result.stderr.endswith("): attention only\n")
    table = result.stdout.partition("\n\n")[2].splitlines()
    assert table[0].split() == ["layers", "artifact"]
    assert [line.split("_b1_")[0].split() for line in table[2:]] == [
        ["0-11", "chameleon_prefill"],
        ["0-11", "chameleon_paged_decode"],
    ]
    found = json.loads(compiled(config, "--json").stdout)
    assert [artifact["layers"] for artifact in found["artifacts"]] == [list(range(12))] * 2
    assert found["notes"] == [result.stderr.removeprefix("Note: ").rstrip()]


def test_json_says_which_layers_slide(compiled):
    neo = {**NEO, "n_embd": 32, "n_head": 2, "window_size": 8}
    found = json.loads(compiled(neo, "--json").stdout)
    layers = {entry["name"].split("_b1_")[0]: entry["layers"] for entry in found["artifacts"]}
    assert layers["gpt-neo_sliding_paged_decode"] == [1, 3, 5, 7, 9, 11]
    assert layers["gpt-neo_full_prefill"] == [0, 2, 4, 6, 8, 10]
    # An artifact's own name tells of another formulation.
    fused = json.loads(compiled(neo, "--formulation", "fused", "--json").stdout)
    assert {
        entry["name"].split("_b1_")[0]: entry["layers"] for entry in fused["artifacts"]
    } == layers


F32 = "f32 kernels, without matrix instructions on gfx1100"


@pytest.mark.parametrize(
    ("dtype", "args", "said"),
    [
        ({}, [], f"Note: dtype: missing, taken as float32: {F32}; --set io_dtype=bf16 gives"),
        ({"torch_dtype": "float32"}, [], f"Note: torch_dtype: float32: {F32}; --set io_dtype=bf16"),
        ({"dtype": "float32"}, ["--target", "gfx942", "--target", "gfx1201"], f"{F32}, gfx1201; "),
        ({}, ["--set", "io_dtype=bf16"], None),
        ({}, ["--set", "io_dtype=f32"], None),
        ({"torch_dtype": "bfloat16"}, [], None),
    ],
)
def test_f32_without_matrix_instructions_is_said_once(compiled, dtype, args, said):
    small = {**GPT_2, "n_embd": 32, "n_head": 2, **dtype}
    lines = compiled(small, *args, target="gfx1100").stderr.splitlines()
    found = [line for line in lines if "matrix instructions" in line]
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


@pytest.mark.parametrize("target", ["gfx942", "cpu"])
def test_f32_is_nothing_to_speak_of_elsewhere(compiled, target):
    small = {**GPT_2, "n_embd": 32, "n_head": 2}
    assert "matrix" not in compiled(small, target=target).stderr


def test_verify_and_bundle_take_models_too(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CHAMELEON))
    options = ("--config", path.parent, "--q-len", 4, "--kv-len", 40, "--block-size", 8)
    result = run("verify", *options, "--num-blocks", 6)
    assert "2 of 2 passed" in result.stdout
    assert "Note: model_type: chameleon: not one whose layers are known" in result.stderr
    file = tmp_path / "m.irattn"
    result = run("bundle", "-o", file, *options, "--target", "gfx1100", "--cpu", "none")
    assert "Note: dtype: missing" in result.stderr
    assert "chameleon_prefill_b1_h2x2_d16_q4_kv40_f32-" in run("bundle", "--list", file).stdout


@pytest.mark.parametrize(
    ("layers", "said"),
    [(None, "not known"), ((0, 1, 2, 4, 6, 7), "0-2, 4, 6-7"), ((5,), "5"), ((), "")],
)
def test_numbers_of_layers_are_ranges(layers, said):
    assert _ranges(layers) == said
