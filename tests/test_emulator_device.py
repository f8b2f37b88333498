"""The emulated device: IREE's hip driver on irattn's library, with a launcher of our own."""

import struct
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import irattn
from irattn import catalog, targets
from irattn.artifact import Artifact
from irattn.build import build
from irattn.emulator.device import library
from irattn.errors import ArtifactError, DeviceError
from irattn.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import emulated, load_artifact
from irattn.runtime.devices import driver_status
from irattn.vmfb import read_module, trace


def artifact_of(name: str, target: str = "gfx1100") -> Artifact:
    return build(catalog.get(name), targets.get(target), name=name)


class Notes:
    """A launcher that writes down what it is told, and runs a function of its own."""

    def __init__(self, run=None):
        self.run = run
        self.launches = []

    def __call__(self, code_object, kernel, grid, block, kernarg, memory):
        self.launches.append((kernel, grid, block, kernarg))
        if self.run:
            self.run(code_object, kernel, kernarg, dict(memory))


@pytest.fixture
def launcher(monkeypatch):
    """Takes the emulator's place: `launcher(run)`."""

    def take_place(run=None):
        notes = Notes(run)
        monkeypatch.setattr(emulated.bridge(), "launcher", notes)
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
    for _ in range(2):
        with pytest.raises(DeviceError) as caught:
            kernel(**tensors)
        assert str(caught.value) == (
            "scale_scores_tiny: launch on device emulator failed: hipErrorLaunchFailure: "
            "v_foo_b32 at 0x40: not an instruction of gfx1100; é"
        )
    launcher(scale)
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
    for target in ("gfx942", "gfx1100"):
        kernel = load_artifact(artifact_of("scale_scores_tiny", target), "emulator")
        assert "emulator" in repr(kernel)
    assert emulated.open_device("gfx942") is not emulated.open_device("gfx1100")
    assert emulated.open_device("gfx942") is emulated.open_device("gfx942")


def test_code_of_another_gpu_is_refused_when_it_is_loaded(launcher, monkeypatch):
    launcher()
    device = emulated.open_device("gfx942")
    monkeypatch.setattr(emulated, "open_device", lambda target: device)
    with pytest.raises(DeviceError, match="the code is for gfx1100, the device is gfx942"):
        load_artifact(artifact_of("scale_scores_tiny"), "emulator")


def test_only_amd_code_goes_on_the_emulator():
    artifact = irattn.compile(catalog.get("scale_scores_tiny"), target="cpu")
    with pytest.raises(DeviceError, match="compiled for cpu and is not code for an AMD GPU"):
        load_artifact(artifact, "emulator")


def test_the_driver_of_a_real_gpu_is_left_alone(launcher):
    before = driver_status("hip")
    emulated.open_device("gfx1100")
    assert driver_status("hip") == before


def test_without_a_c_compiler_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(DeviceError, match=r"no C compiler is here .*install gcc or clang"):
        library(tmp_path)
    assert not list(tmp_path.rglob("*.so"))


def test_a_compiler_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(DeviceError, match="its library does not compile: false "):
        library(tmp_path)
    assert list((tmp_path / "emulator").iterdir()) == []
