"""A stand-in for AMD's runtime library whose kernels the emulator executes."""

from irattn.lab.emulator.hip.bridge import Bridge, Launcher
from irattn.lab.emulator.hip.build import library
from irattn.lab.emulator.hip.exchange import run

__all__ = ["Bridge", "Launcher", "library", "run"]
