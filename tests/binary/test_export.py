"""Exports: a host that knows nothing but the folder launches what IREE's host program does."""

import dataclasses
import io
import json
import math
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from elftools.elf.elffile import ELFFile

import irattn
from irattn.binary.codeobject import read_code_object
from irattn.binary.exporting import write_hsaco
from irattn.binary.exporting.source import sources
from irattn.binary.launches import (
    NOTES,
    Copy,
    Dispatch,
    Fill,
    launch_files,
    launch_plan,
    read_launch_plan,
)
from irattn.binary.manifest import sha256
from irattn.binary.vmfb import (
    SizeFormula,
    evaluate,
    read_hip_executable,
    read_module,
    trace,
)
from irattn.cli import main
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, UsageError
from irattn.core.tensors import DynamicSize
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import apply_settings
from support.places import TESTS

pytestmark = pytest.mark.slow

STUB = TESTS / "support" / "hip_stub"
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
NAMES = [
    "gqa_causal_tiny",
    "mqa_causal_tiny",
    "gqa_paged_decode_tiny",
    "lse_tiny",
    "layer_decode_tiny",
    "cache_append_tiny",
    "paged_update_decode_tiny",
    "dynamic_paged_decode_tiny",
    # Lengths in whole steps, and the real ones as inputs of their own.
    "dynamic_causal_tiny+kv_len=200",
    # The one of them with a constant: the frequencies of 128 columns.
    "rope_tiny+head_dim=128",
]
# Sizes that a call chooses, none of them the largest.
SIZES = {
    "dynamic_paged_decode_tiny": {"batch": 1, "num_blocks": 5, "max_blocks": 3},
    "dynamic_causal_tiny+kv_len=200": {"kv_len": 128},
}

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def compiled(name, target="gfx1100"):
    name, _, setting = name.partition("+")
    if not setting:
        return irattn.compile(name, target=target)
    return irattn.compile(
        apply_settings(irattn.compiling.catalog.get(name), [setting]), target=target
    )


