"""Mutated code objects and modules: each is read, or refused by an error of ours."""

import random
from collections import Counter

import msgpack
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, s, v

from irattn.binary.codeobject import read_code_object
from irattn.binary.inspection import disassemble_kernels, inspect_module, kernel_figures
from irattn.binary.vmfb import read_hip_executable, read_module, trace
from irattn.compiling import catalog
from irattn.core.errors import ArtifactError, EmulatorError, IrattnError
from irattn.lab.emulator import missing_waits
from irattn.lab.profiling import obstacles_of
from support.code_mutants import MUTATIONS, VALUES, module_mutant, with_note
from support.code_object import assembled
from support.emulator.machine import TABLES
from support.machine_code import artifact
from support.mutants import with_checksum

ELFS, MODULES = 250, 250
ARGUMENTS = [("global_buffer", 8), ("by_value", 4), ("hidden_group_size_x", 2)]


@pytest.fixture(scope="module")
def vmfb():
    return artifact(catalog.get("gqa_decode_tiny"), "gfx1100").vmfb


@pytest.fixture(scope="module")
def elf(vmfb):
    (executable,) = trace(read_module(vmfb), "attention").executables
    _, (elf,) = read_hip_executable(executable.data)
    return elf


@pytest.fixture(scope="module")
def small_elf():
    """A kernel of a few instructions: what takes long for large ones takes no time."""
    ins = TABLES["gfx1100"]
    code = [
        ins.s_load_b64(s[2:3], s[0:1], soffset=NULL),
        ins.v_lshlrev_b32_e32(v[1], 2, v[0]),
        ins.s_waitcnt(0),
        ins.global_load_b32(v[2], v[1], saddr=s[2:3]),
        ins.s_cbranch_scc1(1),
        ins.v_add_f32_e32(v[2], 1.0, v[2]),
        ins.global_store_b32(addr=v[1], data=v[2], saddr=s[2:3]),
    ]
    return assembled("k", "gfx1100", code, ARGUMENTS)


def figures(elf):
    """What `irattn inspect` shows of a code object."""
    code_object = read_code_object(elf)
    kernel_figures(code_object)
    return code_object


def looked_at(elf):
    """All that can be asked for besides."""
    code_object = figures(elf)
    obstacles_of(code_object)
    for lines in disassemble_kernels(code_object).values():
        list(lines)
    for kernel in code_object.kernels:
        missing_waits(kernel, code_object.gfx)


def outcomes(mutants, look):
    """How often mutants were refused, and how often not; other errors end the test."""
    counts = Counter()
    for number, mutant in enumerate(mutants):
        try:
            look(mutant)
            counts["read"] += 1
        except IrattnError as error:
            counts["refused" if str(error).isprintable() else "not printable"] += 1
        except Exception as error:
            pytest.fail(f"mutant {number}: {error!r}")
    assert counts["not printable"] == 0
    return counts


def mutants(elf):
    for number in range(ELFS):
        rng = random.Random(number)
        yield rng.choice(MUTATIONS)(rng, elf)


@pytest.mark.slow
def test_every_mutated_code_object_is_read_or_refused(elf, small_elf):
    for one, look in ((elf, figures), (small_elf, looked_at)):
        counts = outcomes(mutants(one), look)
        assert counts["refused"] > ELFS / 4
        assert counts["read"] > ELFS / 10


@pytest.mark.slow
def test_every_mutated_module_is_read_or_refused(vmfb):
    module = read_module(vmfb)
    parts = [module.flatbuffer, module.bytecode, *(one for one in module.rodata if len(one) > 100)]

    def mutants():
        for number in range(MODULES):
            rng = random.Random(number)
            yield with_checksum(module_mutant(rng, vmfb, rng.choice(parts)))

    counts = outcomes(mutants(), inspect_module)
    assert counts["refused"] > MODULES / 5


def kernel_note(**changes):
    """The note of a kernel, with some fields changed and those that are None left out."""
    kernel = {
        ".name": "k",
        ".symbol": "k.kd",
        ".args": [{".offset": 0, ".size": 8, ".value_kind": "global_buffer"}],
        ".kernarg_segment_size": 8,
        ".kernarg_segment_align": 8,
        ".group_segment_fixed_size": 0,
        ".private_segment_fixed_size": 0,
        ".wavefront_size": 32,
        ".sgpr_count": 16,
        ".vgpr_count": 16,
        ".max_flat_workgroup_size": 256,
    } | {f".{name}": value for name, value in changes.items()}
    return {name: value for name, value in kernel.items() if value is not None}


