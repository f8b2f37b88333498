"""Describe how a compiled module is launched: all that a host needs besides machine code."""

from irattn.binary.launches.plan import (
    FORMAT_VERSION,
    NOTES,
    Argument,
    CodeFile,
    Copy,
    DeviceBuffer,
    Dispatch,
    DynamicAxes,
    Fill,
    KernelEntry,
    LaunchPlan,
    LaunchStep,
    Place,
    PlacedTensor,
)
from irattn.binary.launches.planning import launch_files, launch_plan, launch_plan_and_files
from irattn.binary.launches.reading import read_launch_plan

__all__ = [
    "FORMAT_VERSION",
    "NOTES",
    "Argument",
    "CodeFile",
    "Copy",
    "DeviceBuffer",
    "Dispatch",
    "DynamicAxes",
    "Fill",
    "KernelEntry",
    "LaunchPlan",
    "LaunchStep",
    "Place",
    "PlacedTensor",
    "launch_files",
    "launch_plan",
    "launch_plan_and_files",
    "read_launch_plan",
]
