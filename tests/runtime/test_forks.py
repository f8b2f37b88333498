"""Forked processes have none of their parent's threads: they run, or say why not, and end."""

import subprocess
import sys

import pytest

PROGRAM = """
import os, sys
import numpy as np
import irattn

ones = np.ones((4, 8), np.float32)
spec = irattn.RmsNormSpec(rows=4, columns=8, io_dtype="f32")
kernels = [irattn.load(spec, device=device) for device in ("local-task", "local-sync")]
for kernel in kernels:
    kernel(ones, ones[0])
if child := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
again = irattn.load(spec, device="local-task")
for kernel in (again, kernels[1]):
    np.testing.assert_allclose(kernel(ones, ones[0]), ones, rtol=1e-5)
try:
    kernels[0](ones, ones[0])
except irattn.IrattnError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_a_forked_process_has_workers_of_its_own():
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120
    )
    assert told.returncode == 0, told.stderr
    assert "loaded on local-task before this process was forked" in told.stdout
