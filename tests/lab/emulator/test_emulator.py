"""Compiled kernels for each family, executed by the emulator, against the float64 reference."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from irattn.rendering import GraphRequest

pytest.importorskip("tinygrad")

from irattn import targets
from irattn.binary.codeobject import KernelCode, read_code_object
from irattn.binary.launches import LaunchPlan, launch_plan_and_files
from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.core.errors import EmulatorError
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.emulator import SCHEDULES, Run, run_plan, supported, unsupported_instructions
from irattn.lab.inputs import CASES, Tensors
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.runtime.arguments import check_arguments
from irattn.specs import Spec
from support.emulator.cuts import cut
from support.joined import artifacts_of
from support.tiny import TINY, tiny_artifact, tiny_names

pytestmark = pytest.mark.slow

TARGET = "gfx1100"
TARGETS = (TARGET, "gfx1201", "gfx942", "gfx90a")

SMALL = {"q_len": 64, "kv_len": 64}
MATRIX: dict[str, dict[str, Any]] = {
    "mha_full_tiny": SMALL,
    "gqa_causal_tiny": SMALL,
    "gqa_paged_decode_tiny": {},
}


def matrix_spec(name: str, io_dtype: str) -> Spec:
    return catalog.get(name).replace(io_dtype=io_dtype, **MATRIX[name])


# What is multiplied by matrix instructions, and what models call, cut: by target, as that is
# compiled together.
MATRIX_CASES = [
    (target, name)
    for target in (*TARGETS, "gfx950")
    for name in (MATRIX if target in TARGETS[:2] else ["gqa_causal_tiny"])
]
MODELS = ("gqa_causal_base", "gqa_paged_decode_base")


@cache
def together(target: str) -> dict[Spec, Artifact]:
    names = [name for its, name in MATRIX_CASES if its == target]
    specs = [matrix_spec(name, io_dtype) for name in names for io_dtype in ("f16", "bf16")]
    specs += [cut(catalog.get(name)) for name in MODELS if target in TARGETS]
    return artifacts_of(specs, target)


NAMES = {catalog.get(name): name for name in TINY}


@cache
def artifact(spec: Spec, target: str = TARGET) -> Artifact:
    if spec in together(target):
        return together(target)[spec]
    if spec in NAMES:
        return tiny_artifact(NAMES[spec], target)
    return build(GraphRequest(spec, targets.get(target)))


@cache
def plan(spec: Spec, target: str = TARGET) -> tuple[LaunchPlan, dict[str, bytes]]:
    return launch_plan_and_files(artifact(spec, target))


def given(spec: Spec, tensors: Tensors) -> dict[str, Any]:
    names = (tensor.name for tensor in spec.inputs)
    return dict(zip(names, check_arguments(spec, tensors), strict=True))


def kernels(files: dict[str, bytes]) -> list[KernelCode]:
    """All kernels of a plan's files."""
    elfs = (data for data in files.values() if data.startswith(b"\x7fELF"))
    return [kernel for elf in elfs for kernel in read_code_object(elf).kernels]


def run(spec: Spec, case: str = "normal", target: str = TARGET, **how: Any) -> tuple[Run, Tensors]:
    tensors = CASES[case].tensors(spec)
    return run_plan(*plan(spec, target), given(spec, tensors), **how), tensors


def strain_of(spec: Spec, outputs: Iterable[np.ndarray], tensors: Tensors) -> float:
    """The worst output's error in units of what is allowed."""
    pairs = zip(outputs, reference(spec, tensors), spec.outputs, strict=True)
    strains = []
    for output, expected, tensor in pairs:
        strains.append(strain(measured(output, expected, tensor)))
    return max(strains)


@pytest.mark.parametrize(
    ("target", "name"),
    [(target, name) for target in TARGETS for name in tiny_names(target)],
)
def test_the_machine_code_computes_the_reference(target: str, name: str) -> None:
    spec = catalog.get(name)
    tensors = CASES["normal"].tensors(spec)
    session = EmulatedSession(tiny_artifact(name, target), "emulator")
    assert strain_of(spec, session.run(check_arguments(spec, tensors)), tensors) <= 1


@pytest.mark.parametrize("io_dtype", ["f16", "bf16"])
@pytest.mark.parametrize(("target", "name"), MATRIX_CASES)
def test_matrix_instructions_compute_the_reference(target: str, name: str, io_dtype: str) -> None:
    spec = matrix_spec(name, io_dtype)
    result, tensors = run(spec, target=target)
    assert strain_of(spec, result.outputs, tensors) <= 1
    if MATRIX[name]:
        assert sum(counts.matrix_flops for counts in result.counts) > 0


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_kernels_of_models_compute_the_reference(name: str, target: str) -> None:
    spec = cut(catalog.get(name))
    result, tensors = run(spec, target=target)
    assert strain_of(spec, result.outputs, tensors) <= 1


@pytest.mark.parametrize("case", ["subnormals", "huge_scale", "large_values"])
def test_extreme_numbers(case: str) -> None:
    spec = catalog.get("gqa_decode_tiny")
    result, tensors = run(spec, case)
    assert strain_of(spec, result.outputs, tensors) <= 1