@pytest.fixture(params=NAMES)
def artifact(request):
    return compiled(request.param)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The stub of HIP as a shared library."""
    folder = tmp_path_factory.mktemp("hip")
    command = ["cc", *STRICT, "-shared", "-fPIC", f"-I{STUB}", *STUB.glob("*.c")]
    subprocess.run([*command, "-o", folder / "libamdhip64.so"], check=True)
    return folder


def on_stub(command, folder, library, code_objects):
    """Run a command in a folder on the stub: what the stub had to do, a line each."""
    noted = [
        (kernel.name, *(argument.size for argument in kernel.arguments if is_given(argument)))
        for code_object in code_objects
        for kernel in read_code_object(code_object).kernels
    ]
    kernels, log = folder / "kernels.txt", folder / "log.txt"
    kernels.write_text("".join(" ".join(map(str, line)) + "\n" for line in noted))
    env = {
        "HIP_STUB_KERNELS": str(kernels),
        "HIP_STUB_LOG": str(log),
        "IREE_HIP_DYLIB_PATH": str(library),
    }
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return log.read_text().splitlines()


def is_given(argument):
    """Whether the caller gives an argument of a kernel, and not the library."""
    return not argument.is_hidden


def steps_of(lines):
    return lines_with(lines, "launch", "fill", "copy")


def lines_with(lines, *words):
    return [line for line in lines if line.split()[0] in words]


def run_example(folder, library, inputs, sizes=()):
    """Build the example as its README says, with all warnings, and run it on the stub."""
    command = ["cc", *STRICT, "-std=c99", f"-I{STUB}", "example.c", f"-L{library}", "-lamdhip64"]
    subprocess.run([*command, f"-Wl,-rpath,{library}", "-o", "example"], cwd=folder, check=True)
    tensors = folder / "tensors"
    tensors.mkdir()
    for name, array in inputs.items():
        array.tofile(tensors / f"{name}.bin")
    code_objects = [file.read_bytes() for file in folder.glob("*.hsaco")]
    return on_stub(["./example", "tensors", *map(str, sizes)], folder, library, code_objects)


def arrays_of(spec):
    """Different bytes for every input of the compiled function."""
    rng = np.random.default_rng(0)
    return {
        tensor.name: rng.integers(0, 100, tuple(map(int, tensor.shape))).astype(
            dtype(tensor.dtype).numpy
        )
        for tensor in spec.inputs
    }


def static_of(artifact, name):
    """The spec of one call of the compiled function."""
    sizes = SIZES.get(name)
    spec = artifact.spec.compiled
    return spec.of_sizes(sizes) if sizes else spec


def dims_of(spec):
    return {
        (f"input{i}", axis): int(size)
        for i, tensor in enumerate(spec.inputs)
        for axis, size in enumerate(tensor.shape)
    }


def expected_lines(artifact, dims):
    """The stub's lines after the inputs are there, as the traced host program has them.

    The example allocates inputs, then what the program allocates, then constants.
    """
    program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
    inputs, allocations = len(artifact.spec.compiled.inputs), len(program.allocations)
    first = {"input": 0, "allocation": inputs, "constant": inputs + allocations}
    blocks = {
        export.kernel: export.workgroup_size
        for executable in program.executables
        for export in read_hip_executable(executable.data)[0]
    }

    def address(place):
        number = first[place.buffer.role] + place.buffer.index
        return f"{number}+{evaluate(place.offset, dims)}"

    for i, data in enumerate(program.constants):
        yield f"write {first['constant'] + i}+0 {len(data)} {zlib.crc32(data)}"
    for step in program.steps:
        addresses = [address(place) for place in step.ranges]
        length = evaluate(step.ranges[-1].length, dims)
        if step.what == "dispatch":
            grid = [evaluate(size, dims) for size in step.workgroups]
            numbers = [evaluate(size, dims) & 0xFFFFFFFF for size in step.constants]
            words = ["launch", step.kernel, *grid, *blocks[step.kernel], 0, *addresses, *numbers]
        elif step.what == "fill":
            pattern = step.pattern.to_bytes(step.pattern_bytes, "little").hex()
            words = ["fill", *addresses, length, pattern]
        else:
            words = ["copy", *addresses, length]
        yield " ".join(map(str, words))
    for place in program.outputs:
        yield f"read {address(place)} {evaluate(place.length, dims)}"


def lines_of_plan(plan, dims):
    """The lines of a host's calls, made from the description alone."""
    numbers = {buffer.id: i for i, buffer in enumerate(plan.buffers)}

    def address(place):
        return f"{numbers[place.buffer]}+{evaluate(place.offset, dims)}"

    for step in plan.steps:
        if isinstance(step, Dispatch):
            kernel = plan.kernel(step.kernel)
            values = {("binding", i): address(place) for i, place in enumerate(step.bindings)}
            for i, size in enumerate(step.constants):
                values["constant", i] = evaluate(size, dims) & 0xFFFFFFFF
            given = [a for a in kernel.arguments if a.index is not None]
            packed = [values.pop((a.kind, a.index)) for a in sorted(given, key=lambda a: a.offset)]
            assert not values
            grid = [evaluate(size, dims) for size in step.grid]
            block = [*kernel.workgroup_size, kernel.dynamic_lds]
            words = ["launch", kernel.name, *grid, *block, *packed]
        elif isinstance(step, Fill):
            length = evaluate(step.target.length, dims)
            pattern = step.pattern.to_bytes(step.pattern_bytes, "little").hex()
            words = ["fill", address(step.target), length, pattern]
        else:
            assert isinstance(step, Copy)
            length = evaluate(step.target.length, dims)
            words = ["copy", address(step.source), address(step.target), length]
        yield " ".join(map(str, words))


@needs_cc
@pytest.mark.parametrize("name", NAMES)
def test_the_example_does_what_the_host_program_does(name, tmp_path, library):
    artifact = compiled(name)
    folder = tmp_path / "made" / "export"
    plan = write_hsaco(artifact, folder)
    spec = static_of(artifact, name)
    arrays, dims = arrays_of(spec), dims_of(spec)
    lines = run_example(folder, library, arrays, SIZES.get(name, {}).values())

    done = lines_with(lines, "write", "launch", "fill", "copy", "read")
    uploads = [
        f"write {i}+0 {array.nbytes} {zlib.crc32(array.tobytes())}"
        for i, array in enumerate(arrays.values())
    ]
    assert done == uploads + list(expected_lines(artifact, dims))
    written = read_launch_plan((folder / "launch.json").read_bytes())
    assert steps_of(lines) == list(lines_of_plan(written, dims))
    assert lines_with(lines, "malloc") == [
        f"malloc {evaluate(buffer.bytes, dims)}" for buffer in plan.buffers
    ]
    for output, tensor in zip(plan.outputs, spec.outputs, strict=True):
        found = (folder / "tensors" / f"{output.name}.bin").read_bytes()
        assert len(found) == math.prod(map(int, tensor.shape)) * dtype(tensor.dtype).numpy.itemsize
        if output.updates:
            # No kernel ran, and the cache is where it was.
            assert found == arrays[output.updates].tobytes()


