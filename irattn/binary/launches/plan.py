"""The launch plan: what a host does to run a compiled function, and its JSON form.

Every size is a number, or a formula over axes of the inputs: `SizeFormula("dim", ("input0", 2))` is
axis 2 of the first input. Memory is counted in bytes, tensors are contiguous with the last axis
innermost.
"""

import json
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from irattn.binary.vmfb import Size, SizeFormula
from irattn.core.declared import FromOne, FromZero

FORMAT_VERSION = 1

# What a reader of the JSON asks first, by where it stands there.
NOTES = {
    "inputs.limits": (
        "the least and the largest element, both included; beyond them the results of the "
        "element's sequence mean nothing, and no kernel reads or writes other memory. With sizes "
        "that a call chooses they are those of the largest"
    ),
    "inputs.rule": "what else must hold of the elements, which kernels do not check either",
    "kernels.name": (
        "what a host loads a kernel by: hipModuleGetFunction(&function, module, name), or "
        "cuModuleGetFunction"
    ),
    "kernels.symbol": (
        "the kernel's descriptor in an ELF file; only a loader that does without HIP asks for it "
        "(hsa_executable_get_symbol_by_name)"
    ),
    "kernels.dynamic_lds": (
        "sharedMemBytes of hipModuleLaunchKernel and cuLaunchKernel; of an ELF file, static_lds "
        "and scratch are in the descriptor"
    ),
}


@dataclass(frozen=True)
class Place:
    """Part of a buffer, in bytes. A kernel gets only its address, `buffer` plus `offset`."""

    buffer: str
    offset: Size
    length: Size


@dataclass(frozen=True)
class PlacedTensor:
    """An input or an output, and where it lies.

    `limits` are the least and the largest element that mean something to the kernels, which read
    and write no other memory beyond them. With dynamic sizes they are those of the largest sizes.
    `rule` says in words what limits do not. `updates` names the input whose memory an output takes
    over; `overwritten` is true of inputs that kernels may write into.
    """

    name: str
    dtype: str
    shape: tuple[Size, ...]
    place: Place
    limits: tuple[int, int] | None = None
    rule: str | None = None
    updates: str | None = None
    overwritten: bool = False


@dataclass(frozen=True)
class DynamicAxes:
    """A size that a call chooses: from 1 to `most`, in whole multiples of `multiple`.

    `axes` are those of inputs that have this size, as pairs of the input's id and the axis.
    """

    name: str
    most: FromOne
    multiple: FromOne
    axes: tuple[tuple[str, FromZero], ...]


@dataclass(frozen=True)
class DeviceBuffer:
    """Device memory that a call needs, aligned to 64 bytes.

    `role` is `input` and `output` for memory of the caller's, `transient` for memory that holds
    nothing between calls, `constant` for what `file` holds.
    """

    id: str
    role: str
    bytes: Size
    file: str | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class CodeFile:
    """A file of code: an AMDGPU ELF, or PTX for NVIDIA's driver."""

    file: str
    bytes: FromZero
    sha256: str


@dataclass(frozen=True)
class Argument:
    """One argument in the kernarg segment, or among a PTX kernel's parameters.

    `kind` is `binding` for the address of a dispatch's binding `index`, `constant` for the 32-bit
    constant `index`, or a hidden one as LLVM's note calls it (`hidden_block_count_x`): the launch
    fills that in, and `index` is None.
    """

    kind: str
    index: FromZero | None
    offset: FromZero
    size: FromZero


@dataclass(frozen=True)
class KernelEntry:
    """A kernel: where it is, and what a launch of it needs. Sizes are in bytes.

    HIP loads it by its `name`; `symbol` is that of the kernel descriptor. `static_lds` is in the
    descriptor already; `dynamic_lds` is what the launch adds. `scratch` is the private memory of
    one lane. Of PTX, which the driver compiles, `symbol` is the name, and the two are 0.
    """

    name: str
    symbol: str
    code_object: str
    workgroup_size: tuple[FromOne, FromOne, FromOne]
    wave_size: FromOne
    static_lds: FromZero
    dynamic_lds: FromZero
    scratch: FromZero
    kernarg_bytes: FromZero
    kernarg_alignment: FromOne
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Dispatch:
    """One launch of a kernel. `grid` counts workgroups; with a zero in it nothing is launched.

    Of each constant the kernel gets the low 32 bits.
    """

    what: ClassVar[Literal["dispatch"]] = "dispatch"

    kernel: str
    grid: tuple[Size, Size, Size]
    bindings: tuple[Place, ...]
    constants: tuple[Size, ...]


@dataclass(frozen=True)
class Fill:
    """Fills a place with the low `pattern_bytes` (1, 2 or 4) bytes of a pattern, repeated."""

    what: ClassVar[Literal["fill"]] = "fill"

    target: Place
    pattern: int
    pattern_bytes: int


@dataclass(frozen=True)
class Copy:
    """Copies one place to another of the same length."""

    what: ClassVar[Literal["copy"]] = "copy"

    source: Place
    target: Place


LaunchStep: TypeAlias = Dispatch | Fill | Copy

# By what each is called in the JSON form.
STEP_KINDS: dict[str, type[Any]] = {kind.what: kind for kind in (Dispatch, Fill, Copy)}


@dataclass(frozen=True)
class DescribedPlan:
    """A launch plan but for its steps."""

    name: str
    identifier: str
    entry_point: str
    gfx: str
    compiler_version: str
    vmfb_sha256: str
    sizes: tuple[DynamicAxes, ...]
    inputs: tuple[PlacedTensor, ...]
    outputs: tuple[PlacedTensor, ...]
    buffers: tuple[DeviceBuffer, ...]
    code_objects: tuple[CodeFile, ...]
    kernels: tuple[KernelEntry, ...]


@dataclass(frozen=True)
class LaunchPlan(DescribedPlan):
    """All that a host does to run one compiled function.

    `steps` run in order. `barriers` are numbers of steps after which all before must have ended;
    steps between two of them are independent. `identifier` is the name as C takes it. `gfx` is what
    the code is for, of NVIDIA's GPUs as `sm_89`; `vmfb_sha256` is of the module that they are from.
    """

    steps: tuple[LaunchStep, ...]
    barriers: tuple[int, ...]

    def kernel(self, name: str) -> KernelEntry:
        """The kernel of a dispatch."""
        return next(kernel for kernel in self.kernels if kernel.name == name)

    def to_dict(self) -> dict[str, Any]:
        """JSON form: a formula is `{"formula": tree, "c": expression on 64-bit integers}`."""
        return {"format_version": FORMAT_VERSION, "notes": NOTES, **_to_json(self)}

    def to_json(self) -> str:
        """Readable JSON."""
        return json.dumps(self.to_dict(), indent=2) + "\n"


def _to_json(value: Any) -> Any:
    if isinstance(value, SizeFormula):
        return {"formula": value.to_json(), "c": str(value)}
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    if is_dataclass(value):
        stored = {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
        what = getattr(value, "what", None)
        return {"what": what, **stored} if what else stored
    return value
