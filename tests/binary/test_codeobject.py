"""Machine code as irattn reads it, against the assembly that the compiler writes beside it."""

import dataclasses
import re
from itertools import groupby

import pytest

from irattn import targets
from irattn.binary.codeobject import (
    assembly,
    instructions,
    matrix_flops,
    matrix_flops_per_wave,
    read_code_object,
)
from irattn.binary.inspection import inspect_module, kernels_of
from irattn.binary.inspection.figures import Occupancy
from irattn.binary.vmfb import read_hip_executable, read_module, trace
from irattn.compiling import catalog
from irattn.core.errors import ArtifactError
from irattn.rendering import GraphRequest, render
from support.compiled_once import compiled_quickly
from support.machine_code import artifact

pytestmark = pytest.mark.slow

# Not gqa_causal_base for gfx942 and gfx90a: the compiler's text is there not the code that it ships
# (other registers in one than in the other).
CASES = [
    ("gfx1100", "gqa_causal_base"),
    ("gfx1100", "layer_decode_tiny"),
    ("gfx1201", "gqa_paged_prefill_tiny"),
    ("gfx942", "gqa_paged_decode_base"),
    ("gfx90a", "gqa_paged_decode_base"),
    ("gfx90a", "cross_gqa_base"),
    ("gfx950", "gqa_paged_decode_base"),
]


@pytest.fixture(scope="module", params=CASES, ids=" ".join)
def compiled(request, tmp_path_factory):
    """A module and the compiler's own assembly of it."""
    target, name = request.param
    folder = tmp_path_factory.mktemp(target)
    flags = (*targets.get(target).flags, f"--iree-hal-dump-executable-files-to={folder}")
    vmfb = compiled_quickly(render(GraphRequest(catalog.get(name), targets.get(target))), flags)
    return vmfb, "\n".join(path.read_text() for path in sorted(folder.glob("*.rocmasm")))


def code_object_of(vmfb):
    program = trace(read_module(vmfb), entry_point(vmfb))
    (executable,) = program.executables
    _, (elf,) = read_hip_executable(executable.data)
    return elf


def entry_point(vmfb):
    return next(name for name in read_module(vmfb).exports if not name.startswith("__"))


def written(text, kernel, decoded):
    """A kernel's lines as the compiler prints them, with offsets in place of labels."""
    body = text.partition(f"\n{kernel}:")[2].partition(".Lfunc_end")[0]
    lines, labels = [], {}
    for line in body.splitlines():
        if label := re.match(r"(\.L\w+):", line):
            labels[label[1]] = len(lines)
        elif re.match(r"\t[a-z]", line):
            lines.append(" ".join(line.partition(";")[0].split()))
    at = {label: f"{decoded[line].at:#06x}" for label, line in labels.items()}
    return [re.sub(r"\.LBB\w+", lambda label: at[label[0]], line) for line in lines]


def without_padding(decoded):
    """Without the no-operations before code that is entered once arguments were preloaded."""
    for is_idle, run in groupby(decoded, lambda one: assembly(one) == "s_nop 0"):
        kept = list(run)
        yield from [] if is_idle and len(kept) > 8 else kept


def test_every_instruction_is_as_the_compiler_wrote_it(compiled):
    vmfb, text = compiled
    code_object = read_code_object(code_object_of(vmfb))
    for kernel in code_object.kernels:
        decoded = list(instructions(kernel.code, code_object.gfx))
        assert sum(instruction.size for instruction in decoded) == len(kernel.code)
        decoded = list(without_padding(decoded))
        expected = written(text, kernel.name, decoded)
        lanes = kernel.number(".wavefront_size")
        told = [assembly(one, lanes) for one in decoded]
        assert list(map(in_place, told, expected)) == expected


def in_place(line, expected):
    """A line whose last operand the linker chooses, as the compiler writes it."""
    if "@rel32" in expected:
        return ", ".join([*line.split(", ")[:-1], expected.split(", ")[-1]])
    return line


def test_resources_are_those_of_the_assembly(compiled):
    vmfb, text = compiled
    kernels = inspect_module(vmfb).kernels
    for key, field in (
        ("vgpr_count", "vgprs"),
        ("sgpr_count", "sgprs"),
        ("vgpr_spill_count", "vgpr_spills"),
        ("group_segment_fixed_size", "lds_bytes"),
        ("wavefront_size", "wave_size"),
    ):
        expected = sorted(map(int, re.findall(rf"\.{key}:\s*(\d+)", text)))
        assert sorted(getattr(kernel, field) for kernel in kernels) == expected


@pytest.mark.parametrize(
    "name",
    ["mha_full_base", "attention_scores_base", "weighted_values_base", "mlp_base"],
)
def test_the_estimate_counts_every_product_once(name):
    spec = catalog.get(name)
    for target in ("gfx1100", "gfx942"):
        module = inspect_module(artifact(spec, target).vmfb)
        assert sum(step.matrix_flops for step in module.dispatches) == spec.flops


