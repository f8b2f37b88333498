"""Hosts of an export, built as its README says, on drivers that note what they have to do."""

import re
import shutil
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import irattn
from irattn.binary.codeobject import read_code_object
from irattn.binary.launches import Copy, Dispatch, Fill
from irattn.binary.vmfb import (
    evaluate,
    read_cuda_executable,
    read_hip_executable,
    read_module,
    trace,
)
from irattn.core.dtypes import dtype
from irattn.specs import apply_settings
from support.places import TESTS

SUPPORT = TESTS / "support"
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
NAMES = [
    "gqa_causal_tiny",
    "mqa_causal_tiny",
    "gqa_paged_decode_tiny",
    "lse_tiny",
    "layer_decode_tiny",
    "cache_append_tiny",
    "paged_update_decode_tiny",
    "dynamic_paged_decode_tiny",
    # Lengths in whole steps, and the real ones as inputs of their own.
    "dynamic_causal_tiny+kv_len=200",
    # The one of them with a constant: the frequencies of 128 columns.
    "rope_tiny+head_dim=128",
]
# Sizes that a call chooses, none of them the largest.
SIZES = {
    "dynamic_paged_decode_tiny": {"batch": 1, "num_blocks": 5, "max_blocks": 3},
    "dynamic_causal_tiny+kv_len=200": {"kv_len": 128},
}


@dataclass(frozen=True)
class HostDriver:
    """A driver that notes what it has to do: its headers, sources and name, and a target."""

    target: str
    headers: tuple[Path, ...]
    sources: tuple[Path, ...]
    library: str

    @property
    def includes(self):
        return [f"-I{folder}" for folder in self.headers]

    def build(self, folder):
        """Build the library in a folder, which is given back."""
        path = folder / f"lib{self.library}.so"
        command = ["cc", *STRICT, "-shared", "-fPIC", *self.includes, *self.sources, "-o", path]
        subprocess.run(command, check=True)
        return folder


_HIP, _CUDA = SUPPORT / "hip_stub", SUPPORT / "cuda_recorder"
DRIVERS = {
    "hip": HostDriver("gfx1100", (_HIP,), tuple(_HIP.glob("*.c")), "amdhip64"),
    "cuda": HostDriver(
        "sm_80", (_CUDA, _HIP), (_CUDA / "cuda_recorder.c", _HIP / "hip_stub.c"), "cuda"
    ),
}


def compiled(name, target="gfx1100"):
    """The artifact of an entry, or of one with a setting: `rope_tiny+head_dim=128`."""
    name, _, setting = name.partition("+")
    if not setting:
        return irattn.compile(name, target=target)
    spec = apply_settings(irattn.compiling.catalog.get(name), [setting])
    return irattn.compile(spec, target=target)


def built_in_c(folder, driver, library):
    """Build the example, with all warnings; gives the command that runs it."""
    (source,) = folder.glob("[!e]*.c")
    link = [f"-L{library}", f"-l{driver.library}", f"-Wl,-rpath,{library}"]
    command = ["cc", *STRICT, "-std=c99", *driver.includes, "example.c", source.name, *link]
    subprocess.run([*command, "-o", "example"], cwd=folder, check=True)
    return "./example"


def built_in_rust(folder, driver, library):
    """Build the example in Rust, without warnings; gives the command that runs it."""
    (source,) = folder.glob("[!e]*.c")
    object_file = source.with_suffix(".o")
    command = ["cc", *STRICT, "-std=c99", *driver.includes, "-c", source, "-o", object_file]
    subprocess.run(command, check=True)
    link = [f"-L{library}", "-C", f"link-arg={object_file}", "-C", f"link-arg=-Wl,-rpath,{library}"]
    command = [shutil.which("rustc"), "--edition", "2021", "-D", "warnings", "example.rs", *link]
    subprocess.run([*command, "-o", "example"], cwd=folder, check=True)
    return "./example"


def run_example(build, folder, driver, library, artifact, inputs, sizes=()):
    """What the driver had to do for an example of an exported folder, a line each."""
    command = build(folder, driver, library)
    tensors = folder / "tensors"
    tensors.mkdir()
    for name, array in inputs.items():
        array.tofile(tensors / f"{name}.bin")
    return on_stub([command, "tensors", *map(str, sizes)], folder, library, artifact)


def on_stub(command, folder, library, artifact):
    """Run a command in a folder on a driver: what that had to do, a line each."""
    kernels, log = folder / "kernels.txt", folder / "log.txt"
    kernels.write_text("".join(" ".join(map(str, line)) + "\n" for line in _noted(artifact)))
    env = {
        "HIP_STUB_KERNELS": str(kernels),
        "HIP_STUB_LOG": str(log),
        "IREE_HIP_DYLIB_PATH": str(library),
    }
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return log.read_text().splitlines()


