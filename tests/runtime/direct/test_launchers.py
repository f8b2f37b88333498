"""Which launcher a kernel has, what is there without IREE, and whose library is taken."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import irattn
from irattn import targets
from irattn.core.errors import DeviceError, UsageError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import iree_providers, loading
from irattn.runtime.direct import library, session, steps
from irattn.runtime.direct.steps import Address, Copying
from support.places import TESTS

MAPS = """\
7f1000000000-7f1000001000 r--p 00000000 08:01 11 /opt/rocm/lib/libamdhip64.so.7.1.25424
7f1000001000-7f1000002000 r-xp 00001000 08:01 11 /opt/rocm/lib/libamdhip64.so.7.1.25424
7f1000003000-7f1000004000 r--p 00000000 08:01 12 /opt/other/libamdhip64.so.bak
7f1000005000-7f1000006000 rw-p 00000000 00:00 0
7f1000007000-7f1000008000 r--p 00000000 08:01 13 /a b/torch/lib/libamdhip64.so
"""


def test_the_library_of_the_process_comes_first(tmp_path):
    maps = tmp_path / "maps"
    maps.write_text(MAPS)
    assert library.mapped("libamdhip64.so", maps) == [
        "/opt/rocm/lib/libamdhip64.so.7.1.25424",
        "/a b/torch/lib/libamdhip64.so",
    ]
    assert library.mapped("libamdhip64.so", tmp_path / "none") == []


def test_a_library_that_is_mapped_is_found_in_this_process():
    import ctypes

    import iree.runtime._binding as binding

    ctypes.CDLL("libm.so.6")
    assert library.mapped("libm.so")
    assert binding.__file__


def test_a_library_that_is_not_there_is_named():
    with pytest.raises(DeviceError, match="device hip: its library does not load: libnothing"):
        library.opened("hip", ["libnothing.so"])


@pytest.mark.parametrize(("target", "name"), [("gfx1100", "hip"), ("sm_89", "cuda")])
def test_a_machine_without_the_driver_says_so(target, name, monkeypatch):
    monkeypatch.setattr(library, "mapped", lambda *names: [])
    monkeypatch.setattr(library.ctypes, "CDLL", missing)
    irattn.runtime.iree_providers.driver_library.cache_clear()
    with pytest.raises(DeviceError, match=f"device {name}: its library does not load: no such"):
        irattn.load("gqa_causal_tiny", target=target, launcher="direct").prepare()


def missing(name):
    raise OSError(f"no such file: {name}")


def test_a_launcher_that_cannot_be_is_refused():
    with pytest.raises(UsageError, match="launcher: expected iree, direct or None, got 'cuda'"):
        irattn.load("rms_norm_tiny", launcher="cuda")
    with pytest.raises(UsageError, match="launcher: expected iree or None for x86-64-v3, as"):
        irattn.load("rms_norm_tiny", target="x86-64-v3", launcher="direct")


def test_a_kernel_says_which_launchers_it_has():
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    how = {"target": "gfx1100", "device": "emulator"}
    assert irattn.load("rms_norm_tiny", **how).selection.launchers == (
        ("iree", "takes NumPy's arrays and device arrays"),
    )
    direct = irattn.load("rms_norm_tiny", **how, launcher="direct")
    ((name, why),) = direct.selection.launchers
    assert (name, why) == ("direct", "is asked for: takes all arrays, and copies those of NumPy")
    assert (direct.driver, direct.spec.op) == ("emulator", "rms_norm")
    on_gpu = irattn.load("rms_norm_tiny", target="gfx1100")
    assert [name for name, _ in on_gpu.selection.launchers] == ["iree", "direct"]
    by_iree = irattn.load("rms_norm_tiny", target="gfx1100", launcher="iree")
    assert [name for name, _ in by_iree.selection.launchers] == ["iree"]
    with pytest.raises(DeviceError, match="has no launcher that loads ahead"):
        by_iree.prepare()


def test_a_bundle_s_variant_is_launched(tmp_path):
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    file = tmp_path / "norm.irattn"
    irattn.bundle("rms_norm_tiny", file, target=["gfx1100"])
    kernel = irattn.load(file, device="emulator", launcher="direct")
    assert kernel.selection.accepted == "gfx1100"
    tensors = random_tensors(kernel.spec)
    np.testing.assert_allclose(kernel(**tensors), *reference(kernel.spec, tensors), rtol=1e-4)


WITHOUT = """
import importlib.abc, sys
class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("iree", "jinja2"):
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
sys.meta_path.insert(0, Blocker())
import numpy as np
import irattn
kernel = irattn.load(sys.argv[1], device="emulator", launcher="direct")
print(kernel(np.full((32, 128), 2, np.float32), np.full(128, 3, np.float32))[0, :2].round(3))
assert not {"iree", "jinja2"} & {name.partition(".")[0] for name in sys.modules}
"""


@pytest.fixture
def amd_gpu(monkeypatch):
    """The emulator's library as that of an AMD GPU here, which IREE has no driver for."""
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    driver = emulated_device.direct_driver("gfx1100")
    monkeypatch.setattr(iree_providers, "driver_library", lambda name: driver)
    return driver