@needs_cc
@pytest.mark.parametrize("name", NAMES)
def test_iree_itself_launches_the_same(name, tmp_path, library):
    """IREE's own runtime, with the stub as its HIP: only the numbers of allocations differ."""
    artifact = compiled(name)
    spec = static_of(artifact, name)
    for i, array in enumerate(arrays_of(spec).values()):
        np.save(tmp_path / f"{i}.npy", array)
    command = [
        Path(sys.executable).with_name("iree-run-module"),
        "--device=hip",
        f"--module={artifact.path / 'module.vmfb'}",
        f"--function={artifact.manifest.entry_points[0]}",
        *(f"--input=@{i}.npy" for i in range(len(spec.inputs))),
    ]
    elfs = [data for file, data in launch_files(artifact).items() if file.endswith(".hsaco")]
    lines = steps_of(on_stub(command, tmp_path, library, elfs))
    expected = list(lines_of_plan(launch_plan(artifact), dims_of(spec)))
    # The tool copies inputs to the device before, and outputs from it afterwards.
    first = next(i for i, line in enumerate(lines) if line.split()[0] == expected[0].split()[0])
    found = lines[first : first + len(expected)]
    assert renumbered(found) == renumbered(expected)
    rest = lines[:first] + lines[first + len(expected) :]
    assert {line.split()[0] for line in rest} <= {"copy"}


def renumbered(lines):
    """The lines with allocations numbered as they come."""
    numbers = {}

    def number(found):
        return f" {numbers.setdefault(found[1], len(numbers))}+"

    return [re.sub(r" (\d+)\+", number, line) for line in lines]


def test_the_description_is_of_these_tensors_and_kernels(artifact):
    plan, files = launch_plan(artifact), launch_files(artifact)
    spec = artifact.spec.compiled
    assert plan.gfx == "gfx1100"
    program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
    assert (plan.barriers, len(plan.steps)) == (program.barriers, len(program.steps))
    for operands, tensors in ((plan.inputs, spec.inputs), (plan.outputs, spec.outputs)):
        assert [(o.name, o.dtype) for o in operands] == [(t.name, t.dtype) for t in tensors]
        for operand, tensor in zip(operands, tensors, strict=True):
            dynamic = [isinstance(size, DynamicSize) for size in tensor.shape]
            assert [isinstance(size, SizeFormula) for size in operand.shape] == dynamic
    assert {o.name: o.updates for o in plan.outputs if o.updates} == spec.updates
    assert {o.name for o in plan.inputs if o.overwritten} == set(spec.updates.values())

    buffers = {buffer.id: buffer for buffer in plan.buffers}
    assert len(buffers) == len(plan.buffers)
    for operand in (*plan.inputs, *plan.outputs):
        assert buffers[operand.place.buffer].role in ("input", "output")
    named = [*plan.code_objects, *(buffer for buffer in plan.buffers if buffer.file)]
    assert {file.file: (file.bytes, file.sha256) for file in named} == {
        name: (len(data), sha256(data)) for name, data in files.items()
    }
    for kernel in plan.kernels:
        noted = {k.name: k for k in read_code_object(files[kernel.code_object]).kernels}
        found = noted[kernel.name]
        assert kernel.workgroup_size == found.required_workgroup
        layout = [(a.offset, a.size) for a in found.arguments]
        assert [(a.offset, a.size) for a in kernel.arguments] == layout
        assert max(offset + size for offset, size in layout) <= kernel.kernarg_bytes
        assert kernel.wave_size == 32


def test_json_is_read_back_as_it_was(artifact):
    plan = launch_plan(artifact)
    assert read_launch_plan(plan.to_json().encode()) == plan


def test_limits_of_elements_are_those_of_the_tensors(artifact):
    plan, inputs = launch_plan(artifact), artifact.spec.compiled.inputs
    assert [operand.limits for operand in plan.inputs] == [tensor.limits for tensor in inputs]


@pytest.mark.parametrize("name", irattn.compiling.catalog.names(["tiny"]))
def test_every_integer_has_limits(name):
    spec = irattn.compiling.catalog.get(name).compiled
    assert [t.name for t in spec.inputs if t.dtype == "i32" and not t.limits] == []


def test_a_block_table_says_what_stands_past_a_context():
    found = launch_plan(compiled("gqa_paged_decode_tiny")).to_dict()
    (table,) = (operand for operand in found["inputs"] if operand["name"] == "block_table")
    assert table["limits"] == [0, 7]
    assert "those past a context are not looked at" in table["rule"]
    assert "inputs.limits" in found["notes"]


