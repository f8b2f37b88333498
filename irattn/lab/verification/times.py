"""How long verifying a spec takes, in seconds of processor time, by what is slowest."""

from irattn.lab.emulated_gpu.device import EMULATORS
from irattn.lab.inputs import cases_for
from irattn.runtime import CPU_DRIVERS, Kernel
from irattn.specs import Spec
from irattn.targets import Target

# Measured operations in a second: of the float64 reference, and of a fused graph on a CPU.
_REFERENCE_RATE, _FUSED_RATE = 1e10, 1e9

# Measured in the emulator: operations of matrix instructions and of others in a second, bytes of
# tensors in a second, and the seconds of a case that computes next to nothing. From the tiny
# catalogue and from prompts of 128 to 512 and decodes of 1,024 tokens for gfx1100 and gfx942: 1.0
# to 5 times what they took.
_MATRIX_RATE, _VECTOR_RATE, _BYTE_RATE, _CASE = 4e8, 8e7, 5e6, 0.3


def emulated(spec: Spec, target: Target) -> float:
    """Seconds for all cases of a spec in the emulator."""
    return sum(len(cases_for(call)) * _emulated_call(call, target) for call in spec.calls)


def of_kernel(kernel: Kernel, target: Target) -> float:
    """Seconds for all cases of a kernel's spec where it runs, or for their reference."""
    if kernel.driver in EMULATORS:
        return emulated(kernel.spec, target)
    is_slow = kernel.driver in CPU_DRIVERS and kernel.artifact.manifest.formulation == "fused"
    flops = sum(len(cases_for(call)) * call.flops for call in kernel.spec.calls)
    return flops / (_FUSED_RATE if is_slow else _REFERENCE_RATE)


def _emulated_call(spec: Spec, target: Target) -> float:
    """Seconds for one case."""
    has_matrix = spec.inputs[0].dtype in target.matrix
    size = sum(tensor.bytes for tensor in (*spec.inputs, *spec.outputs))
    return _CASE + spec.flops / (_MATRIX_RATE if has_matrix else _VECTOR_RATE) + size / _BYTE_RATE
