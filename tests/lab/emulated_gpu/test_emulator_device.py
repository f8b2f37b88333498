"""The emulated device: IREE's hip driver on irattn's library, with the emulator or a stand-in."""

import ctypes
import json
import struct
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from click.testing import CliRunner

from irattn import targets
from irattn.binary.codeobject import KernelArgument, KernelCode
from irattn.binary.vmfb import launches_when_loaded, read_module, trace
from irattn.cli import main
from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.compiling.store import default_root
from irattn.core.errors import ArtifactError, DeviceError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulated_gpu import session as emulated_session
from irattn.lab.emulator.hip import library, run
from irattn.lab.emulator.hip.kernarg import given_sizes, pack
from irattn.lab.emulator.machine.hidden_arguments import with_hidden
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import measured, strain, verify_artifact
from irattn.reference import reference
from irattn.rendering import GraphRequest
from irattn.runtime import load_artifact
from irattn.runtime.devices import arch_in, driver_status
from irattn.specs import MixtureOfExpertsSpec


def artifact_of(name: str, target: str = "gfx1100") -> Artifact:
    return build(GraphRequest(catalog.get(name), targets.get(target)), name=name)


class Notes:
    """A launcher that writes down what it is told, and runs a function of its own."""

    def __init__(self, run=None):
        self.run = run
        self.launches = []

    def __call__(self, code_object, kernel, grid, block, kernarg, memory):
        self.launches.append((kernel.name, grid, block, kernarg))
        if self.run:
            self.run(code_object, kernel, kernarg, dict(memory))


@pytest.fixture
def launcher(monkeypatch):
    """Takes the emulator's place: `launcher(run)`."""

    def take_place(run=None):
        notes = Notes(run)
        monkeypatch.setattr(emulated_device.bridge(), "launcher", notes)
        return notes

    return take_place


def scale(code_object, kernel, kernarg, memory):
    """What scale_scores does, in NumPy."""
    source, target = struct.unpack("<QQ", kernarg)
    spec = catalog.get("scale_scores_tiny")
    memory[target].view(np.float32)[:] = memory[source].view(np.float32) * np.float32(
        spec.softmax_scale
    )


def test_what_a_kernel_writes_comes_back_through_the_runtime(launcher):
    notes = launcher(scale)
    kernel = load_artifact(artifact_of("scale_scores_tiny"), "emulator")
    assert kernel.driver == "emulator"
    for seed in range(2):
        tensors = random_tensors(kernel.spec, seed)
        (expected,) = reference(kernel.spec, tensors)
        np.testing.assert_allclose(kernel(**tensors), expected, rtol=1e-6)
    assert [launch[1:3] for launch in notes.launches] == [((32, 1, 1), (32, 1, 1))] * 2


@pytest.mark.parametrize("name", ["cache_append_tiny", "gqa_decode_tiny"])
def test_launches_are_those_that_the_host_program_asks_for(name, launcher):
    """Kernels, their order and grids; every pointer starts an allocation or lies inside one."""
    inside = []

    def look(code_object, kernel, kernarg, memory):
        for pointer in struct.unpack(f"<{len(kernarg) // 8}Q", kernarg):
            inside.append(any(start <= pointer < start + len(memory[start]) for start in memory))

    notes = launcher(look)
    artifact = artifact_of(name)
    load_artifact(artifact, "emulator").outputs(**random_tensors(artifact.spec))
    program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
    dispatches = [step for step in program.steps if step.what == "dispatch"]
    assert [launch[:2] for launch in notes.launches] == [
        (step.kernel, step.workgroups) for step in dispatches
    ]
    assert len(inside) == sum(len(step.ranges) for step in dispatches)
    assert all(inside)


def test_memory_that_no_kernel_wrote_is_nan(launcher):
    """Memory of an earlier call too, which holds the right result."""
    launcher(scale)
    kernel = load_artifact(artifact_of("scale_scores_tiny"), "emulator")
    kernel(**random_tensors(kernel.spec))
    launcher()
    assert np.isnan(kernel(**random_tensors(kernel.spec))).all()


