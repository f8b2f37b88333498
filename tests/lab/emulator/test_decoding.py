"""Decoding does not have Python look for garbage, and leaves that as it was."""

import gc
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("tinygrad")

from irattn.core.errors import ArtifactError
from irattn.core.garbage import no_garbage
from irattn.lab.emulator.decode.blocks import decode
from support.emulator.machine import TABLES


@pytest.fixture
def looks() -> Iterator[list[int]]:
    """The generations that Python looked through, with the thresholds that users have."""
    seen: list[int] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        seen.append(info["generation"])

    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


def code_of(seed: int) -> bytes:
    """Additions that nothing else in this process has."""
    own = TABLES["gfx1100"]
    numbers = [own.s_add_u32(own.s[i % 90], own.s[i // 90], 1000 + seed + i) for i in range(300)]
    return b"".join(one.to_bytes() for one in [*numbers, own.s_endpgm()])


@pytest.mark.usefixtures("only_new_garbage")
def test_decoding_does_not_look_for_garbage(looks: list[int]) -> None:
    code = code_of(0)
    gc.collect()
    looks.clear()
    decoded = decode(code, "gfx1100", True)
    # What is made may be looked through once afterwards.
    assert len(looks) <= 2
    assert len(decoded.instructions) == 301
    assert gc.isenabled()


def test_what_was_switched_off_stays_so() -> None:
    gc.disable()
    try:
        decode(code_of(1), "gfx1100", True)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_errors_switch_it_on_again() -> None:
    with pytest.raises(ArtifactError):
        decode(b"\xff" * 8, "gfx1100", True)
    assert gc.isenabled()
    with no_garbage(), no_garbage():
        assert not gc.isenabled()
    assert gc.isenabled()