def test_iree_opens_no_device_for_arrays_that_are_launched(amd_gpu, gpu, monkeypatch):
    opened = []
    monkeypatch.setattr(loading, "open_session", lambda *how: opened.append(how) or fail())
    for device in ("auto", "hip"):
        kernel = irattn.load("rms_norm_tiny", target="gfx1100", device=device)
        assert (kernel.driver, kernel.spec.op, kernel.artifact.target) == (
            "hip", "rms_norm", "gfx1100"
        )  # fmt: skip
        assert kernel.selection.launchers == (
            ("direct", "takes arrays of PyTorch and others with DLPack where they lie"),
            ("iree", "takes NumPy's arrays and device arrays, and opens the device when they come"),
        )
        taken = [str(one) for one in kernel.selection.devices]
        assert taken[0] == "hip: accepted"
        assert taken[1] == "cuda: rejected because hip launches it"
        tensors = random_tensors(kernel.spec)
        found = kernel(*gpu.lend(tensors.values(), "dlpack")).to_numpy()
        np.testing.assert_allclose(found, *reference(kernel.spec, tensors), rtol=1e-4)
    assert opened == []


@pytest.mark.usefixtures("only_new_garbage")
def test_what_is_prepared_stays_prepared(amd_gpu, gpu, monkeypatch):
    """A kernel with both launchers keeps the one that takes other libraries' arrays."""
    loaded, load = [], session.load
    monkeypatch.setattr(session, "load", lambda *how: loaded.append(how) or load(*how))
    kernel = irattn.load("rms_norm_tiny", target="gfx1100")
    kernel.prepare()
    tensors = random_tensors(kernel.spec)
    given = gpu.lend(tensors.values(), "dlpack")
    for _ in range(2):
        gc.collect()
        np.testing.assert_allclose(
            kernel(*given).to_numpy(), *reference(kernel.spec, tensors), rtol=1e-4
        )
    assert len(loaded) == 1


def fail():
    raise DeviceError("IREE finds no device")


def test_the_first_arrays_of_numpy_open_the_device(amd_gpu, caplog, tmp_path):
    """Here IREE has no driver of AMD's: `auto` falls back, a device that is named does not."""
    irattn.bundle("rms_norm_tiny", tmp_path / "norm.irattn", target=["gfx1100"])
    for given in ("rms_norm_tiny", tmp_path / "norm.irattn"):
        kernel = irattn.load(given, target="gfx1100")
        tensors = random_tensors(kernel.spec)
        assert kernel.artifact.target == "gfx1100"
        assert caplog.records == []
        if given == "rms_norm_tiny":
            np.testing.assert_allclose(kernel(**tensors), *reference(kernel.spec, tensors), 1e-4)
            assert not kernel.artifact.target.startswith("gfx")
            assert "falling back to the CPU" in caplog.messages[0]
            caplog.clear()
        with pytest.raises(DeviceError, match="device hip"):
            irattn.load(given, target="gfx1100", device="hip")(**tensors)


def test_a_gpu_of_another_kind_is_not_launched_on(amd_gpu, monkeypatch):
    monkeypatch.setattr(amd_gpu, "arch", lambda number: "gfx1100")
    monkeypatch.setattr(type(amd_gpu), "num_devices", 1)
    kernel = irattn.load("rms_norm_tiny", target="gfx942")
    assert not kernel.artifact.target.startswith("gfx")
    assert [name for name, _ in kernel.selection.launchers] == ["iree", "direct"]
    gpu = iree_providers.registry().get("hip")
    assert gpu.launch_problem(targets.get("gfx942")) == "does not run on gfx1100"
    assert gpu.launch_problem(targets.get("sm_80")) == "needs device cuda"


def test_nothing_of_iree_and_of_templates_is_imported(tmp_path):
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    artifact = irattn.compile("rms_norm_tiny", target="gfx1100")
    command = [sys.executable, "-c", WITHOUT, str(artifact.path)]
    env = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
    ran = subprocess.run(command, capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "[3. 3.]\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((2, 3, 4, 5), (2, 3, 6, 5)),
        ((2, 3, 6, 5), (2, 3, 4, 5)),
        ((2, 3, 5), (4, 3, 8)),
        ((3, 2, 5, 2), (4, 2, 7, 2)),
        ((4, 5), (4, 5)),
        ((3,), (8,)),
    ],
)
def test_rows_of_what_two_arrays_have_in_common(old, new):
    source = np.arange(np.prod(old), dtype=np.int16).reshape(old)
    target = np.full(new, -1, np.int16)
    for copy in steps.copyings(Address(0), new, Address(1), old, 2):
        carry_out(copy, target, source)
    common = tuple(map(slice, map(min, old, new)))
    expected = np.full(new, -1, np.int16)
    expected[common] = source[common]
    np.testing.assert_array_equal(target, expected)


def carry_out(copy: Copying, target, source):
    to, of = target.reshape(-1).view(np.uint8), source.reshape(-1).view(np.uint8)
    for row in range(copy.rows):
        end, start = (
            place.offset + row * pitch
            for place, pitch in (
                (copy.target, copy.target_pitch),
                (copy.source, copy.source_pitch),
            )
        )
        to[end : end + copy.width] = of[start : start + copy.width]