def test_a_failed_launch_says_why_and_the_next_load_starts_afresh(launcher):
    def refuse(code_object, kernel, kernarg, memory):
        raise ArtifactError("v_foo_b32 at 0x40: not an instruction of gfx1100; é")

    launcher(refuse)
    artifact = artifact_of("scale_scores_tiny")
    tensors = random_tensors(artifact.spec)
    kernel = load_artifact(artifact, "emulator")
    failed = emulated_device.open_device("gfx1100")
    for _ in range(2):
        with pytest.raises(DeviceError) as caught:
            kernel(**tensors)
        assert str(caught.value) == (
            "scale_scores_tiny: launch on device emulator failed: hipErrorLaunchFailure: "
            "v_foo_b32 at 0x40: not an instruction of gfx1100; é"
        )
    launcher(scale)
    assert emulated_device.open_device("gfx1100") is not failed
    # Its buffers may still be there, and must not outlive it.
    assert failed in emulated_device._devices.values()
    (expected,) = reference(artifact.spec, tensors)
    np.testing.assert_allclose(load_artifact(artifact, "emulator")(**tensors), expected, rtol=1e-6)


def test_an_error_that_is_a_mistake_of_ours_is_no_crash_either(launcher):
    launcher(lambda *_: 1 / 0)
    kernel = load_artifact(artifact_of("scale_scores_tiny"), "emulator")
    with pytest.raises(DeviceError, match="ZeroDivisionError: division by zero"):
        kernel(**random_tensors(kernel.spec))


def test_threads_share_the_device(launcher):
    """Launches come from the driver's own thread, and must get the interpreter's lock."""
    launcher(scale)
    artifact = artifact_of("scale_scores_tiny")
    kernels = [load_artifact(artifact, "emulator") for _ in range(2)]

    def call(seed):
        tensors = random_tensors(artifact.spec, seed)
        (expected,) = reference(artifact.spec, tensors)
        np.testing.assert_allclose(kernels[seed % 2](**tensors), expected, rtol=1e-6)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(call, range(16), timeout=60))
    assert threading.active_count() < 20


def test_each_target_is_a_device_of_its_own(launcher):
    launcher(scale)
    for target in ("gfx1151", "gfx1100"):
        kernel = load_artifact(artifact_of("scale_scores_tiny", target), "emulator")
        kernel(**random_tensors(kernel.spec))
    assert emulated_device.open_device("gfx1151") is not emulated_device.open_device("gfx1100")
    assert emulated_device.open_device("gfx1151") is emulated_device.open_device("gfx1151")


def test_code_of_another_gpu_is_refused_when_it_is_loaded(launcher, monkeypatch):
    launcher()
    device = emulated_device.open_device("gfx942")
    monkeypatch.setattr(emulated_device, "open_device", lambda target: device)
    with pytest.raises(DeviceError, match="the code is for gfx1100, the device is gfx942"):
        load_artifact(artifact_of("scale_scores_tiny"), "emulator")


@pytest.mark.parametrize(("target", "wave", "lds"), [("gfx1100", 32, 64), ("gfx950", 64, 160)])
def test_the_driver_is_told_what_the_target_is(target, wave, lds, launcher):
    emulated_device.open_device(target)
    driver = emulated_device._driver()
    (number,) = (
        device["device_id"]
        for device in driver.query_available_devices()
        if device["name"].startswith(f"{target} ")
    )
    told = driver.dump_device_info(number)
    assert arch_in(told) == target
    assert f"gpu-warp-size: {wave}\n" in told
    assert f"block-max-shared-memory: {lds} KB\n" in told


def test_a_copy_that_leaves_its_allocation_is_refused(launcher):
    emulated_device.open_device("gfx1100")
    hip = ctypes.CDLL(str(library(default_root())))
    hip.hipGetErrorString.restype = ctypes.c_char_p
    memory, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
    assert hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(32)) == 0
    copies = {32: 0, 33: 700}
    for size, answer in copies.items():
        assert hip.hipMemcpy(memory, host, ctypes.c_size_t(size), 1) == answer
    assert b"the target of a copy, 33 bytes at 0x" in hip.hipGetErrorString(700)
    assert hip.hipFree(memory) == 0
    assert hip.hipMemcpy(memory, host, ctypes.c_size_t(32), 1) == 700
    assert hip.hipFree(memory) == 1


