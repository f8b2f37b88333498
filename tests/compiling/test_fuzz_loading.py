"""Mutated artifacts and bundles: each is refused by an error of ours, or runs right."""

import os
import subprocess
import sys

import pytest

import irattn
from irattn.compiling.store import default_root
from support.mutants import BUNDLE_MUTATIONS, FOLDER_MUTATIONS, NAMES, TARGETS
from support.places import TESTS

pytestmark = pytest.mark.slow

COUNT = int(os.environ.get("IRATTN_MUTANTS", "1000"))
PROCESSES = 2


# A sample of what must be reached: not every mutant should stumble over the same check.
CHECKS = (
    "altered or truncated (its sha256 differs",
    "expected format version",
    "not readable as JSON",
    "key: differs",
    "inputs: expected",
    "is damaged",
    "its checksum differs",
    "its header and the directory disagree",
    "it is there twice",
    "leads out of the archive",
    "a symbolic link",
    "compressed ones",
    "does not load on device",
    "function attention: expected",
    "got code for local devices",
    " right",
)


def test_every_mutant_is_refused_or_right(tmp_path):
    """They run in other processes, which a crash would end, and a hang would not."""
    bundle = tmp_path / "whole.irattn"
    irattn.bundle(NAMES, bundle, target=TARGETS[1], cpu=TARGETS[0])
    children = [start(tmp_path, bundle, first) for first in range(PROCESSES)]
    outcomes = {}
    for child in children:
        output, errors = child.communicate(timeout=300)
        lines = output.decode().splitlines()
        assert child.returncode == 0, f"ended by {child.returncode} after {lines[-1:]}: {errors!r}"
        outcomes |= {int(number): rest for number, _, rest in (x.partition(" ") for x in lines)}
    assert sorted(outcomes) == list(range(COUNT))
    results = {line.partition(" ")[2].partition(":")[0] for line in outcomes.values()}
    assert results <= {"refused", "right"}, [x for x in outcomes.values() if " WRONG: " in x]
    if COUNT >= 1000:
        made = {line.partition(" ")[0] for line in outcomes.values()}
        assert made == {mutate.__name__ for mutate in (*FOLDER_MUTATIONS, *BUNDLE_MUTATIONS)}
        messages = "\n".join(outcomes.values())
        assert [check for check in CHECKS if check not in messages] == []


def start(folder, bundle, first):
    scratch = folder / str(first)
    scratch.mkdir()
    script = TESTS / "support" / "mutants.py"
    numbers = [str(first), str(COUNT), str(PROCESSES)]
    command = [sys.executable, script, default_root(), bundle, scratch, *numbers]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
