"""How kernels take the selective scan: each keeps the states of some channels in registers.

Channels know nothing of each other: a workgroup has some of them side by side, of one sequence, and
takes its tokens one after the other.
"""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.cpu.registers import registers_of
from irattn.rendering.dynamic import value_of
from irattn.rendering.flat_tensors import FlatTensor
from irattn.rendering.values import Value
from irattn.specs.selective_scan import SelectiveScanSpec
from irattn.targets import Target

# Tensors of which a workgroup has the rows of its tokens.
_OF_TOKENS = ("x", "steps", "key", "query", "gate", "output")


@dataclass(frozen=True)
class _Scan:
    """The base of both kernels: %b counts sequences, %block blocks of channels, %t tokens."""

    spec: SelectiveScanSpec
    target: Target

    @property
    def width(self) -> int:
        """Channels of a workgroup."""
        raise NotImplementedError

    @property
    def blocks(self) -> int:
        """Workgroups of a sequence."""
        return -(-self.spec.channels // self.width)

    @property
    def cuts_channels(self) -> bool:
        """Whether the last workgroup has fewer channels."""
        return self.spec.channels % self.width > 0

    @property
    def columns(self) -> range:
        """The columns of a channel's state."""
        return range(self.spec.state_size)

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def tokens(self) -> str:
        """How many tokens there are: the name of a value of the kernel."""
        value = value_of(self.spec.size("q_tokens"))
        return value if isinstance(value, str) else "q_tokens"


class CpuScan(_Scan):
    """The kernel of CPUs: the channels of a workgroup are the lanes of a register."""

    template = "linalg/selective_scan_cpu.mlir.j2"

    @property
    def width(self) -> int:
        return registers_of(self.target).lanes

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch; the state is written in its own memory."""
        *others, state, bounds = self.spec.inputs
        arguments = [whole(tensor) for tensor in (*others, bounds, state)]
        sizes = sorted({size for value in arguments for size in value.chosen})
        spec = self.spec
        known = {} if sizes else {"q_tokens": spec.q_tokens}
        constants = {"none": 0, "one": 1, "batch": spec.batch, "blocks": self.blocks}
        return CpuKernel(
            arguments=arguments,
            sources=[value.name for value in arguments],
            results=[whole(spec.outputs[0])],
            gives=["final_state", "output"],
            sizes=sizes,
            constants=constants | known,
            written=arguments[-1:],
        )


class GpuScan(_Scan):
    """The kernel of GPUs: a workgroup is a wave, and each of its lanes has a channel."""

    template = "linalg/selective_scan_gpu.mlir.j2"

    @property
    def width(self) -> int:
        return self.target.wave_size or 1

    @property
    def is_nvidia(self) -> bool:
        """Whether powers of two are NVIDIA's."""
        return self.target.driver == "cuda"

    @property
    def operands(self) -> list[FlatTensor]:
        """The tensors that the kernel reads besides the state."""
        return [self._slice(t) for t in self.spec.inputs if t.name != "initial_state"]

    @property
    def state(self) -> FlatTensor:
        """The state, which is written in its own memory."""
        return self._slice(next(t for t in self.spec.inputs if t.name == "initial_state"))

    @property
    def output(self) -> FlatTensor:
        """The output."""
        return self._slice(self.spec.outputs[0])

    @property
    def bounds(self) -> FlatTensor:
        """The bounds of sequences."""
        return self.operands[-1]

    @property
    def sizes(self) -> list[str]:
        """The sizes that a call chooses."""
        return [self.tokens] if self.spec.dynamic else []

    @property
    def known_sizes(self) -> dict[str, int]:
        """The sizes that no call chooses."""
        known = {"batch": self.spec.batch}
        return known if self.spec.dynamic else {**known, "q_tokens": self.spec.q_tokens}

    def _slice(self, tensor: TensorType) -> FlatTensor:
        """A tensor, and the slice of it that a workgroup has: its tokens, and its channels."""
        shape = tuple(map(value_of, tensor.shape))
        element = dtype(tensor.dtype).mlir
        offsets, sizes = ["0"] * len(shape), list(shape)
        if tensor.name in _OF_TOKENS:
            is_output = tensor.name == "output"
            offsets[0], sizes[0] = "%first", "output_count" if is_output else "count"
        if shape[-1] == self.spec.channels and tensor.name not in ("key", "query", "cu_seqlens_q"):
            offsets[-1] = "%channel"
            sizes[-1] = "width_here" if self.cuts_channels else self.width
        if tensor.name == "initial_state":
            offsets[0], sizes[0] = "%b", 1
        value = Value(tensor.name, shape, element)
        tile = Value(f"{tensor.name}_tile", tuple(sizes), element)
        groups = [[axis] for axis in range(len(shape))]
        return FlatTensor(tensor, groups, value, ", ".join(offsets), tile)


def _plan(spec: SelectiveScanSpec, target: Target) -> CpuScan | GpuScan:
    return (GpuScan if target.is_gpu else CpuScan)(spec, target)


PLANS = {("selective_scan", "linalg"): _plan}
