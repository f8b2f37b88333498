"""What a process says when it ends with kernels and device arrays that somebody still holds."""

import subprocess
import sys

import pytest

from irattn import AttentionSpec
from irattn.compiling.build import build
from irattn.rendering import GraphRequest
from irattn.targets import get
from support.places import ROOT

SPEC = AttentionSpec(
    num_q_heads=2, num_kv_heads=2, q_len=5, kv_len=7, head_dim=8, io_dtype="f32", causal=True
)

# Held for ever, as by a registry of another library that is written in C++.
HELD = """
import atexit, ctypes, sys
import numpy as np
import irattn
from irattn.core.errors import DeviceError

kernel = irattn.load(sys.argv[1], device=sys.argv[2])
array = irattn.DeviceArray.from_numpy(np.ones((1, 2, 5, 8), np.float32), kernel.device)
keys = irattn.DeviceArray.from_numpy(np.ones((1, 2, 7, 8), np.float32), kernel.device)
output = kernel(array, keys, keys)
kernel(np.ones((1, 2, 5, 8), np.float32), *[np.ones((1, 2, 7, 8), np.float32)] * 2)
for held in (kernel, array, output):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
"""

# This handler was there first, and so comes last.
ASKED = """
import atexit

def ask():
    for use in (lambda: kernel(array, keys, keys), array.to_numpy, lambda: kernel.device.hal):
        try:
            use()
        except DeviceError as error:
            print(error)

atexit.register(ask)
"""


def run(script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["local-sync", "local-task"])
def test_nothing_is_left_of_what_somebody_holds(device):
    done = run(HELD, build(GraphRequest(SPEC, get("cpu"))).path, device)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_what_is_used_even_later_says_why_it_is_gone():
    done = run(ASKED + HELD, build(GraphRequest(SPEC, get("cpu"))).path, "local-sync")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Python is ending: kernels, arrays and devices have been released",
        "array: its memory has been released, as Python is ending",
        "Python is ending: kernels, arrays and devices have been released",
    ]
