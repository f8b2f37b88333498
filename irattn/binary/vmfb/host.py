"""Find what a module's host program has the device do: buffers, and steps in order.

The program is followed with a device of our own that only takes notes.
"""

from irattn.binary.vmfb.bytecode import Machine, argument_kinds
from irattn.binary.vmfb.given import check
from irattn.binary.vmfb.host_device import NotingDevice, TensorView
from irattn.binary.vmfb.host_program import HostBuffer, HostProgram, Range
from irattn.binary.vmfb.module import BYTECODE_VERSION, CompiledModule
from irattn.core.errors import ArtifactError


def trace(module: CompiledModule, entry_point: str) -> HostProgram:
    """Follow an exported function of a module; ArtifactError where it is not understood."""
    device, machine = _loaded(module)
    function = module.function(entry_point)
    inputs = [
        TensorView(Range(HostBuffer("input", i), 0, 0), f"input{i}")
        for i in range(len(argument_kinds(function.calling_convention)))
    ]
    outputs = machine.call(function, list(inputs))
    for view in outputs:
        check("what the function returns", view, TensorView)
    return HostProgram(
        tuple(device.executables),
        tuple(device.steps),
        tuple(device.barriers),
        tuple(device.allocations),
        tuple(device.constants),
        tuple(view.range for view in outputs),
    )


def launches_when_loaded(module: CompiledModule) -> bool:
    """Whether loading a module launches kernels, for what no input changes.

    ArtifactError where the module is not understood.
    """
    device, _ = _loaded(module)
    return bool(device.steps)


def _loaded(module: CompiledModule) -> tuple[NotingDevice, Machine]:
    """A device that a module is loaded on, and what carries out the module's functions there."""
    if module.bytecode_version != BYTECODE_VERSION:
        version = ".".join(map(str, module.bytecode_version))
        raise ArtifactError(
            f"the module has bytecode version {version}; irattn reads "
            f"{'.'.join(map(str, BYTECODE_VERSION))}"
        )
    device = NotingDevice()
    machine = Machine(module, device.call)
    if "__init" in module.exports:
        machine.call(module.function("__init"), [])
    return device, machine
