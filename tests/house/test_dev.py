"""The developer's commands."""

import subprocess
import sys

import dev

from support.places import TESTS


def test_quick_leaves_out_what_is_slow():
    _, *quick = dev.tests_command(True, [])
    quick = [*quick[: quick.index("-n")], *quick[quick.index("-m", 2) :], "--collect-only"]
    files = [TESTS / "graphs" / "test_properties.py", TESTS / "specs" / "test_catalog.py"]
    told = subprocess.run([sys.executable, *quick, *files], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
    assert "test_catalog.py" in told.stdout
    assert "test_properties.py" not in told.stdout
