"""What is checked before the runtime sees an artifact: each thing that is wrong is said."""

import json
import struct

import pytest

import irattn
from irattn.binary.manifest import compilation_key, sha256
from irattn.compiling.artifact import read_artifact
from irattn.core.errors import ArtifactError
from support.compiled_once import compiled_once
from support.mutants import with_checksum

NAME = "gqa_causal_tiny"


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("artifacts")


@pytest.fixture
def folder(out):
    return irattn.compile(NAME, target="gfx1100", out=out).path


def rewrite(folder, rekey=False, **changes):
    fields = {**json.loads((folder / "manifest.json").read_text()), **changes}
    if rekey:
        fields["key"] = compilation_key(fields)
    (folder / "manifest.json").write_text(json.dumps(fields))


def refusal(folder):
    with pytest.raises(ArtifactError) as caught:
        read_artifact(folder)
    message, _, command = str(caught.value).rpartition("; ")
    out = folder.parent.parent
    assert command == (
        f"compile it again: `irattn compile {NAME} --target gfx1100 --store {out}`"
    ), command
    return message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dialect": "torch"}, "key: differs from the hash of the other fields"),
        ({"flags": ["-O0"]}, "key: differs"),
        ({"irattn_version": "0.0.9"}, "key: differs"),
        ({"name": "../up"}, "name: expected a plain folder name, got '../up'"),
        ({"flags": 3}, "flags: expected a list, got 3"),
        ({"flags": [3]}, "flags[0]: expected text, got 3"),
        ({"tile": {"rows": 0}}, "tile.rows: expected a whole number of at least 1, got 0"),
        ({"tile": None}, "tile: expected none at all where none was chosen, got null"),
        ({"sha256": {"module.mlir": ""}}, "sha256: expected the hashes of module.mlir and module."),
        ({"target": "mi300x"}, "target: expected gfx942, got 'mi300x'"),
        ({"target_identity": "x"}, "target_identity: only the target cpu has one"),
        ({"entry_points": ["rope"]}, "entry_points: expected ['attention'], as the spec has it"),
        ({"inputs": []}, "inputs: expected [{"),
        ({"format_version": True}, "expected format version 2, got True"),
        ({"more": 1}, "more: not a field"),
    ],
)
def test_fields_that_cannot_be_true(folder, changes, message):
    rewrite(folder, **changes)
    assert message in refusal(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("{", '{"name": "x",', 1), "a key is there twice"),
        (lambda text: text.replace('"causal": true', '"causal": NaN'), "NaN is no JSON"),
        (lambda text: text.replace('"causal": true', '"causal": 1e999'), "1e999 is beyond float64"),
        (lambda text: text[:-3], "not readable as JSON"),
        (lambda text: "[" * 99999, "maximum recursion depth"),
        (lambda text: "[1]", "expected a JSON object, got a list"),
        (lambda text: " " * (1 << 20) + text, "expected at most 1048576 bytes"),
    ],
)
def test_text_that_is_no_manifest(folder, change, message):
    path = folder / "manifest.json"
    path.write_text(change(path.read_text()))
    assert message in refusal(folder)


def seal(folder, vmfb):
    (folder / "module.vmfb").write_bytes(vmfb)
    hashes = json.loads((folder / "manifest.json").read_text())["sha256"]
    rewrite(folder, sha256={**hashes, "module.vmfb": sha256(vmfb)})


def test_a_module_that_is_another_ones_with_its_hash(folder, out):
    for name, target, message in (
        ("gqa_decode_tiny", "gfx1100", "function attention: expected 1x4x32x32xf32 and "),
        ("rope_tiny", "gfx1100", "has no function 'attention'; it exports __init, rope"),
        (NAME, "gfx942", "expected machine code of gfx1100, got gfx942"),
        (NAME, "x86-64-v3", "expected code for gfx1100, got code for local devices"),
    ):
        seal(folder, irattn.compile(name, target=target, out=out).vmfb)
        assert message in refusal(folder)


def test_a_function_for_queues_that_takes_something_else(folder):
    text, mark, _ = (folder / "module.mlir").read_text().partition("util.func public @attention$")
    other = (
        f"{mark}async(%query: !query) -> (!query) "
        'attributes {iree.abi.model = "coarse-fences"} {\n  util.return %query : !query\n}\n'
    )
    seal(folder, compiled_once(text + other, irattn.targets.get("gfx1100").flags))
    assert "function attention$async: expected 1x4x32x32xf32 and " in refusal(folder)


def test_a_spec_edited_with_its_key(folder):
    spec = irattn.compiling.catalog.get(NAME).replace(q_len=7)
    inputs = [tensor.to_dict() for tensor in spec.inputs]
    outputs = [tensor.to_dict() for tensor in spec.outputs]
    rewrite(folder, rekey=True, spec=spec.to_dict(), inputs=inputs, outputs=outputs)
    assert "function attention: expected 1x4x7x32xf32 and " in refusal(folder)


def test_another_bytecode_version(folder):
    vmfb = (folder / "module.vmfb").read_bytes()
    changed = vmfb.replace(struct.pack("<I", 17 << 16), struct.pack("<I", 16 << 16), 1)
    seal(folder, changed)
    assert "module.fb: altered bytes (its checksum differs)" in refusal(folder)
    seal(folder, with_checksum(changed))
    assert "module.vmfb: expected bytecode version 17.0, got 16.0" in refusal(folder)


def test_the_command_says_how_a_changed_entry_was_made(tmp_path):
    spec = irattn.compiling.catalog.get(NAME).replace(q_len=7)
    made = irattn.compile(spec, name=f"{NAME}+q_len=7", target="cpu", out=tmp_path)
    (made.path / "module.vmfb").write_bytes(b"")
    with pytest.raises(ArtifactError) as caught:
        read_artifact(made.path)
    assert str(caught.value).endswith(
        f"`irattn compile {NAME} --target cpu --set q_len=7 --store {tmp_path}`"
    )
