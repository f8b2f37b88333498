"""Hosts that know nothing but an exported folder launch what IREE's host program does."""

import ctypes
import math
import shutil
import subprocess
import sys
import zlib
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from irattn.binary.exporting import write_export
from irattn.binary.launches import launch_plan, read_launch_plan
from irattn.binary.vmfb import evaluate
from irattn.compiling.store import default_root
from irattn.core.dtypes import dtype
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulator.hip import library as emulator_library
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.export_hosts import (
    DRIVERS,
    NAMES,
    SIZES,
    STRICT,
    arrays_of,
    built_in_c,
    built_in_rust,
    compiled,
    dims_of,
    expected_lines,
    lines_of_plan,
    lines_with,
    on_stub,
    renumbered,
    run_example,
    static_of,
    steps_of,
)
from support.lent import StandIn

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler"),
]

needs_rust = pytest.mark.skipif(
    shutil.which("rustc") is None, reason="needs Rust's compiler: https://rustup.rs"
)
# What NVIDIA's toolkit installs; the tests' own header has but what exports use.
CUDA = Path("/usr/local/cuda/include")
# Several steps, copies, constants, sizes that a call chooses: what hosts do, once more.
SOME = ["gqa_causal_tiny", "layer_decode_tiny", "cache_append_tiny", *NAMES[-2:]]
HOSTS = [
    *(("c", "hip", name) for name in NAMES),
    *(("c", "cuda", name) for name in SOME),
    *(
        pytest.param("rust", *case, marks=needs_rust)
        for case in [*product(["hip"], SOME), ("cuda", SOME[-1])]
    ),
]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """Folders of drivers' libraries, by driver."""
    return {name: driver.build(tmp_path_factory.mktemp(name)) for name, driver in DRIVERS.items()}


@pytest.mark.parametrize(("language", "driver", "name"), HOSTS)
def test_the_example_does_what_the_host_program_does(language, driver, name, tmp_path, libraries):
    build = {"c": built_in_c, "rust": built_in_rust}[language]
    artifact = compiled(name, DRIVERS[driver].target)
    folder = tmp_path / "made" / "export"
    plan = write_export(artifact, folder)
    spec = static_of(artifact, name)
    arrays, dims = arrays_of(spec), dims_of(spec)
    sizes = SIZES.get(name, {}).values()
    lines = run_example(build, folder, DRIVERS[driver], libraries[driver], artifact, arrays, sizes)

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


@pytest.mark.parametrize("name", NAMES)
def test_iree_itself_launches_the_same(name, tmp_path, libraries):
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
    lines = steps_of(on_stub(command, tmp_path, libraries["hip"], artifact))
    expected = list(lines_of_plan(launch_plan(artifact), dims_of(spec)))
    # The tool copies inputs to the device before, and outputs from it afterwards.
    first = next(i for i, line in enumerate(lines) if line.split()[0] == expected[0].split()[0])
    found = lines[first : first + len(expected)]
    assert renumbered(found) == renumbered(expected)
    rest = lines[:first] + lines[first + len(expected) :]
    assert {line.split()[0] for line in rest} <= {"copy"}


@pytest.mark.parametrize("name", ["gqa_causal_tiny", "lse_tiny", "rope_tiny+head_dim=128"])
def test_the_functions_in_c_compute_what_the_spec_means(name, tmp_path):
    """On the emulated GPU, whose library the functions are linked to."""
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    artifact = compiled(name)
    plan = write_export(artifact, tmp_path / "e")
    # The emulated GPU must be there before anything is loaded.
    number = emulated_device.direct_driver(artifact.target).first
    x, gpu, tensors = plan.identifier, StandIn(), random_tensors(artifact.spec)
    functions = linked(tmp_path / "e", x)
    memory = {name: gpu.dlpack(array).array for name, array in tensors.items()}
    for buffer in plan.buffers:
        if buffer.role != "input":
            held = (tmp_path / "e" / buffer.file).read_bytes() if buffer.file else None
            made = np.frombuffer(held, np.uint8) if held else np.zeros(buffer.bytes, np.uint8)
            memory[buffer.id] = gpu.dlpack(made).array
    names = [*tensors, *(buffer.id for buffer in plan.buffers if buffer.role != "input")]
    buffers = (ctypes.c_void_p * len(names))(*(memory[name].ctypes.data for name in names))
    images = [(tmp_path / "e" / code.file).read_bytes() for code in plan.code_objects]
    code = (ctypes.c_void_p * (len(images) + len(plan.kernels)))()
    assert functions[f"{x}_use_device"](number) == 0
    assert functions[f"{x}_load"](code, (ctypes.c_char_p * len(images))(*images)) == 0
    assert functions[f"{x}_launch"](code, buffers, None) == 0
    assert functions[f"{x}_unload"](code) == 0
    for output, tensor, wanted in zip(
        plan.outputs, artifact.spec.outputs, reference(artifact.spec, tensors), strict=True
    ):
        place = output.place
        held = memory[place.buffer][place.offset : place.offset + place.length]
        found = held.view(dtype(tensor.dtype).numpy).reshape(wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    gpu.close()


def linked(folder, identifier):
    """The functions of a folder as a shared library, on the emulator's."""
    path, hip = folder / "functions.so", emulator_library(default_root())
    command = ["cc", *DRIVERS["hip"].includes, "-shared", "-fPIC", f"{identifier}.c", hip]
    subprocess.run([*command, "-o", path], cwd=folder, check=True)
    return ctypes.CDLL(str(path))


HEADERS = {name: [f"-I{folder}" for folder in DRIVERS[name].headers] for name in DRIVERS}
needs_cuda = pytest.mark.skipif(not (CUDA / "cuda.h").exists(), reason=f"needs {CUDA / 'cuda.h'}")


@pytest.mark.parametrize("language", [["cc", "-std=c99"], ["c++", "-x", "c++"]], ids=["c", "c++"])
@pytest.mark.parametrize(
    ("driver", "headers"),
    [
        *HEADERS.items(),
        # Its own header is no C99 to the letter.
        pytest.param("cuda", [f"-isystem{CUDA}"], marks=needs_cuda, id="cuda-nvidia"),
    ],
)
@pytest.mark.parametrize("name", ["gqa_causal_tiny", "dynamic_paged_decode_tiny"])
def test_sources_are_c_and_cxx(name, driver, headers, language, tmp_path):
    if shutil.which(language[0]) is None:
        pytest.skip("needs a C++ compiler")
    write_export(compiled(name, DRIVERS[driver].target), tmp_path / "e")
    sources = sorted(path.name for path in (tmp_path / "e").glob("*.c"))
    command = [*language, *STRICT, "-fsyntax-only", *headers, *sources]
    subprocess.run(command, cwd=tmp_path / "e", check=True)


def test_an_error_is_told_by_the_driver_s_text(tmp_path, libraries):
    """Of CUDA, whose text is asked for otherwise: the file of code is not the kernels'."""
    artifact = compiled("gqa_causal_tiny", DRIVERS["cuda"].target)
    plan = write_export(artifact, tmp_path / "e")
    code = tmp_path / "e" / plan.code_objects[0].file
    code.write_bytes(b"x" * code.stat().st_size)
    built_in_c(tmp_path / "e", DRIVERS["cuda"], libraries["cuda"])
    ran = subprocess.run(["./example"], cwd=tmp_path / "e", capture_output=True, text=True)
    assert ran.returncode == 1
    assert (
        ran.stderr == "gqa_causal_tiny_load(code, (const void *const *)images): invalid argument\n"
    )