def packed(kernels, target="amdgcn-amd-amdhsa--gfx1100"):
    elf = assembled("k", "gfx1100", [TABLES["gfx1100"].s_nop(0)], ARGUMENTS)
    return with_note(elf, msgpack.packb({"amdhsa.target": target, "amdhsa.kernels": kernels}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vgpr_count": None}, "kernel k: .vgpr_count: missing"),
        (
            {"wavefront_size": 0},
            "kernel k: .wavefront_size: expected a whole number of at least 32",
        ),
        ({"wavefront_size": 48}, "kernel k: .wavefront_size: expected 32 or 64, got 48"),
        ({"sgpr_count": True}, "kernel k: .sgpr_count: expected a whole number, got True"),
        ({"group_segment_fixed_size": 2**40}, ".group_segment_fixed_size: expected a whole number"),
        ({"name": 3}, "kernel 0: .name: expected text, got 3"),
        ({"name": "a\x1b[31m"}, "kernel 0: .name: expected a printable name"),
        ({"symbol": "other"}, "other: no symbol of this name"),
        ({"args": [{".offset": 0, ".size": 8}]}, "kernel k: .args[0]: .value_kind: missing"),
        ({"args": 3}, "kernel k: .args: expected a list, got 3"),
        ({"args": [3]}, "kernel k: .args[0]: expected an object, got 3"),
        (
            {"args": [{".offset": 4, ".size": 8, ".value_kind": "by_value"}]},
            "kernel k: .args[0]: .size: expected at most 4 bytes from 4 on, got 8",
        ),
        ({"reqd_workgroup_size": [64, 64, 64]}, ".reqd_workgroup_size: expected at most 1024"),
        (
            {"reqd_workgroup_size": [64]},
            ".reqd_workgroup_size: expected a list with 3, got [64]",
        ),
        ({"reqd_workgroup_size": [8, 0, 1]}, ".reqd_workgroup_size[1]: expected a whole number of"),
    ],
)
def test_a_wrong_field_of_a_note_is_named(changes, message):
    with pytest.raises(ArtifactError) as caught:
        read_code_object(packed([kernel_note(**changes)]))
    assert str(caught.value).startswith("the code object is damaged: ")
    assert message in str(caught.value)


def test_any_value_in_any_field_of_a_note_is_read_or_refused():
    notes = [kernel_note(**{name[1:]: value}) for name in kernel_note() for value in VALUES]
    counts = outcomes((packed([note]) for note in notes), looked_at)
    assert counts["refused"] > counts["read"] > 0


@pytest.mark.parametrize(
    ("target", "gfx"),
    [
        ("amdgcn-amd-amdhsa--gfx1100", "gfx1100"),
        ("amdgcn-amd-amdhsa-unknown-gfx90a:sramecc+:xnack-", "gfx90a"),
        ("amdgcn-amd-amdhsa--gfx11-generic", "gfx11-generic"),
        ("amdgpu11.00-amd-amdhsa-unknown-gfx1100", "gfx1100"),
    ],
)
def test_the_processor_of_every_way_to_write_a_target_is_found(target, gfx):
    assert read_code_object(packed([kernel_note()], target)).gfx == gfx


def test_a_key_that_is_there_twice_is_refused():
    elf = packed([kernel_note(vgpr_count=16, agpr_count=16)])
    twice = elf.replace(b".agpr_count", b".vgpr_count")
    assert twice != elf
    with pytest.raises(ArtifactError, match="its metadata is not readable: a key is there twice"):
        read_code_object(twice)


def test_two_kernels_of_one_name_are_refused():
    with pytest.raises(ArtifactError, match="two kernels have one name"):
        read_code_object(packed([kernel_note(), kernel_note()]))


def test_code_without_segments_is_shown_and_not_executed(elf):
    from irattn.lab.emulator import Memory

    bare = elf[:56] + bytes(2) + elf[58:]
    looked_at(bare)
    with pytest.raises(EmulatorError, match="no segments to load"):
        Memory().image(read_code_object(bare))
