#!/usr/bin/env python3
"""Holds the emulator's counts against those of real cards, kernel by kernel.

tinygrad keeps traces of a few kernels, with their code objects and the cards' counters, in
`extra/sqtt/examples`. This executes the same code objects and prints both figures, and how many
cycles a wave lived: on the card, by the model of units at their peak rates, and by that of a wave
that waits.

    git clone --depth 1 https://github.com/tinygrad/tinygrad
    python3 tools/calibrate.py tinygrad/extra/sqtt/examples
"""

import argparse
import pickle
import statistics
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tabulate import tabulate
from tinygrad.renderer.amd import sqtt

from irattn import targets
from irattn.binary.codeobject import instructions, read_code_object
from irattn.core.errors import IrattnError, UsageError
from irattn.lab.emulator import Counts, Memory, launch
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.emulator.measure.latencies import Span

# Workgroups and work-items of the kernels there, by name; all take buffers of f32.
LAUNCHES = {"E": (1, 1), "E_3": (1, 3), "r_32_32_16_2": ((32, 32), 16), "E_32_4": (1, 32)}
BYTES = 32 * 32 * 4
# A counter of the card, by what it counts; scalar loads and messages are none of these.
COUNTERS = {"vector": "INSTS_VALU", "scalar": "INSTS_SALU", "LDS cycles": "LDS_IDX_ACTIVE"}
_NO_SALU = ("SMEM", "SOPP")


@dataclass(frozen=True)
class Traced:
    """A kernel that ran on a card: its code object, what the card counted, and how many cycles each
    of its waves lived.
    """

    trace: str
    name: str
    code: bytes
    counted: dict[str, int]
    lives: list[int]


class _Record:
    """Stands for an object of any class: what it holds, and nothing that it can do."""

    def __new__(cls, *args: Any) -> "_Record":
        return object.__new__(cls)

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _Records(pickle.Unpickler):
    """Reads a trace without importing anything that it names."""

    def find_class(self, module: str, name: str) -> Any:
        return type(name, (_Record,), {"__init__": lambda self, *args: None})


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="tinygrad's extra/sqtt/examples")
    files = sorted(parser.parse_args().folder.glob("*/*.pkl"))
    if not files:
        parser.error("expected traces <gfx>/*.pkl in the folder, and found none")
    counts: list[list[Any]] = []
    lives: list[list[Any]] = []
    for traced in (one for file in files for one in read(file)):
        row = [traced.trace, traced.name]
        try:
            own = execute(traced)
        except IrattnError as error:
            counts.append([*row, f"not executed: {error}"])
        else:
            counts.append([*row, *counts_beside(traced, own)])
            lives.append([*row, *lives_beside(traced, own)])
    heads = [f"{figure}{who}" for figure in COUNTERS for who in ("", ", card")]
    print(tabulate(counts, ["trace", "kernel", *heads]))
    print("\ncycles that a wave lives:\n")
    print(tabulate(lives, ["trace", "kernel", "card", "at peak rates", "error", "waits", "error"]))
    return 0


def read(file: Path) -> Iterator[Traced]:
    """The kernels of a trace."""
    with file.open("rb") as data:
        events = _Records(data).load()
    programs = {
        e.state["tag"]: e.state for e in events if type(e).__name__ == "ProfileProgramEvent"
    }
    for event in events:
        if type(event).__name__ == "ProfilePMCEvent":
            kern = event.state["kern"]
            program = programs[kern]
            trace = f"{file.parent.name} {file.stem.removeprefix('profile_')}"
            lives = [
                life
                for one in events
                if type(one).__name__ == "ProfileSQTTEvent" and one.state["kern"] == kern
                for life in _lives(one.state["blob"])
            ]
            yield Traced(trace, program["name"], program["lib"], _counted(event.state), lives)


def _counted(event: dict[str, Any]) -> dict[str, int]:
    """The sum of each counter over the card."""
    sums = {}
    for sample in event["sched"]:
        at, size = sample.state["off"], sample.state["size"]
        numbers = struct.unpack(f"<{size // 8}Q", event["blob"][at : at + size])
        sums[sample.state["name"].partition("_")[2]] = sum(numbers)
    return sums


def _lives(trace: bytes) -> Iterator[int]:
    """From the start of each wave to its end."""
    started: dict[tuple[int, ...], int] = {}
    for packet in sqtt.decode(trace):
        name = type(packet).__name__
        if "WAVESTART" in name or "WAVEEND" in name:
            where = (packet.cu, packet.simd, packet.wave)
            if "WAVESTART" in name:
                started[where] = packet._time
            elif where in started:
                yield packet._time - started.pop(where)


def counts_beside(traced: Traced, own: Counts) -> list[int]:
    """Own counts beside the card's."""
    counts = counts_of(traced, own)
    return [n for what, of in COUNTERS.items() for n in (counts[what], traced.counted[of])]


def lives_beside(traced: Traced, own: Counts) -> list[str]:
    """The card's median and range, those of both models, and how far they are from the median."""
    target = targets.get(read_code_object(traced.code).gfx)
    # A wave that never waits leaves what the units take.
    model = estimate(replace(own, alone=Span(0, 0)), target, None)
    assert model is not None
    assert model.cycles is not None
    assert own.alone is not None
    card = statistics.median(traced.lives)
    said = [[f"{one.least} to {one.most}", _error(one, card)] for one in (model.cycles, own.alone)]
    return [f"{card:.0f} ({min(traced.lives)} to {max(traced.lives)})", *said[0], *said[1]]


def _error(span: Span, card: float) -> str:
    """By how much the nearest figure of a range is off."""
    nearest = min(max(card, span.least), span.most)
    return "in it" if nearest == card else f"{nearest / card - 1:+.0%}"


def execute(traced: Traced) -> Counts:
    """Run it on random numbers."""
    code = read_code_object(traced.code)
    (kernel,) = code.kernels
    if traced.name not in LAUNCHES:
        raise UsageError("nobody has said how it is launched")
    workgroups, items = LAUNCHES[traced.name]
    x, y = workgroups if isinstance(workgroups, tuple) else (workgroups, 1)
    memory, rng = Memory(), np.random.default_rng(0)
    data = rng.standard_normal(BYTES // 4).astype(np.float32)
    buffers = [memory.allocate("buffer", BYTES, data) for _ in kernel.arguments]
    arguments = struct.pack(f"<{len(buffers)}Q", *buffers)
    return launch(code, kernel.name, (x, y, 1), (items, 1, 1), arguments, memory, measure=True)


def counts_of(traced: Traced, counts: Counts) -> dict[str, int]:
    """What the card has counters for."""
    code = read_code_object(traced.code)
    (kernel,) = code.kernels
    assert counts.traffic is not None
    # No kernel here has a loop: a wave comes to each of these once.
    others = [
        one
        for one in instructions(kernel.code, code.gfx)
        if one.at in counts.executed
        and one.kind == "scalar"
        and one.encoding.__name__.startswith(_NO_SALU)
    ]
    return {
        "vector": counts.instructions.get("vector", 0),
        "scalar": counts.instructions.get("scalar", 0) - len(others) * counts.waves,
        "LDS cycles": counts.traffic.lds_cycles,
    }


if __name__ == "__main__":
    sys.exit(main())