def test_entries_and_slots_past_a_context_are_not_looked_at():
    """By the machine code itself, without the runtime that puts 0 for -1."""
    pytest.importorskip("tinygrad")
    artifact = compiled("gqa_paged_decode_tiny")
    tensors = random_tensors(artifact.spec)
    tensors["context_lens"][:] = 20
    tensors["block_table"][:] = [[1, 2, -1, -1], [3, 4, -1, 2**30]]
    (expected,) = reference(artifact.spec, tensors)
    for name in ("key_cache", "value_cache"):
        tensors[name][[0, 5, 6, 7]] = np.nan
        tensors[name][[2, 4], :, 4:] = np.nan
    (output,) = EmulatedSession(artifact, "emulator").run(list(tensors.values()))
    np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-6)


def test_kernels_are_loaded_by_name_and_symbols_are_descriptors(artifact):
    plan, files = launch_plan(artifact), launch_files(artifact)
    for kernel in plan.kernels:
        elf = ELFFile(io.BytesIO(files[kernel.code_object]))
        kinds = {
            symbol.name: symbol["st_info"]["type"]
            for symbol in elf.get_section_by_name(".dynsym").iter_symbols()
        }
        assert (kinds[kernel.name], kinds[kernel.symbol]) == ("STT_FUNC", "STT_OBJECT")
    notes = plan.to_dict()["notes"]
    assert "hipModuleGetFunction" in notes["kernels.name"]
    assert "descriptor" in notes["kernels.symbol"]


def test_outputs_may_share_a_buffer():
    plan = launch_plan(compiled("lse_tiny"))
    first, second = plan.outputs
    assert first.place.buffer == second.place.buffer == "output0"
    assert {first.place.offset, second.place.offset} == {0, 4 * 32 * 32 * 4}


def test_constants_are_files():
    artifact = compiled("rope_tiny+head_dim=128")
    plan = launch_plan(artifact)
    (constant,) = (buffer for buffer in plan.buffers if buffer.role == "constant")
    data = launch_files(artifact)[constant.file]
    assert (len(data), sha256(data)) == (constant.bytes, constant.sha256)
    assert constant.id in {p.buffer for step in plan.steps for p in step.bindings}


def test_sizes_of_a_call_are_formulas_over_axes_of_inputs():
    plan = launch_plan(compiled("dynamic_paged_decode_tiny"))
    assert [(size.name, size.most, size.multiple) for size in plan.sizes] == [
        ("batch", 2, 1),
        ("num_blocks", 8, 1),
        ("max_blocks", 4, 1),
    ]
    assert plan.sizes[0].axes == (("input0", 0), ("input3", 0), ("input4", 0))
    (output,) = plan.to_dict()["outputs"]
    tree = ["mul", ["dim", "input0", 0], 512]
    assert output["place"]["length"] == {"formula": tree, "c": "(input0_dim0 * 512)"}
    hidden = {a.kind for kernel in plan.kernels for a in kernel.arguments if a.index is None}
    assert "hidden_block_count_x" in hidden


@pytest.mark.parametrize(
    ("name", "has", "pool", "row"),
    [
        ("gqa_paged_decode_tiny", "has 8 blocks", 64, [63, 32, 1]),
        ("gqa_paged_decode_tiny+num_blocks=4096", "has 4096 blocks", 4096, [4095, 2048, 1]),
        ("gqa_paged_decode_tiny+max_blocks=1", "has 8 blocks", 8, [7]),
        ("dynamic_paged_decode_tiny", "has up to 8 blocks", 64, [63, 32, 1]),
        ("gqa_paged_decode_tiny+layout=NHD", "has 8 blocks", 64, [63, 32, 1]),
    ],
)
def test_the_readme_shows_a_pool_larger_than_the_batch(name, has, pool, row):
    plan = launch_plan(compiled(name))
    readme = sources(plan)["README.md"]
    assert has in readme
    blocks, batch, max_blocks = pool, 2, 1 if len(row) == 1 else 4
    assert blocks > batch * max_blocks
    tokens = 16 * (len(row) - 1) + 9
    assert f"{tokens} tokens in a pool of {pool} blocks" in readme
    assert f"block_table_row[{max_blocks}] = {{{', '.join(map(str, row))}}};" in readme
    assert ("`--set num_blocks=64`" in readme) == (has != f"has {pool} blocks")
    assert "Entries of the row past the context are not looked at" in readme


def test_the_readme_shows_slots_where_they_are_given():
    readme = sources(launch_plan(compiled("paged_update_decode_tiny")))["README.md"]
    assert "slot_of_last_token = 1 * 16 + 8;" in readme
    for name, has_cache in (("gqa_causal_tiny", False), ("gqa_paged_decode_tiny", True)):
        readme = sources(launch_plan(compiled(name)))["README.md"]
        assert ("## The block cache" in readme) == has_cache
        assert "slot_of_last_token" not in readme