def test_a_function_that_is_not_there_says_so_once(launcher, capfd):
    emulated_device.open_device("gfx1100")
    hip = ctypes.CDLL(str(library(default_root())))
    assert [hip.hipGraphCreate(None, 0) for _ in range(2)] == [801, 801]
    assert capfd.readouterr().err == (
        "irattn emulator: the driver calls hipGraphCreate, which is not there\n"
    )


@pytest.mark.parametrize(
    ("target", "problem"),
    [("cpu", "is not code for an AMD GPU"), ("gfx908", r"is not emulated \(.*gfx1100.* are\)")],
)
def test_what_is_not_emulated_is_refused(target, problem):
    with pytest.raises(DeviceError, match=f"compiled for {target} and {problem}; use device auto"):
        load_artifact(artifact_of("scale_scores_tiny", target), "emulator")


def test_without_instruction_tables_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr("irattn.binary.codeobject.has_tables", lambda gfx: False)
    with pytest.raises(DeviceError, match=r"pip install 'irattn\[isa\]'"):
        load_artifact(artifact_of("scale_scores_tiny"), "emulator")


def test_the_driver_of_a_real_gpu_is_left_alone(launcher):
    before = driver_status("hip")
    emulated_device.open_device("gfx1100")
    assert driver_status("hip") == before


def test_without_a_c_compiler_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(DeviceError, match=r"no C compiler is here .*install gcc or clang"):
        library(tmp_path)
    assert not list(tmp_path.rglob("*.so"))


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "emulator").write_text("a file")
    with pytest.raises(DeviceError, match=r"its library cannot be kept: .*emulator.*IRATTN_CACHE"):
        library(tmp_path)


def test_a_compiler_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(DeviceError, match="its library does not compile: false "):
        library(tmp_path)
    assert list((tmp_path / "emulator").iterdir()) == []


@pytest.mark.slow
def test_without_a_compiler_launches_go_without_the_driver(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))
    with caplog.at_level("WARNING", "irattn"):
        verdict = verify_artifact(artifact_of("gqa_decode_tiny"), device="emulator")
    assert verdict.passed
    assert "no C compiler is here" in caplog.text
    assert "launching without IREE's hip driver" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gqa_decode_tiny", "layer_decode_tiny", "dynamic_causal_tiny"])
def test_every_order_of_waves_gives_the_same(name):
    kernel = load_artifact(artifact_of(name), "emulator-schedules")
    tensors = random_tensors(kernel.spec)
    for output, expected, tensor in zip(
        kernel.outputs(**tensors),
        reference(kernel.spec, tensors),
        kernel.spec.outputs,
        strict=True,
    ):
        accuracy, tolerance = measured(output, expected, tensor)
        assert accuracy.decisive <= tolerance


def test_a_race_is_an_error(monkeypatch):
    """Schedules that disagree: one of them computes something else."""
    kernel = load_artifact(artifact_of("softmax_tiny"), "emulator-schedules")

    def run_plan(plan, files, inputs, *, schedule, measure):
        run = direct_run(plan, files, inputs, schedule=schedule, measure=measure)
        if schedule == "reverse":
            run.outputs[0][...] += 1
        return run

    direct_run = emulated_session.run_plan
    monkeypatch.setattr(emulated_session, "run_plan", run_plan)
    with pytest.raises(DeviceError, match="schedule reverse gives other numbers than lockstep"):
        kernel.outputs(**random_tensors(kernel.spec))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("gfx1100", "gqa_decode_tiny"),
        ("gfx1100", "mha_full_tiny"),
        ("gfx1100", "cache_append_tiny"),
        ("gfx1201", "cache_append_tiny"),
        ("gfx942", "cache_append_tiny"),
        ("gfx90a", "cache_append_tiny"),
    ],
)
def test_the_machine_code_of_an_entry_is_right(target, name):
    """One dispatch, several with fills between them, and writes in place."""
    verdict = verify_artifact(artifact_of(name, target), device="emulator")
    assert verdict.passed, verdict
    assert verdict.ran == (
        f"{target} code on device emulator (executed instruction by instruction on this CPU; "
        "hazards, workgroups that read what others write, timing and the order in which matrix "
        "instructions round are not seen)"
    )


