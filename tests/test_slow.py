"""What the inner loop leaves out is there, and is left out."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.slow import SLOW

TESTS = Path(__file__).parent


@pytest.mark.parametrize("place", [place for places in SLOW.values() for place in places])
def test_every_place_is_a_file_or_a_test_in_it(place):
    file, _, name = place.partition("::")
    assert f"\ndef {name or 'test_'}" in (TESTS / file).read_text()


def test_quick_leaves_out_what_is_slow(monkeypatch):
    monkeypatch.syspath_prepend(TESTS.parent / "tools")
    import dev

    _, *quick = dev.tests_command(True, [])
    quick = [*quick[: quick.index("-n")], *quick[quick.index("-m", 2) :], "--collect-only"]
    files = [TESTS / "test_properties.py", TESTS / "test_catalog.py"]
    told = subprocess.run([sys.executable, *quick, *files], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
    assert "test_catalog.py" in told.stdout
    assert "test_properties.py" not in told.stdout
