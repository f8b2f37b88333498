"""A test of the emulator's tests: single instructions are deleted or altered, and noticed."""

from collections import Counter
from functools import cache

import pytest

pytest.importorskip("tinygrad")

from support.emulator.judges import NEVER_WRITTEN, judge, judge_barrier, waves_meet
from support.emulator.mutants import Program

pytestmark = pytest.mark.slow

# How many mutants of each; `tools/mutate.py` takes more of them, and of more programs.
COUNTS = {
    "gfx1100": {
        "causal_f16": 6,
        "decode_f32": 6,
        "paged_prefill_f16": 6,
        "projection_f16": 6,
        "merge_states": 16,
        "cache_write": 16,
    },
    "gfx1201": {"decode_f32": 6, "merge_states": 10, "cache_write": 10},
}
WITH_BARRIERS = ("causal_f16", "paged_prefill_f16", "projection_f16")


@cache
def program(name: str, target: str = "gfx1100") -> Program:
    return Program(name, target)


@pytest.mark.parametrize("target", COUNTS)
def test_changed_instructions_are_noticed(target: str) -> None:
    """Those that leave the registers as they were do not count, as no inputs can tell."""
    ends = Counter(
        judge(program(name, target), mutant)
        for name, count in COUNTS[target].items()
        for mutant in program(name, target).mutants(count, seed=1)
    )
    noticed, counted = ends["error"] + ends["numbers"], ends.total() - ends["same"]
    assert noticed >= 0.85 * counted, ends
    assert counted >= 0.8 * sum(COUNTS[target].values()), ends


@pytest.mark.parametrize("name", WITH_BARRIERS)
def test_a_missing_barrier_is_noticed(name: str) -> None:
    """By the race check, and without it by numbers under one of the schedules.

    Unless each wave on both sides only touches what is its own: then nothing is wrong without it.
    """
    noticed = 0
    for place in program(name).barriers:
        mutant = program(name).without(place)
        by_check = judge_barrier(program(name), mutant)
        by_numbers = judge_barrier(program(name), mutant, checks=False)
        if waves_meet(program(name), mutant):
            noticed += 1
            assert by_check is not None
            assert "lockstep" in by_check
            assert "race in LDS" in by_check or NEVER_WRITTEN in by_check
            assert by_numbers is not None
        else:
            assert by_check is None
            assert by_numbers is None
    assert noticed >= 1