def test_in_place_the_given_arrays_stay_as_they_are():
    artifact = artifact_of("cache_append_tiny")
    tensors = random_tensors(artifact.spec)
    before = {name: array.copy() for name, array in tensors.items()}
    written = load_artifact(artifact, "emulator").outputs(**tensors)
    for output, expected in zip(written, reference(artifact.spec, tensors), strict=True):
        np.testing.assert_array_equal(output, expected)
    for name, array in tensors.items():
        np.testing.assert_array_equal(array, before[name])


def test_what_launches_kernels_when_it_is_loaded_goes_without_the_driver():
    """Which of one expert it is depends on no input; IREE's runtime would wait for ever."""
    spec = MixtureOfExpertsSpec(
        num_experts=1, experts_per_token=1, q_len=2, hidden_size=33, intermediate_size=64
    )
    artifact = build(GraphRequest(spec, targets.get("gfx1100")))
    assert launches_when_loaded(read_module(artifact.vmfb))
    assert not launches_when_loaded(read_module(artifact_of("gqa_decode_tiny").vmfb))
    tensors = random_tensors(spec)
    outputs = load_artifact(artifact, "emulator").outputs(**tensors)
    (expected,) = reference(spec, tensors)
    assert strain(measured(outputs[0], expected, spec.outputs[0])) <= 1


def test_an_access_beside_an_allocation_is_an_error_with_its_instruction(monkeypatch):
    """Allocations are half as large as they should be."""

    def halved(code_object, kernel, grid, block, kernarg, memory):
        halves = [(start, data[: data.size // 2]) for start, data in memory]
        run(code_object, kernel, grid, block, kernarg, halves)

    monkeypatch.setattr(emulated_device.bridge(), "launcher", halved)
    kernel = load_artifact(artifact_of("scale_scores_tiny"), "emulator")
    with pytest.raises(DeviceError, match=r"scale_scores_tiny: launch on .* at 0x.*beyond its"):
        kernel(**random_tensors(kernel.spec))


def test_the_command_line_runs_and_verifies_on_it():
    words = ["scale_scores_tiny", "--target", "gfx1100", "--device", "emulator"]
    ran = CliRunner().invoke(main, ["run", *words])
    assert ran.exit_code == 0, ran.output
    assert "ran gfx1100 code on device emulator" in ran.output
    verified = CliRunner().invoke(main, ["verify", *words, "--json"])
    assert verified.exit_code == 0, verified.output
    assert json.loads(verified.stdout)[0]["passed"]


def test_hidden_arguments_follow_what_is_given():
    """Offsets and sizes are the note's; grid and block are those of the launch."""
    kinds = [("global_buffer", 0, 8), ("by_value", 8, 4), ("hidden_block_count_x", 16, 4)]
    kinds += [("hidden_group_size_y", 20, 2), ("hidden_remainder_x", 22, 2)]
    kinds += [("hidden_grid_dims", 24, 2), ("hidden_global_offset_z", 32, 8)]
    notes = tuple(KernelArgument(*of_one) for of_one in kinds)
    kernel = KernelCode("k", 0, b"", b"", {".kernarg_segment_size": 40}, notes)
    assert given_sizes(kernel) == [8, 4]
    packed = pack(kernel, [b"pointer.", b"size"])
    assert packed == b"pointer.size" + bytes(28)
    packed = with_hidden(kernel, packed, (5, 1, 1), (32, 2, 1))
    assert packed == b"pointer.size" + bytes(4) + struct.pack("<IHHH", 5, 2, 0, 2) + bytes(14)
