"""The launch plan: what a host does to run a compiled function, and its JSON form.

Every size is a number, or a formula over axes of the inputs: `SizeFormula("dim", ("input0", 2))` is
axis 2 of the first input. Memory is counted in bytes, tensors are contiguous with the last axis
innermost.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias, TypeVar

from irattn.binary.vmfb import Size, SizeFormula, size_from_json
from irattn.core.errors import ArtifactError, shown

FORMAT_VERSION = 1

# What a reader of the JSON asks first, by where it stands there.
NOTES = {
    "inputs.limits": (
        "the least and the largest element, both included; kernels do not check, and beyond them "
        "may read or write other memory. With sizes that a call chooses they are those of the "
        "largest"
    ),
    "inputs.rule": "what else must hold of the elements, which kernels do not check either",
    "kernels.name": "what a host loads a kernel by: hipModuleGetFunction(&function, module, name)",
    "kernels.symbol": (
        "the kernel's descriptor in the ELF file; only a loader that does without HIP asks for it "
        "(hsa_executable_get_symbol_by_name)"
    ),
    "kernels.dynamic_lds": (
        "sharedMemBytes of hipModuleLaunchKernel; static_lds and scratch are in the descriptor"
    ),
}

T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """Part of a buffer, in bytes. A kernel gets only its address, `buffer` plus `offset`."""

    buffer: str
    offset: Size
    length: Size


@dataclass(frozen=True)
class PlacedTensor:
    """An input or an output, and where it lies.

    `limits` are the least and the largest element that the kernels can take: they do not check
    them. With dynamic sizes they are those of the largest sizes. `rule` says in words what limits
    do not. `updates` names the input whose memory an output takes over; `overwritten` is true of
    inputs that kernels may write into.
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
    most: int
    multiple: int
    axes: tuple[tuple[str, int], ...]


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
    """A code object: an AMDGPU ELF."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Argument:
    """One argument in the kernarg segment.

    `kind` is `binding` for the address of a dispatch's binding `index`, `constant` for the 32-bit
    constant `index`, or a hidden one as LLVM's note calls it (`hidden_block_count_x`): the launch
    fills that in, and `index` is None.
    """

    kind: str
    index: int | None
    offset: int
    size: int


@dataclass(frozen=True)
class KernelEntry:
    """A kernel: where it is, and what a launch of it needs. Sizes are in bytes.

    HIP loads it by its `name`; `symbol` is that of the kernel descriptor. `static_lds` is in the
    descriptor already; `dynamic_lds` is what the launch adds. `scratch` is the private memory of
    one lane.
    """

    name: str
    symbol: str
    code_object: str
    workgroup_size: tuple[int, int, int]
    wave_size: int
    static_lds: int
    dynamic_lds: int
    scratch: int
    kernarg_bytes: int
    kernarg_alignment: int
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Dispatch:
    """One launch of a kernel. `grid` counts workgroups; with a zero in it nothing is launched.

    Of each constant the kernel gets the low 32 bits.
    """

    kernel: str
    grid: tuple[Size, Size, Size]
    bindings: tuple[Place, ...]
    constants: tuple[Size, ...]


@dataclass(frozen=True)
class Fill:
    """Fills a place with the low `pattern_bytes` (1, 2 or 4) bytes of a pattern, repeated."""

    target: Place
    pattern: int
    pattern_bytes: int


@dataclass(frozen=True)
class Copy:
    """Copies one place to another of the same length."""

    source: Place
    target: Place


LaunchStep: TypeAlias = Dispatch | Fill | Copy

_STEPS: dict[str, type[Any]] = {"dispatch": Dispatch, "fill": Fill, "copy": Copy}
_WHAT = {kind: what for what, kind in _STEPS.items()}


@dataclass(frozen=True)
class LaunchPlan:
    """All that a host does to run one compiled function.

    `steps` run in order. `barriers` are numbers of steps after which all before must have ended;
    steps between two of them are independent. `identifier` is the name as C takes it. `gfx` is what
    the code objects are for; `vmfb_sha256` is of the module that they are from.
    """

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

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "LaunchPlan":
        """The description that was written as JSON; ArtifactError where it is none."""
        if not isinstance(data, dict) or data.get("format_version") != FORMAT_VERSION:
            version = data.get("format_version") if isinstance(data, dict) else data
            raise ArtifactError(
                f"launch.json: expected format_version {FORMAT_VERSION}, got {shown(version)}"
            )
        try:
            return _plan(data)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise ArtifactError(f"launch.json: not a description of launches: {what}") from error


def _to_json(value: Any) -> Any:
    if isinstance(value, SizeFormula):
        return {"formula": value.to_json(), "c": str(value)}
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    if is_dataclass(value):
        stored = {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
        what = _WHAT.get(type(value))
        return {"what": what, **stored} if what else stored
    return value


def _plan(data: dict[str, Any]) -> LaunchPlan:
    names = ("name", "identifier", "entry_point", "gfx", "compiler_version", "vmfb_sha256")
    return LaunchPlan(
        **{name: data[name] for name in names},
        sizes=_all(_axes, data["sizes"]),
        inputs=_all(_tensor, data["inputs"]),
        outputs=_all(_tensor, data["outputs"]),
        buffers=_all(
            lambda entry: DeviceBuffer(**entry | {"bytes": _size(entry["bytes"])}),
            data["buffers"],
        ),
        code_objects=_all(lambda entry: CodeFile(**entry), data["code_objects"]),
        kernels=_all(_kernel, data["kernels"]),
        steps=_all(_step, data["steps"]),
        barriers=tuple(data["barriers"]),
    )


def _all(read: Callable[[dict[str, Any]], T], items: list[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(read(item) for item in items)


def _size(data: Any) -> Size:
    return size_from_json(data["formula"] if isinstance(data, dict) else data)


def _sizes(data: list[Any]) -> tuple[Any, ...]:
    return tuple(map(_size, data))


def _place(data: dict[str, Any]) -> Place:
    return Place(data["buffer"], _size(data["offset"]), _size(data["length"]))


def _axes(data: dict[str, Any]) -> DynamicAxes:
    axes = tuple((name, axis) for name, axis in data["axes"])
    return DynamicAxes(**data | {"axes": axes})


def _tensor(data: dict[str, Any]) -> PlacedTensor:
    limits = data["limits"] and tuple(data["limits"])
    place = _place(data["place"])
    return PlacedTensor(**data | {"shape": _sizes(data["shape"]), "place": place, "limits": limits})


def _kernel(data: dict[str, Any]) -> KernelEntry:
    arguments = _all(lambda entry: Argument(**entry), data["arguments"])
    return KernelEntry(
        **data | {"workgroup_size": tuple(data["workgroup_size"]), "arguments": arguments}
    )


def _step(data: dict[str, Any]) -> LaunchStep:
    rest = {key: value for key, value in data.items() if key != "what"}
    places = {key: _place(rest[key]) for key in ("source", "target") if key in rest}
    if data["what"] == "dispatch":
        bindings = _all(_place, data["bindings"])
        sizes = {key: _sizes(data[key]) for key in ("grid", "constants")}
        return Dispatch(**rest | {"bindings": bindings, **sizes})
    step: LaunchStep = _STEPS[data["what"]](**rest | places)
    return step
