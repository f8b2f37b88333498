"""Exports: what the folder says of kernels, tensors and sizes, and the command that writes it."""

import dataclasses
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from elftools.elf.elffile import ELFFile

import irattn
from irattn.binary.codeobject import read_code_object
from irattn.binary.exporting.source import sources
from irattn.binary.launches import (
    NOTES,
    launch_files,
    launch_plan,
    read_launch_plan,
)
from irattn.binary.manifest import sha256
from irattn.binary.vmfb import (
    SizeFormula,
    read_hip_executable,
    read_module,
    trace,
)
from irattn.cli import main
from irattn.core.errors import ArtifactError, UsageError
from irattn.core.tensors import DynamicSize
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.export_hosts import NAMES, compiled

pytestmark = pytest.mark.slow


@pytest.fixture(params=NAMES)
def artifact(request):
    return compiled(request.param)


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
        "README.md", "example.c", "example.rs", "gqa_decode_tiny.c", "gqa_decode_tiny.h",
        "gqa_decode_tiny.rs", "gqa_decode_tiny-0.hsaco", "launch.json",
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
    assert "compiled for x86-64-v3, which has no code for a GPU" in refused.stderr
    assert "--target gfx1100" in refused.stderr
    assert not (tmp_path / "e").exists()
    with pytest.raises(UsageError, match="no code for a GPU"):
        launch_files(artifact)


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


def test_a_bundle_is_no_artifact(tmp_path):
    bundle = tmp_path / "all.irattn"
    bundle.touch()
    refused = export(bundle, "-o", tmp_path / "made", code=1)
    assert "expected the folder of an artifact, got a bundle; give a folder that" in refused.stderr


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
