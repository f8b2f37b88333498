"""Loading: GPU first, an honest fallback, and no fallback where the user named a device."""

import dataclasses
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, CacheWriteSpec, RmsNormSpec, targets
from irattn.core.errors import ArgumentError, ArtifactError, DeviceError, UsageError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import iree_providers, loading
from irattn.runtime.devices import driver_status
from irattn.runtime.kernel import Kernel, Session
from support.command import run

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=16, kv_len=16, head_dim=16, io_dtype="f32", causal=True
)

without_hip = pytest.mark.skipif(
    driver_status("hip").problem is None, reason="an AMD GPU is here: nothing to fall back from"
)


@pytest.fixture(scope="module")
def amd_artifact():
    return irattn.compile(SPEC, target="gfx1100")


@without_hip
def test_auto_falls_back_to_the_cpu_with_one_warning(amd_artifact, caplog):
    tensors = random_tensors(SPEC)
    with caplog.at_level(logging.WARNING, "irattn"):
        kernel = irattn.load(amd_artifact)
        output = kernel(**tensors)
        kernel(**tensors)
    np.testing.assert_allclose(output, reference(SPEC, tensors)[0], atol=1e-5)
    assert kernel.driver in ("local-sync", "local-task")
    assert kernel.artifact.target == "cpu"
    (warning,) = caplog.messages
    assert warning.startswith("device hip: ")
    assert warning.endswith("; falling back to the CPU")


@without_hip
def test_a_named_device_never_falls_back(amd_artifact):
    with pytest.raises(DeviceError, match=r"device hip: .*; `irattn doctor` shows what is there"):
        irattn.load(amd_artifact, device="hip")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        *((word, "; here it is called hip") for word in ("rocm", "ROCm:0", "HIP", "hip:1", "amd")),
        *((word, "; here it is called cuda") for word in ("cuda:0", "nvidia")),
        *((word, "'; AMD's GPUs are hip, NVIDIA's cuda, and auto takes the target's")
          for word in ("gpu", "GPU")),
        ("tpu", "got 'tpu'"),
    ],
)  # fmt: skip
def test_what_others_call_a_device_has_a_hint(word, hint):
    for ask in (
        lambda: irattn.load("mha_full_tiny", device=word),
        lambda: irattn.DeviceArray.from_numpy(np.zeros(3, np.float32), word),
    ):
        with pytest.raises(UsageError) as caught:
            ask()
        assert str(caught.value).endswith(hint)
    told = run("run", "mha_full_tiny", "--device", word, code=2).stderr
    assert told.endswith(f"{hint}\n") or word == "tpu"


def test_a_device_that_cannot_run_the_target_is_refused(amd_artifact):
    with pytest.raises(DeviceError) as caught:
        irattn.load(amd_artifact, device="cpu")
    assert str(caught.value).endswith(
        "which is compiled for gfx1100 and needs device hip; use device auto or another target"
    )
    with pytest.raises(DeviceError, match="compiled for cpu and needs device cpu"):
        irattn.load(SPEC, device="hip")
    with pytest.raises(UsageError, match=r"device: expected one of auto, cpu, .*, got 'tpu'"):
        irattn.load(SPEC, device="tpu")


class FailingSession:
    """A GPU session whose launches fail."""

    def __init__(self, artifact):
        self.artifact, self.spec, self.driver = artifact, artifact.spec, "hip"

    def run(self, arrays):
        raise DeviceError("launch on device hip failed: out of memory")


def test_a_failed_launch_falls_back_once(amd_artifact):
    reasons = []

    def fall_back(reason):
        reasons.append(reason)
        return loading.cpu_twin_session(amd_artifact, None)

    kernel = Kernel(FailingSession(amd_artifact), fall_back)
    tensors = random_tensors(SPEC)
    for _ in range(2):
        np.testing.assert_allclose(kernel(**tensors), reference(SPEC, tensors)[0], atol=1e-5)
    assert reasons == ["launch on device hip failed: out of memory"]


def test_threads_that_see_the_same_failure_share_one_fallback(amd_artifact):
    reasons = []
    both_failed = threading.Barrier(2)

    class BothFail(FailingSession):
        def run(self, arrays):
            both_failed.wait()
            super().run(arrays)

    def fall_back(reason):
        reasons.append(reason)
        return loading.cpu_twin_session(amd_artifact, None)

    kernel = Kernel(BothFail(amd_artifact), fall_back)
    tensors = random_tensors(SPEC)
    with ThreadPoolExecutor(2) as pool:
        outputs = [call.result() for call in [pool.submit(kernel, **tensors) for _ in range(2)]]
    assert len(reasons) == 1
    for output in outputs:
        np.testing.assert_allclose(output, reference(SPEC, tensors)[0], atol=1e-5)


def test_a_users_mistake_never_falls_back(amd_artifact):
    def fall_back(reason):
        raise AssertionError("fell back")

    kernel = Kernel(FailingSession(amd_artifact), fall_back)
    with pytest.raises(ArgumentError, match="missing"):
        kernel()


