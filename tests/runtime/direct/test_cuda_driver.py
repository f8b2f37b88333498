"""CUDA's functions as the launcher calls them, on a library without a GPU."""

import ctypes
import shutil
import subprocess
import threading

import numpy as np
import pytest

import irattn
from irattn.binary.launches import launch_plan
from irattn.core.errors import DeviceError
from irattn.lab.inputs import random_tensors
from irattn.runtime.direct import Cuda, DirectSession, cuda
from support.lent import Lent
from support.places import TESTS

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


class Launch(ctypes.Structure):
    """The stub's last launch."""

    _fields_ = (
        ("name", ctypes.c_char * 512),
        ("sizes", ctypes.c_uint32 * 7),
        ("words", ctypes.c_uint64 * 32),
        ("stream", ctypes.c_void_p),
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The stub, loaded."""
    path = tmp_path_factory.mktemp("cuda") / "libcuda.so"
    source = TESTS / "support" / "cuda_stub.c"
    command = ["cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path, source]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


@pytest.fixture
def driver(library, monkeypatch):
    monkeypatch.setattr(cuda, "opened", lambda name, names: library)

    class OnHost(Cuda):
        """The stub's memory is the host's."""

        def place_of(self, number):
            return (1, 0)

        def number_of(self, place):
            return 0

    return OnHost()


def test_a_launch_has_the_plan_s_sizes_and_the_caller_s_addresses(driver, library):
    artifact = irattn.compile("gqa_causal_tiny", target="sm_89")
    (kernel,) = launch_plan(artifact).kernels
    given = [Lent(array) for array in random_tensors(artifact.spec).values()]
    DirectSession(artifact, driver).call(given, stream=0x1234)
    launch = Launch.in_dll(library, "cuda_stub_launch")
    assert launch.name.decode() == kernel.name
    assert [*launch.sizes] == [4, 1, 1, *kernel.workgroup_size, kernel.dynamic_lds]
    assert [*launch.words[:3]] == [one.array.ctypes.data for one in given]
    assert launch.stream == 0x1234


def test_code_is_prepared_by_who_has_made_no_context(driver):
    """As a process does that prepares kernels before anything else."""
    DirectSession(irattn.compile("gqa_causal_tiny", target="sm_89"), driver).prepare()


def test_a_cache_that_is_not_donated_is_copied(driver):
    """No kernel runs: the copy is all that happens."""
    artifact = irattn.compile("cache_write_tiny", target="sm_89")
    tensors = random_tensors(artifact.spec)
    outputs = DirectSession(artifact, driver).call([Lent(array) for array in tensors.values()])
    for output, name in zip(outputs, ("key_cache", "value_cache"), strict=True):
        np.testing.assert_array_equal(output.to_numpy(), tensors[name])


def test_rows_are_copied(driver):
    source, target = np.arange(24, dtype=np.int16).reshape(4, 6), np.zeros((4, 9), np.int16)
    assert driver.copy_rows(target.ctypes.data, 18, source.ctypes.data, 12, 12, 4, 0) == 0
    np.testing.assert_array_equal(target[:, :6], source)
    assert not target[:, 6:].any()


def test_every_thread_has_the_context(driver, library):
    artifact = irattn.compile("gqa_causal_tiny", target="sm_89")
    session = DirectSession(artifact, driver)
    given = [Lent(array) for array in random_tensors(artifact.spec).values()]
    session.call(given)
    problems = []

    def call():
        try:
            session.call(given)
        except DeviceError as error:
            problems.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert problems == []
    current = ctypes.c_void_p()
    library.cuCtxGetCurrent(ctypes.byref(current))
    assert current.value is None, "the caller's own context is current again"


def test_the_architecture_is_the_device_s_own(driver):
    assert driver.arch(0) == "sm_90"
    artifact = irattn.compile("gqa_causal_tiny", target="gfx1100")
    with pytest.raises(DeviceError, match="gfx1100, which does not run on device cuda 0, sm_90"):
        DirectSession(artifact, driver).prepare()


def test_an_error_has_cuda_s_name(driver):
    with pytest.raises(DeviceError, match="CUDA_ERROR_INVALID_VALUE: invalid argument"):
        driver.call("attribute", ctypes.byref(ctypes.c_int()), 1, 0)