def test_loops_whose_end_the_call_decides_are_not_guessed():
    module = inspect_module(artifact(catalog.get("gqa_paged_decode_base"), "gfx1100").vmfb)
    assert module.dispatches[0].matrix_flops is None


@pytest.mark.parametrize(
    ("name", "flops"),
    [
        ("v_wmma_f32_16x16x16_f16", 2 * 16**3),
        ("v_mfma_f32_32x32x8_f16", 2 * 32 * 32 * 8),
        ("v_mfma_f32_4x4x4_16b_f16", 2 * 4**3 * 16),
        ("v_smfmac_f32_16x16x32_f16", 2 * 16 * 16 * 16),
        ("v_add_f32", 0),
    ],
)
def test_flops_of_one_instruction(name, flops):
    assert matrix_flops(name) == flops


def test_loops_that_are_not_known_are_not_guessed():
    """The loop's bound comes from memory once the constant is not there."""
    vmfb = artifact(catalog.get("mha_full_base"), "gfx1100").vmfb
    (kernel,) = read_code_object(code_object_of(vmfb)).kernels
    decoded = list(instructions(kernel.code, "gfx1100"))
    assert matrix_flops_per_wave(decoded) == 2**32 / 256 / 4
    without = [one for one in decoded if not one.name.startswith("s_cmp")]
    assert matrix_flops_per_wave(without) is None


@pytest.mark.parametrize(
    ("occupancy", "limit"),
    [
        (Occupancy(6, 7, 6, 16), "LDS"),
        (Occupancy(3, 3, 8, 8), "registers"),
        (Occupancy(16, 16, 16, 16), "the hardware"),
    ],
)
def test_the_limit_of_occupancy_is_named(occupancy, limit):
    assert occupancy.limited_by == limit


def test_occupancy_by_hand():
    """226 VGPRs are 240 of 1536: 6 waves; 6 workgroups of 4 waves and 18,944 B on 4 SIMDs: 6."""
    vmfb = artifact(catalog.get("gqa_causal_base"), "gfx1100").vmfb
    (kernel,) = inspect_module(vmfb).kernels
    assert (kernel.vgprs, kernel.lds_bytes) == (226, 18944)
    assert kernel.occupancy == Occupancy(6, 6, 6, 16)


def test_lds_that_a_launch_adds_leaves_room_for_fewer_waves(monkeypatch):
    """18,944 and 60,000 B are 79,360 in steps of 512: one workgroup of 4 waves on 4 SIMDs."""
    vmfb = artifact(catalog.get("gqa_causal_base"), "gfx1100").vmfb

    def read(data):
        exports, elfs = read_hip_executable(data)
        return [dataclasses.replace(one, dynamic_lds_bytes=60_000) for one in exports], elfs

    monkeypatch.setattr("irattn.binary.inspection.module.read_hip_executable", read)
    (kernel,) = inspect_module(vmfb).kernels
    assert kernel.lds_bytes == 18944 + 60_000
    assert kernel.occupancy == Occupancy(1, 6, 1, 16)


def test_damage_is_named():
    vmfb = artifact(catalog.get("gqa_decode_tiny"), "gfx1100").vmfb
    elf = code_object_of(vmfb)
    for damaged in (b"", elf[:100], elf[: len(elf) // 2], elf.replace(b"AMDGPU\0", b"amdgpu\0")):
        with pytest.raises(ArtifactError, match="the code object is damaged"):
            read_code_object(damaged)


def test_an_unknown_instruction_is_named():
    with pytest.raises(ArtifactError, match=r"not in the tables of gfx1100: 0xffffffff at 0x4"):
        list(instructions(bytes.fromhex("000080bf ffffffff"), "gfx1100"))


@pytest.mark.parametrize(
    ("gfx", "code", "message"),
    [
        # v_add_u32_e64 v0, LIT, v0, where no literal may follow.
        ("gfx942", "000034d1 ff000200", r"v_add_u32_e64 at 0x0 is no instruction: it has no lit"),
        # v_mov_b32_e32 v0, of a number that stands for no register.
        ("gfx1100", "dc02007e", r"v_mov_b32_e32 at 0x0 is no instruction: unknown register"),
    ],
)
def test_operands_that_there_are_not_are_named(gfx, code, message):
    (instruction,) = instructions(bytes.fromhex(code), gfx)
    with pytest.raises(ArtifactError, match=message):
        assembly(instruction)


def test_code_that_ends_within_an_instruction():
    # v_mov_b32_e32 v0, and a literal that is not there.
    with pytest.raises(ArtifactError, match=r"the code ends within .* v_mov_b32_e32 at 0x0"):
        list(instructions(bytes.fromhex("ff02007e"), "gfx1100"))


def test_modules_for_other_targets_have_no_amd_kernels():
    vmfb = artifact(catalog.get("gqa_causal_tiny"), "cpu").vmfb
    assert kernels_of(trace(read_module(vmfb), "attention")) == {}
    assert len(inspect_module(vmfb).dispatches) == 1
