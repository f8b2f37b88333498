"""Junk in numbers that nobody checked, on GPUs: code executed keeps it to its sequence."""

from dataclasses import dataclass

import numpy as np
import pytest

from irattn.binary.launches import LaunchPlan, launch_plan_and_files
from irattn.lab.emulator import Run, program, run_plan
from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine import memory
from irattn.lab.emulator.machine.writers import Writers
from irattn.lab.emulator.ops import memory as memory_ops
from support.joined import artifact_of
from support.junk import call_of, clean, full, junk_calls, specs

pytestmark = pytest.mark.slow

SPECS = specs()

# Between two buffers, so that what leads out of one does not lead into the next by chance.
GUARD = 1 << 22


# AMD's hardware drops what lies beyond a buffer's end, that of others does not.
move_raw = memory_ops._move_raw


def move_within(st, move, at, register, left):
    beyond = st.active & (np.broadcast_to(left, (st.count, st.lanes)) < move.bytes)
    if beyond.any():
        raise FaultError("access beyond a buffer's end", beyond)
    move_raw(st, move, at, register, left)


class Remembered(memory.Memory):
    """The memory of the last run, to be looked at when it is over."""

    last: memory.Memory

    def __init__(self, **how):
        super().__init__(**how)
        Remembered.last = self


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

    def inputs_after(self) -> dict[str, np.ndarray]:
        """What the last run left of inputs that it is not to write to, by buffer."""
        read = {f"buffer {one.place.buffer}" for one in self.plan.inputs if not one.overwritten}
        last = Remembered.last
        return {
            one.name: last.get(one.address, one.size) for one in last.buffers if one.name in read
        }


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
@pytest.mark.parametrize("name", SPECS)
def test_junk_stays_with_its_sequence(name, target, monkeypatch):
    monkeypatch.setattr(memory, "_GUARD", GUARD)
    monkeypatch.setattr(program, "Memory", Remembered)
    monkeypatch.setattr(memory_ops, "_move_raw", move_within)
    spec = SPECS[name]
    call = call_of(spec)
    tensors = clean(call)
    code = Code(*launch_plan_and_files(artifact_of(spec, SPECS.values(), target)))
    longest = code.run(full(call, tensors))
    code.most_blocks = 2 * max(count.blocks for count in longest.counts)
    expected, untouched = code.run(tensors), code.inputs_after()
    for junk in junk_calls(call, tensors):
        with monkeypatch.context() as patch:
            if junk.overlaps:
                patch.setattr(Writers, "note", lambda *given: None)
            found = code.run(junk.tensors)
        for i, tensor in enumerate(call.outputs):
            others = ~junk.may_change[i]
            assert found.written[i][others].all(), junk.name
            same = found.outputs[i][others].tobytes() == expected.outputs[i][others].tobytes()
            assert same, f"{junk.name} changes {tensor.name} of others"
            if tensor.name in call.updates:
                before = tensors[call.updates[tensor.name]]
                kept = found.outputs[i][junk.kept[i]] == before[junk.kept[i]]
                assert kept.all(), f"{junk.name} writes to {tensor.name}"
        for name, before in code.inputs_after().items():
            if name in untouched and name not in changed_inputs(code.plan, tensors, junk.tensors):
                assert (before == untouched[name]).all(), f"{junk.name} changes {name}"


def changed_inputs(plan, tensors, junk) -> set[str]:
    """The buffers of inputs that a call gives other contents."""
    return {
        f"buffer {one.place.buffer}"
        for one in plan.inputs
        if one.name in tensors and tensors[one.name] is not junk[one.name]
    }
