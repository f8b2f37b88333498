"""Junk in numbers that nobody checked, on GPUs: code executed keeps it to its sequence."""

from dataclasses import dataclass

import numpy as np
import pytest

from irattn.binary.launches import LaunchPlan, launch_plan_and_files
from irattn.lab.emulator import Run, program, run_plan
from irattn.lab.emulator.machine import memory
from irattn.lab.emulator.machine.writers import Writers
from irattn.lab.emulator.ops import memory as memory_ops
from support.joined import artifact_of
from support.junk import TURNS, call_of, clean, junk_calls, specs, times_longer
from support.tiny import tiny_artifact, tiny_names

pytestmark = pytest.mark.slow

SPECS = specs()

# Between two buffers, so that what leads out of one does not lead into the next by chance.
GUARD = 1 << 22


class Remembered(memory.Memory):
    """The memory of the last run, to be looked at when it is over.

    `beyond` counts accesses beyond a buffer's end that AMD's hardware drops, and others' does not:
    products have some of their own, for what is not there of a tile.
    """

    last: "Remembered"

    def __init__(self, **how):
        super().__init__(**how)
        self.beyond = 0
        Remembered.last = self


move_raw = memory_ops._move_raw


def counted_move(st, move, at, register, left):
    st.around.memory.beyond += np.count_nonzero(st.active & (left < move.bytes))
    move_raw(st, move, at, register, left)


@pytest.fixture(autouse=True)
def watched(monkeypatch):
    monkeypatch.setattr(memory, "_GUARD", GUARD)
    monkeypatch.setattr(program, "Memory", Remembered)
    monkeypatch.setattr(memory_ops, "_move_raw", counted_move)


@dataclass
class Code:
    """Compiled code as the emulator takes it, without any check of what it is given."""

    plan: LaunchPlan
    files: dict[str, bytes]
    # Basic blocks that a launch executes at most.
    most_blocks: int = 10**6

    def run(self, tensors) -> Run:
        # With workgroups chosen, be it all, a row may be left unwritten.
        everything = dict.fromkeys(range(len(self.plan.steps)), np.arange)
        return run_plan(
            self.plan, self.files, tensors, some=everything, most_blocks=self.most_blocks
        )


# Kernels of matrix instructions are each family's own; others differ in their layouts alone. All
# keep numbers in range by one macro, so that one family sees all kinds of junk: a spec those of two
# turns, one number too small and one too large, and the next spec those of the next two.
# The other families share the specs between them.
OF_FAMILIES = [name for name, spec in SPECS.items() if getattr(spec, "io_dtype", None) == "f16"]
CALLS = [
    *((name, "gfx1100", TURNS[i % 3 * 2 :][:2]) for i, name in enumerate(SPECS)),
    *((name, "gfx1201", TURNS[:1]) for name in OF_FAMILIES[::2]),
    *((name, "gfx942", TURNS[:1]) for name in OF_FAMILIES[1::2]),
]


def artifact_named(name, target):
    """A tiny entry as other tests have it; the rest is compiled together, what a target needs."""
    tiny = tiny_names(target)
    if name in tiny:
        return tiny_artifact(name, target)
    others = [one for one, its, _ in CALLS if its == target and one not in tiny]
    return artifact_of(SPECS[name], [SPECS[one] for one in others], target)


@pytest.mark.parametrize(("name", "target", "turns"), CALLS, ids=str)
def test_junk_stays_with_its_sequence(name, target, turns, monkeypatch):
    call = call_of(SPECS[name])
    tensors = clean(call)
    code = Code(*launch_plan_and_files(artifact_named(name, target)))
    expected = code.run(tensors)
    beyond = Remembered.last.beyond
    most = max(count.blocks for count in expected.counts)
    code.most_blocks = 2 * times_longer(call, tensors) * most
    for junk in junk_calls(call, tensors, turns):
        with monkeypatch.context() as patch:
            if junk.overlaps:
                patch.setattr(Writers, "note", lambda *given: None)
            found = code.run(junk.tensors)
        assert Remembered.last.beyond <= beyond, f"{junk.name} leads out of a buffer"
        assert_others_same(call, junk, found, expected)
        assert_slots_kept(call, junk, found)
        assert_inputs_same(code.plan, junk)


def assert_others_same(call, junk, found, expected):
    for i, tensor in enumerate(call.outputs):
        others = ~junk.may_change[i]
        assert found.written[i][others].all(), f"{junk.name} leaves {tensor.name} unwritten"
        same = found.outputs[i][others].tobytes() == expected.outputs[i][others].tobytes()
        assert same, f"{junk.name} changes {tensor.name} of others"


def assert_slots_kept(call, junk, found):
    """What tokens without a slot would have overwritten is still there."""
    for output, kept, tensor in zip(found.outputs, junk.kept, call.outputs, strict=True):
        if tensor.name in call.updates:
            before = junk.tensors[call.updates[tensor.name]]
            assert (output[kept] == before[kept]).all(), f"{junk.name} writes to {tensor.name}"


def assert_inputs_same(plan, junk):
    buffers = {buffer.name: buffer for buffer in Remembered.last.buffers}
    for one in plan.inputs:
        if not one.overwritten:
            given, at = junk.tensors[one.name], buffers[f"buffer {one.place.buffer}"].address
            after = Remembered.last.get(at, given.nbytes)
            assert after.tobytes() == given.tobytes(), f"{junk.name} changes {one.name}"
