"""Executes AMD machine code on the CPU: a wave emulator in NumPy.

It runs the binary inside a compiled module, lane by lane as RDNA3, RDNA4, CDNA2 and CDNA3 do
(`isa.families` says what differs), vectorised over lanes, waves and workgroups. What it cannot see:
the order in which matrix instructions round, and workgroups that read what others write.
"""

from irattn.lab.emulator.launch import launch
from irattn.lab.emulator.machine.memory import Memory
from irattn.lab.emulator.machine.schedule import SCHEDULES
from irattn.lab.emulator.measure.counts import Counts
from irattn.lab.emulator.measure.support import (
    emulates,
    executes,
    supported,
    unsupported_instructions,
)
from irattn.lab.emulator.measure.waits import missing_waits
from irattn.lab.emulator.program import Run, run_plan

__all__ = [
    "SCHEDULES",
    "Counts",
    "Memory",
    "Run",
    "emulates",
    "executes",
    "launch",
    "missing_waits",
    "run_plan",
    "supported",
    "unsupported_instructions",
]