@pytest.mark.parametrize(
    ("target", "name"),
    [
        (TARGET, "gqa_paged_decode_tiny"),
        (TARGET, "layer_decode_tiny"),
        (TARGET, "softmax_tiny"),
        ("gfx1201", "gqa_paged_decode_tiny"),
        ("gfx1201", "softmax_tiny"),
        ("gfx942", "gqa_causal_tiny"),
        ("gfx90a", "layer_decode_tiny"),
    ],
)
def test_the_order_of_waves_makes_no_difference(target: str, name: str) -> None:
    spec = catalog.get(name)
    runs = [run(spec, target=target, schedule=schedule, seed=7)[0] for schedule in SCHEDULES]
    for other in runs[1:]:
        assert other.is_same(runs[0])
        assert other.counts == runs[0].counts


def test_without_checks_the_numbers_are_the_same() -> None:
    spec = catalog.get("mha_full_tiny").replace(io_dtype="f16", **SMALL)
    (checked, _), (plain, _) = run(spec), run(spec, checks=False)
    assert checked.is_same(plain)
    assert checked.counts == plain.counts


def test_counts_tell_what_ran() -> None:
    spec = catalog.get("mha_full_tiny").replace(io_dtype="f16", **SMALL)
    result, _ = run(spec)
    (counts,) = result.counts
    assert counts.waves >= counts.workgroups > 0
    assert counts.instructions["matrix"] * 2 * 16**3 == counts.matrix_flops
    # The least that attention on these sizes multiplies.
    assert counts.matrix_flops >= spec.least_flops
    assert counts.global_bytes > 0


def test_a_buffer_that_is_too_small_is_noticed() -> None:
    spec = catalog.get("gqa_decode_tiny")
    described, files = plan(spec)
    *others, output = described.buffers
    assert (output.role, output.bytes) == ("output", 4 * 32 * 4)
    short = replace(described, buffers=(*others, replace(output, bytes=64)))
    with pytest.raises(EmulatorError, match=r"buffer_store.* at 0x.*reaches 448 bytes beyond"):
        run_plan(short, files, given(spec, CASES["normal"].tensors(spec)))


def test_an_endless_kernel_is_stopped() -> None:
    spec = catalog.get("mha_full_tiny")
    with pytest.raises(EmulatorError, match="does not end"):
        run(spec, most_blocks=3)


@pytest.mark.parametrize("target", TARGETS)
def test_what_can_be_executed_is_said_beforehand(target: str) -> None:
    described, files = plan(catalog.get("gqa_causal_tiny"), target)
    names = {kernel.name for kernel in described.kernels}
    found = [kernel for kernel in kernels(files) if kernel.name in names]
    assert {kernel.name for kernel in found} == names
    for kernel in found:
        assert unsupported_instructions(kernel, target) == []


def test_what_can_be_executed_has_the_names_of_the_family() -> None:
    assert supported("gfx900") == []
    only = set(supported("gfx1201")) - set(supported("gfx1100"))
    assert {"v_max_num_f32", "s_add_co_u32", "s_wait_loadcnt", "v_s_exp_f32"} <= only
    assert "v_max_f32" not in supported("gfx1201")
    assert "v_max_f32" in supported("gfx1100")
    only = set(supported("gfx942")) - set(supported("gfx1100"))
    assert {"v_mfma_f32_16x16x16_f16", "v_pk_add_f32", "s_andn2_b64", "v_add_u32"} <= only
    assert not any("wmma" in name or "dual" in name for name in supported("gfx942"))
    assert {"v_mac_f32", "v_mad_f32"} <= set(supported("gfx90a")) - set(supported("gfx942"))


def test_arguments_are_preloaded_or_loaded() -> None:
    """Code for gfx942 begins with loads, which firmware that has preloaded them skips."""
    spec = catalog.get("mha_full_tiny")
    described, files = plan(spec, "gfx942")
    preloading = [k for k in kernels(files) if preloaded_words(k.descriptor)]
    assert preloading
    tensors = CASES["normal"].tensors(spec)
    preloaded, loaded = (
        run_plan(described, some, given(spec, tensors))
        for some in (files, without_preloads(files, preloading))
    )
    assert preloaded.is_same(loaded)


def preloaded_words(descriptor: bytes) -> int:
    """How many words of the arguments a kernel wants preloaded."""
    return descriptor[58] & 0x7F


def without_preloads(files: dict[str, bytes], preloading: list[KernelCode]) -> dict[str, bytes]:
    """Files whose kernels find no arguments in registers but have to load them."""
    changed = dict(files)
    for file in files:
        for kernel in preloading:
            plain = kernel.descriptor[:58] + bytes(2) + kernel.descriptor[60:]
            changed[file] = changed[file].replace(kernel.descriptor, plain)
    return changed


def test_too_few_inputs_are_refused() -> None:
    spec = catalog.get("softmax_tiny")
    with pytest.raises(EmulatorError, match="the function takes scores, got none"):
        run_plan(*plan(spec), {})
