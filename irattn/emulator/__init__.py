"""Executes AMD machine code on the CPU: a wave emulator in NumPy.

It runs the binary inside a compiled module, lane by lane as RDNA3 and RDNA4 do, vectorised over
lanes, waves and workgroups. What it cannot see: missing waits, hazards, and the order in which
matrix instructions round.
"""

from irattn.emulator.launch import Counts, launch
from irattn.emulator.memory import Memory
from irattn.emulator.program import Run, run_plan
from irattn.emulator.schedule import SCHEDULES
from irattn.emulator.support import supported, unsupported_instructions

__all__ = [
    "SCHEDULES",
    "Counts",
    "Memory",
    "Run",
    "launch",
    "run_plan",
    "supported",
    "unsupported_instructions",
]
