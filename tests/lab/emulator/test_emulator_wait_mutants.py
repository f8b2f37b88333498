"""Compiled code has the waits that it needs; without any one of them it is noticed."""

from functools import cache

import pytest

pytest.importorskip("tinygrad")

from irattn.lab.emulator import missing_waits
from irattn.lab.profiling import code_objects
from support.emulator.mutants import Program
from support.emulator.wait_mutants import by_execution, by_static, is_reached, wait_mutants, waits
from support.machine_code import launched
from support.tiny import tiny_artifact

pytestmark = pytest.mark.slow

TARGETS = ("gfx1100", "gfx1201", "gfx942")
NAMES = ("gqa_causal_tiny", "gqa_decode_tiny", "softmax_tiny")


@cache
def program(name: str, target: str) -> Program:
    return Program(name, target)


@pytest.mark.parametrize("target", [*TARGETS, "gfx90a"])
@pytest.mark.parametrize("name", NAMES)
def test_compiled_code_lacks_no_wait(name: str, target: str) -> None:
    artifact = tiny_artifact(name, target)
    names, looked_at = launched(artifact), []
    for code_object in code_objects(artifact):
        for kernel in code_object.kernels:
            if kernel.name in names:
                looked_at.append(kernel.name)
                assert list(map(str, missing_waits(kernel, target))) == []
    assert sorted(looked_at) == sorted(names)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["merge_states", "cache_write"])
def test_a_wait_that_is_missing_or_weaker_is_noticed(name: str, target: str) -> None:
    """In the code as it is, and when it is executed where waves come to it."""
    changed = program(name, target)
    places = waits(changed)
    assert len(places) >= 3
    for place in places:
        for mutant in wait_mutants(changed, place):
            assert by_static(changed, mutant), mutant
            assert by_execution(changed, mutant) == is_reached(changed, place), mutant
