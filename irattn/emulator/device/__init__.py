"""A stand-in for AMD's runtime library whose kernels the emulator executes."""

from irattn.emulator.device.bridge import Bridge, Launcher
from irattn.emulator.device.build import library
from irattn.emulator.device.exchange import run

__all__ = ["Bridge", "Launcher", "library", "run"]
