"""The compiler's wrong code that graphs steer clear of, as the folders say that are sent upstream.

Where one of these fails, the compiler has mended it: the folder and the detour may go.
"""

from pathlib import Path

import numpy as np
import pytest

from irattn import targets
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.runtime.queue import launch_problem
from support.compiled_once import compiled_once

pytestmark = pytest.mark.slow

BUGS = Path(__file__).parent / "compiler_bugs"
SHAPES = {
    "distributed_twice": (4, 64),
    "collapse_before_store": (4, 64, 4),
    "signed_minimum": (4, 64),
    "single_row_write": (2, 3, 4),
    "extracted_number": (4,),
    "unit_mask": (2, 4),
}
# What the emulator does not execute.
STOPPED = ("beyond its buffer", "race in global", "which was never written")
CASES = pytest.mark.parametrize(
    ("name", "target"),
    [
        ("distributed_twice", "cpu"),
        ("distributed_twice", "gfx1100"),
        ("collapse_before_store", "gfx1100"),
        ("signed_minimum", "gfx1100"),
        ("single_row_write", "gfx1100"),
        ("extracted_number", "gfx1100"),
        ("unit_mask", "cpu"),
    ],
)


def is_doubled(name, file, target):
    """Whether a module of a folder doubles its input, with the runtime alone."""
    from iree import runtime

    found = targets.get(target)
    vmfb = compiled_once((BUGS / name / file).read_text(), found.flags)
    hal = emulated_device.open_device(target) if found.is_gpu else runtime.get_device("local-sync")
    instance = runtime.VmInstance()
    module = runtime.VmModule.copy_buffer(instance, vmfb)
    modules = [runtime.create_hal_module(instance, hal), module]
    context = runtime.VmContext(instance, modules=modules)
    call = runtime.FunctionInvoker(context, hal, module.lookup_function("double"))
    given = np.arange(np.prod(SHAPES[name]), dtype=np.float32).reshape(SHAPES[name])
    try:
        doubled = call(runtime.asdevicearray(hal, given)).to_host()
    except RuntimeError as error:
        if any(said in launch_problem(error) for said in STOPPED):
            return False
        raise
    return np.array_equal(doubled.reshape(given.shape), 2 * given)


@CASES
def test_the_compiler_still_gets_it_wrong(name, target):
    assert not is_doubled(name, "module.mlir", target)


@CASES
def test_what_graphs_do_instead_is_right(name, target):
    assert is_doubled(name, f"right-{target}.mlir", target)


def test_every_folder_is_looked_at():
    assert {path.name for path in BUGS.iterdir()} == SHAPES.keys()
