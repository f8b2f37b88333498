"""The developer's commands."""

import subprocess
import sys

import dev
import pytest

from support.places import TESTS


def test_quick_leaves_out_what_is_slow():
    told = quick_tests(TESTS / "graphs" / "test_properties.py", TESTS / "specs" / "test_catalog.py")
    assert "test_catalog.py" in told
    assert "test_properties.py" not in told


@pytest.mark.slow
def test_every_room_has_quick_tests():
    rooms = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    told = quick_tests(TESTS)
    assert {room for room in rooms if f"tests/{room}/" not in told} == set()


def quick_tests(*places):
    """The names of the tests in these places that are run with --quick."""
    _, *quick = dev.tests_command(True, [])
    quick = [*quick[: quick.index("-n")], *quick[quick.index("-m", 2) :], "--collect-only"]
    told = subprocess.run([sys.executable, *quick, *places], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
    return told.stdout