def test_header_and_readme_say_what_elements_may_be():
    files = sources(launch_plan(compiled("gqa_paged_decode_tiny")))
    header, readme = files["gqa_paged_decode_tiny.h"], files["README.md"]
    assert "void *block_table; /* i32 [2, 4]; 0 to 7; ids of blocks of the cache;" in header
    assert "| `block_table` | `i32 [2, 4]` | 0 to 7; ids of blocks of the cache;" in readme
    for note in NOTES.values():
        assert note in readme


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("name", ["gqa_causal_tiny", "dynamic_paged_decode_tiny"])
def test_header_and_example_are_cxx_too(name, tmp_path):
    write_hsaco(compiled(name), tmp_path / "e")
    command = ["c++", "-x", "c++", "-Wall", "-Werror", "-fsyntax-only", f"-I{STUB}", "example.c"]
    subprocess.run(command, cwd=tmp_path / "e", check=True)


def export(*args, code=0):
    result = CliRunner().invoke(main, ["export", *map(str, args)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_the_command_writes_the_folder(tmp_path):
    artifact = compiled("gqa_decode_tiny")
    folder = tmp_path / "e"
    text = export(artifact.path, "-o", folder).stdout
    assert text.startswith(f"{folder}: gqa_decode_tiny for gfx1100, 1 kernel, 1 step\n")
    files = {path.name for path in folder.iterdir()}
    assert files == {
        "README.md", "example.c", "gqa_decode_tiny.h", "gqa_decode_tiny-0.hsaco", "launch.json",
    }  # fmt: skip
    (elf,) = read_hip_executable(
        trace(read_module(artifact.vmfb), "attention").executables[0].data
    )[1]
    assert (folder / "gqa_decode_tiny-0.hsaco").read_bytes() == elf
    readme = (folder / "README.md").read_text()
    for name in files - {"README.md"}:
        assert f"`{name}`" in readme
    found = json.loads(export(artifact.path, "-o", tmp_path / "f", "--json").stdout)
    assert (found["gfx"], set(found["files"])) == ("gfx1100", files)


def test_other_targets_are_refused(tmp_path):
    artifact = compiled("gqa_decode_tiny", target="x86-64-v3")
    refused = export(artifact.path, "-o", tmp_path / "e", code=2)
    assert "compiled for x86-64-v3, which has no AMD code objects" in refused.stderr
    assert "--target gfx1100" in refused.stderr
    assert not (tmp_path / "e").exists()
    with pytest.raises(UsageError, match="no code for a GPU"):
        launch_files(artifact)


def test_ptx_is_not_exported(tmp_path):
    refused = export(compiled("gqa_decode_tiny", target="sm_89").path, "-o", tmp_path / "e", code=2)
    assert "compiled for sm_89, which has no AMD code objects" in refused.stderr


def test_a_folder_with_anything_in_it_is_refused(tmp_path):
    artifact = compiled("gqa_decode_tiny")
    (tmp_path / "e").mkdir()
    export(artifact.path, "-o", tmp_path / "e")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    refused = export(artifact.path, "-o", tmp_path / "e", code=2)
    assert "expected a new or an empty folder; name another with -o" in refused.stderr
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    refused = export(compiled("gqa_decode_tiny").path, "-o", tmp_path / "e", code=1)
    assert "No space left on device" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_no_artifact_is_named(tmp_path):
    refused = export(tmp_path, "-o", tmp_path / "e", code=1)
    assert "no artifact here" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_arguments_that_note_and_module_tell_differently_are_refused(monkeypatch):
    artifact = compiled("gqa_decode_tiny")

    def other(data):
        exports, elfs = read_hip_executable(data)
        return [dataclasses.replace(e, constant_count=1) for e in exports], elfs

    formats = irattn.binary.launches.code.FORMATS
    monkeypatch.setitem(formats, "hip", dataclasses.replace(formats["hip"], read=other))
    with pytest.raises(ArtifactError, match=r"expected \d bindings and 1 constants, got"):
        launch_plan(artifact)


def test_a_dispatch_that_no_kernel_fits_is_refused(monkeypatch):
    artifact = compiled("gqa_decode_tiny")

    def other(module, name):
        program = trace(module, name)
        step = dataclasses.replace(program.steps[0], constants=(1,))
        return dataclasses.replace(program, steps=(step,))

    monkeypatch.setattr(irattn.binary.launches.planning, "trace", other)
    with pytest.raises(ArtifactError, match="and 1 constants, and the executable has no such"):
        launch_plan(artifact)