def _noted(artifact):
    """Each kernel's name, and the sizes of the arguments that its caller gives."""
    for exports, codes in _executables(artifact):
        if not artifact.target.startswith("gfx"):
            for one in exports:
                yield one.kernel, *(8,) * one.binding_count, *(4,) * one.constant_count
            continue
        for kernel in (kernel for code in codes for kernel in read_code_object(code).kernels):
            yield kernel.name, *(one.size for one in kernel.arguments if not one.is_hidden)


def _executables(artifact):
    read = read_hip_executable if artifact.target.startswith("gfx") else read_cuda_executable
    program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
    return [read(executable.data) for executable in program.executables]


def steps_of(lines):
    return lines_with(lines, "launch", "fill", "copy")


def lines_with(lines, *words):
    return [line for line in lines if line.split()[0] in words]


def arrays_of(spec):
    """Different bytes for every input of the compiled function."""
    rng = np.random.default_rng(0)
    return {
        tensor.name: rng.integers(0, 100, tuple(map(int, tensor.shape))).astype(
            dtype(tensor.dtype).numpy
        )
        for tensor in spec.inputs
    }


def static_of(artifact, name):
    """The spec of one call of the compiled function."""
    sizes = SIZES.get(name)
    spec = artifact.spec.compiled
    return spec.of_sizes(sizes) if sizes else spec


def dims_of(spec):
    return {
        (f"input{i}", axis): int(size)
        for i, tensor in enumerate(spec.inputs)
        for axis, size in enumerate(tensor.shape)
    }


def expected_lines(artifact, dims):
    """The lines after the inputs are there, as the traced host program has them.

    The example allocates inputs, then what the program allocates, then constants.
    """
    program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
    inputs, allocations = len(artifact.spec.compiled.inputs), len(program.allocations)
    first = {"input": 0, "allocation": inputs, "constant": inputs + allocations}
    blocks = {
        export.kernel: (*export.workgroup_size, export.dynamic_lds_bytes)
        for exports, _ in _executables(artifact)
        for export in exports
    }

    def address(place):
        number = first[place.buffer.role] + place.buffer.index
        return f"{number}+{evaluate(place.offset, dims)}"

    for i, data in enumerate(program.constants):
        yield f"write {first['constant'] + i}+0 {len(data)} {zlib.crc32(data)}"
    for step in program.steps:
        addresses = [address(place) for place in step.ranges]
        length = evaluate(step.ranges[-1].length, dims)
        if step.what == "dispatch":
            grid = [evaluate(size, dims) for size in step.workgroups]
            numbers = [evaluate(size, dims) & 0xFFFFFFFF for size in step.constants]
            words = ["launch", step.kernel, *grid, *blocks[step.kernel], *addresses, *numbers]
        elif step.what == "fill":
            pattern = step.pattern.to_bytes(step.pattern_bytes, "little").hex()
            words = ["fill", *addresses, length, pattern]
        else:
            words = ["copy", *addresses, length]
        yield " ".join(map(str, words))
    for place in program.outputs:
        yield f"read {address(place)} {evaluate(place.length, dims)}"


def lines_of_plan(plan, dims):
    """The lines of a host's calls, made from the description alone."""
    numbers = {buffer.id: i for i, buffer in enumerate(plan.buffers)}

    def address(place):
        return f"{numbers[place.buffer]}+{evaluate(place.offset, dims)}"

    for step in plan.steps:
        if isinstance(step, Dispatch):
            kernel = plan.kernel(step.kernel)
            values = {("binding", i): address(place) for i, place in enumerate(step.bindings)}
            for i, size in enumerate(step.constants):
                values["constant", i] = evaluate(size, dims) & 0xFFFFFFFF
            given = [a for a in kernel.arguments if a.index is not None]
            packed = [values.pop((a.kind, a.index)) for a in sorted(given, key=lambda a: a.offset)]
            assert not values
            grid = [evaluate(size, dims) for size in step.grid]
            block = [*kernel.workgroup_size, kernel.dynamic_lds]
            words = ["launch", kernel.name, *grid, *block, *packed]
        elif isinstance(step, Fill):
            length = evaluate(step.target.length, dims)
            pattern = step.pattern.to_bytes(step.pattern_bytes, "little").hex()
            words = ["fill", address(step.target), length, pattern]
        else:
            assert isinstance(step, Copy)
            length = evaluate(step.target.length, dims)
            words = ["copy", address(step.source), address(step.target), length]
        yield " ".join(map(str, words))


def renumbered(lines):
    """The lines with allocations numbered as they come."""
    numbers = {}

    def number(found):
        return f" {numbers.setdefault(found[1], len(numbers))}+"

    return [re.sub(r" (\d+)\+", number, line) for line in lines]
