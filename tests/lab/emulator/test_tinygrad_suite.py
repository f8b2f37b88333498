"""tinygrad's tests of opcodes, which were checked on AMD's cards, on our emulator.

They run where the source of tinygrad is at hand, which the package does not hold:
`IRATTN_TINYGRAD=/path/to/tinygrad pytest tests/lab/emulator/test_tinygrad_suite.py -s` prints what
came out.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = "IRATTN_TINYGRAD"
TESTS = Path("test", "amd", "hw")
HERE = Path(__file__).resolve().parent


def test_what_cards_do_the_emulator_does_too() -> None:
    """All pass that do not ask for an instruction, or a form of one, that is not executed."""
    if ROOT not in os.environ:
        pytest.skip(f"{ROOT} is not set: the path of a checkout of github.com/tinygrad/tinygrad")
    folder = Path(os.environ[ROOT]) / TESTS
    assert folder.is_dir(), f"{ROOT}: expected a checkout of tinygrad, and found no {folder}"
    words = "-q -rs --tb=line -p no:cacheprovider -p support.tinygrad_adapter --rootdir"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *words.split(), os.environ[ROOT], str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent}"},
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 500
