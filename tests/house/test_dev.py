"""The developer's commands."""

import re
import subprocess
import sys
from collections import defaultdict

import dev
import pytest

from support.places import TESTS

# What a file says that has slow tests, or is slow as a whole.
SLOW = "mark.slow"


def test_quick_leaves_out_what_is_slow():
    told = quick_tests(TESTS / "graphs" / "test_properties.py", TESTS / "specs" / "test_catalog.py")
    assert "test_catalog.py" in told
    assert "test_properties.py" not in told


@pytest.mark.slow
def test_every_room_has_quick_tests():
    """A file without slow tests has nothing else; only where a room has none are others asked."""
    rooms = defaultdict(list)
    for path in TESTS.glob("*/test_*.py"):
        rooms[path.parent].append(path)
    asked = [room for room, files in rooms.items() if all(SLOW in f.read_text() for f in files)]
    told = quick_tests(*asked) if asked else ""
    assert [room.name for room in asked if f"tests/{room.name}/" not in told] == []


def test_every_test_of_another_library_is_run_beside_it():
    """Elsewhere it is skipped, and nobody would see that it fails."""
    asks = re.compile(r'importorskip\(\s*"(torch|transformers|onnx|onnxruntime|vllm)\b')
    files = {str(path.relative_to(TESTS)): path.read_text() for path in TESTS.rglob("test_*.py")}
    named = {one.partition("::")[0] for _, tests in dev.INTEGRATIONS.values() for one in tests}
    assert {file for file, text in files.items() if asks.search(text)} - named == set()
    assert named <= files.keys()


def quick_tests(*places):
    """The names of the tests in these places that are run with --quick."""
    _, *quick = dev.tests_command(True, [])
    quick = [*quick[: quick.index("-n")], *quick[quick.index("-m", 2) :], "--collect-only"]
    told = subprocess.run([sys.executable, *quick, *places], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
    return told.stdout
