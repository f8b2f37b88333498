"""A stand-in for AMD's runtime library whose kernels the emulator executes."""

from irattn.emulator.device.bridge import Bridge, Launcher
from irattn.emulator.device.build import library

__all__ = ["Bridge", "Launcher", "library"]