def test_a_failed_launch_without_fallback_raises(amd_artifact):
    with pytest.raises(DeviceError, match="out of memory"):
        Kernel(FailingSession(amd_artifact))(**random_tensors(SPEC))


def test_the_cpu_driver_follows_the_size():
    small = irattn.load(SPEC)
    assert small.driver == "local-sync"
    big = AttentionSpec(num_q_heads=8, num_kv_heads=8, q_len=64, kv_len=256, head_dim=64)
    assert big.flops > iree_providers.THREADED_FLOPS > SPEC.flops
    assert irattn.load(big).driver == "local-task"
    assert irattn.load(SPEC, device="local-task").driver == "local-task"


def test_threads_share_what_moves_much_and_computes_little():
    choose = iree_providers.ThreadedCpu().reluctance
    norm = RmsNormSpec(rows=64, columns=4096, io_dtype="f32")
    assert norm.flops < iree_providers.THREADED_FLOPS
    assert choose(norm) is None
    assert choose(norm.replace(rows=63))
    # What is written into caches is no result; tokens that go there are moved.
    write = CacheWriteSpec(num_tokens=2047, num_kv_heads=8, head_dim=128, num_blocks=512)
    assert choose(write)
    assert choose(write.replace(num_tokens=2048)) is None


def with_manifest(artifact, **changes):
    manifest = dataclasses.replace(artifact.manifest, **changes)
    return dataclasses.replace(artifact, manifest=manifest)


def test_another_compiler_version_is_refused():
    artifact = with_manifest(irattn.compile(SPEC, target="cpu"), compiler_version="3.1.0")
    with pytest.raises(ArtifactError, match=r"compiled with IREE 3.1.0, and the runtime here is"):
        irattn.load(artifact)


def test_code_of_another_processor_is_refused(monkeypatch):
    artifact = with_manifest(irattn.compile(SPEC, target="cpu"), target_identity="another")
    with pytest.raises(ArtifactError, match="compiled for the processor of another machine"):
        irattn.load(artifact)
    portable = irattn.compile(SPEC, target="x86-64-v4")
    # Whatever this machine's own processor lacks.
    flags = (targets.host_cpu_flags() | set(targets.get("x86-64-v4").cpu_features)) - {"avx512f"}
    monkeypatch.setattr(targets, "host_cpu_flags", lambda: flags)
    with pytest.raises(ArtifactError, match=r"lacks avx512f; compile it for target cpu$"):
        irattn.load(portable)


def test_bytes_that_are_no_module_are_refused():
    artifact = dataclasses.replace(irattn.compile(SPEC, target="cpu"), vmfb=b"nonsense" * 99)
    with pytest.raises(DeviceError, match="does not load on device local-sync"):
        Session(artifact, "local-sync")


def test_folders_names_and_specs_load(tmp_path):
    artifact = irattn.compile("gqa_causal_tiny", target="cpu", out=tmp_path)
    tensors = random_tensors(artifact.spec)
    outputs = [
        irattn.load(source, out=tmp_path)(**tensors)
        for source in (
            artifact,
            artifact.path,
            str(artifact.path),
            artifact.spec,
            "gqa_causal_tiny",
        )
    ]
    for output in outputs[1:]:
        np.testing.assert_array_equal(output, outputs[0])
    with pytest.raises(ArgumentError, match="target: expected cpu, which the artifact is compiled"):
        irattn.load(artifact, target="gfx1100")
    with pytest.raises(ArtifactError, match=r"no artifact here \(manifest.json is missing\)"):
        irattn.load(tmp_path)


@pytest.mark.parametrize("wrong", [5, None, {"op": "attention"}, b"gqa", [SPEC], AttentionSpec])
def test_what_is_nothing_to_load_is_refused(wrong):
    with pytest.raises(ArgumentError) as caught:
        irattn.load(wrong)
    assert str(caught.value) == (
        "artifact_or_spec: expected an artifact, the path of its folder or of a bundle, a spec, or "
        f"a catalogue name, got {type(wrong).__name__}"
    )
    message = r"^spec: expected a spec or a catalogue name, got "
    for verb in (irattn.compile, irattn.render):
        with pytest.raises(ArgumentError, match=message):
            verb(wrong)
    with pytest.raises(ArgumentError, match=r"^artifacts_or_specs: expected an artifact, the path"):
        irattn.verify([wrong])


def test_what_is_not_there_is_named(tmp_path):
    folder = tmp_path / "cpu" / "gqa_causal_tiny"
    for given in (folder, str(folder)):
        with pytest.raises(ArtifactError) as caught:
            irattn.load(given)
        assert str(caught.value) == (
            f"{folder}: no such folder; check the path, or compile it again: `irattn compile "
            f"gqa_causal_tiny --target cpu --store {tmp_path}`"
        )
    bundle = tmp_path / "attention.irattn"
    for given in (bundle, str(bundle)):
        with pytest.raises(ArtifactError) as caught:
            irattn.load(given)
        assert str(caught.value) == f"{bundle}: no such bundle"
    file = tmp_path / "module.vmfb"
    file.touch()
    with pytest.raises(ArtifactError, match=r"expected the folder of an artifact or a bundle .*, "):
        irattn.load(file)
