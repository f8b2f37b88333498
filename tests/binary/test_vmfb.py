"""Compiled modules as irattn reads them, against IREE's own disassembler and the source graph."""

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest

import irattn
from irattn.binary.vmfb import (
    ASYNC_SUFFIX,
    SizeFormula,
    evaluate,
    read_hip_executable,
    read_module,
    trace,
)
from irattn.binary.vmfb.bytecode import decode
from irattn.core.errors import ArtifactError

NAMES = [
    "gqa_causal_tiny",
    "layer_decode_tiny",
    "cache_append_tiny",
    "merge_states_tiny",
    "dynamic_paged_decode_tiny",
]


@pytest.fixture(scope="module", params=NAMES)
def artifact(request):
    return irattn.compile(request.param, target="gfx1100")


def program_of(artifact):
    module = read_module(artifact.vmfb)
    return trace(module, artifact.spec.op)


def disassembled(path):
    """The instructions of each function, as IREE's tool prints them."""
    tool = Path(sys.executable).with_name("iree-dump-module")
    command = [tool, "--output=disassembly", path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    bodies = re.findall(r"^vm\.func .*?\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    name = re.compile(r"^  (?:[^=\"@\n]* = )?vm\.([a-z0-9_.]+)", re.MULTILINE)
    return [name.findall(body) for body in bodies]


@pytest.mark.slow
def test_decoding_agrees_with_the_disassembler_of_iree(artifact):
    module = read_module(artifact.vmfb)
    found = []
    for function in module.functions:
        code = module.bytecode[function.start : function.start + function.length]
        at, names = 0, []
        while at < len(code):
            instruction = decode(code, at)
            at = instruction.next
            if instruction.name != "block":
                names.append(instruction.name.removeprefix("cmp."))
        found.append(names)
    expected = disassembled(artifact.path / "module.vmfb")
    assert found == [[name.removeprefix("cmp.") for name in names] for names in expected]


@pytest.mark.parametrize("name", ["gqa_causal_tiny", "cache_append_tiny"])
def test_the_function_for_queues_launches_the_same(name):
    module = read_module(irattn.compile(name, target="gfx1100").vmfb)
    op = irattn.compiling.catalog.get(name).op
    plain, queued = (trace(module, op + end) for end in ("", ASYNC_SUFFIX))
    for part in ("executables", "steps", "barriers", "allocations", "constants"):
        assert getattr(queued, part) == getattr(plain, part)
    assert [place.buffer for place in queued.outputs] == [place.buffer for place in plain.outputs]


@pytest.mark.slow
def test_launches_are_those_of_the_executable(artifact):
    program = program_of(artifact)
    (executable,) = program.executables
    assert executable.format == "rocm-hsaco-fb"
    exports, code_objects = read_hip_executable(executable.data)
    assert code_objects[0].startswith(b"\x7fELF")
    by_name = {export.kernel: export for export in exports}
    dispatches = [step for step in program.steps if step.what == "dispatch"]
    assert {step.kernel for step in dispatches} == set(by_name)
    for step in dispatches:
        assert len(step.ranges) == by_name[step.kernel].binding_count
        assert len(step.constants) == by_name[step.kernel].constant_count
    assert len(program.outputs) == len(artifact.spec.compiled.outputs)


def test_a_single_kernel_reads_the_inputs_and_writes_the_output():
    artifact = irattn.compile("gqa_decode_tiny", target="gfx1100")
    (step,) = program_of(artifact).steps
    roles = [(place.buffer.role, place.buffer.index) for place in step.ranges]
    assert roles[-1] == ("allocation", 0)
    assert {("input", 0), ("input", 1), ("input", 2)} <= set(roles)
    sizes = {place.buffer.index: place.length for place in step.ranges[:-1]}
    assert sizes[0] == 4 * 32 * 4
    assert step.ranges[-1].length == 4 * 32 * 4


def test_sizes_that_a_call_chooses_are_formulas():
    artifact = irattn.compile("dynamic_paged_decode_tiny", target="gfx1100")
    program = program_of(artifact)
    (output,) = program.outputs
    assert isinstance(output.length, SizeFormula)
    dims = {("input0", 0): 2, ("input3", 1): 3, ("input1", 0): 8}
    assert evaluate(output.length, dims) == 2 * 4 * 32 * 4
    assert str(output.length) == "(input0_dim0 * 512)"
    attention = next(step for step in program.steps if "attention_kernel" in step.kernel)
    assert all(evaluate(size, dims) >= 1 for size in attention.workgroups)


def test_parts_of_an_intermediate_buffer_lie_within_it():
    """A CPU layer is compiled to take subspans of its intermediates."""
    program = program_of(irattn.compile("layer_decode_tiny", target="cpu"))
    within = [r for step in program.steps for r in step.ranges if r.buffer.role == "allocation"]
    assert {r.offset for r in within} > {0}
    assert all(r.offset + r.length <= r.buffer.bytes for r in within)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[: len(data) // 2], "does not end as a ZIP file"),
        (lambda data: b"", "does not end as a ZIP file"),
        (
            lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:],
            "member module.fb: altered bytes",
        ),
        (lambda data: b"junk" + data, "bytes 0 to 4: members overlap, or bytes belong to none"),
    ],
)
def test_damage_is_named(change, message):
    vmfb = irattn.compile("gqa_decode_tiny", target="gfx1100").vmfb
    with pytest.raises(ArtifactError, match=message):
        read_module(change(vmfb))


def test_an_unknown_function_is_named():
    module = read_module(irattn.compile("gqa_decode_tiny", target="gfx1100").vmfb)
    with pytest.raises(ArtifactError, match="no function 'softmax'; it exports __init, attention"):
        trace(module, "softmax")


def test_other_bytecode_is_not_guessed_at():
    module = read_module(irattn.compile("gqa_decode_tiny", target="gfx1100").vmfb)
    assert module.bytecode_version == (17, 0)
    version = bytearray(module.flatbuffer)
    at = version.find((17 << 16).to_bytes(4, "little"))
    version[at + 2] = 18
    other = dataclasses.replace(module, flatbuffer=bytes(version))
    with pytest.raises(ArtifactError, match=r"bytecode version 18\.0; irattn reads 17\.0"):
        trace(other, "attention")
