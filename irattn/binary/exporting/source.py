"""The sources and the README of an export, in C and Rust, from templates beside this file."""

import re
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import jinja2

from irattn.binary.exporting.api import APIS
from irattn.binary.exporting.pool import Pool
from irattn.binary.launches import NOTES, DeviceBuffer, KernelEntry, LaunchPlan, Place, PlacedTensor
from irattn.binary.vmfb import Size, SizeFormula
from irattn.targets import get as get_target

_DIM = re.compile(r"(input\d+)_dim(\d+)")


def sources(plan: LaunchPlan) -> dict[str, str]:
    """File names and texts."""
    view = _View(plan)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "c": view.c,
        "address": view.address,
        "field": view.field,
        "type": view.type_of,
    }
    files = {
        f"{plan.identifier}.h": "header.h.j2",
        f"{plan.identifier}.c": "source.c.j2",
        f"{plan.identifier}.rs": "bindings.rs.j2",
        "example.c": "example.c.j2",
        "example.rs": "example.rs.j2",
        "README.md": "readme.md.j2",
    }
    return {
        name: environment.get_template(template).render(
            plan=plan,
            api=APIS[get_target(plan.gfx).driver],
            view=view,
            pool=Pool.of(plan),
            notes=NOTES,
            x=plan.identifier,
            X=plan.identifier.upper(),
            version=version("irattn"),
        )
        for name, template in files.items()
    }


class _View:
    """A plan in the words of C: sizes are members of `*sizes`, buffers members of `*buffers`."""

    def __init__(self, plan: LaunchPlan) -> None:
        self._plan = plan
        self._names = {axis: size.name for size in plan.sizes for axis in size.axes}
        self._inputs = {tensor.place.buffer: tensor for tensor in plan.inputs}

    @property
    def parameter(self) -> str:
        """The parameter of the header's functions."""
        return f"const {self._plan.identifier}_sizes *sizes" if self._plan.sizes else "void"

    @property
    def argument(self) -> str:
        """The argument that the header's functions are called with."""
        return "sizes" if self._plan.sizes else ""

    def c(self, size: Size) -> str:
        """A size as an expression of C without outer parentheses."""
        text = _DIM.sub(lambda name: f"sizes->{self._name(name)}", str(size))
        return text[1:-1] if isinstance(size, SizeFormula) and text.startswith("(") else text

    def type_of(self, tensor: PlacedTensor) -> str:
        """Element type and shape: `f16 [batch, 4, 1, 32]`."""
        sizes = (_DIM.sub(self._name, str(size)) for size in tensor.shape)
        return f"{tensor.dtype} [{', '.join(sizes)}]"

    def field(self, buffer: str) -> str:
        """The member of `*buffers`: an input's name, or the buffer's own."""
        tensor = self._inputs.get(buffer)
        return tensor.name if tensor else buffer

    def address(self, place: Place) -> str:
        """The address of a place."""
        base = f"buffers->{self.field(place.buffer)}"
        return f"(char *){base} + ({self.c(place.offset)})" if place.offset else base

    def contents(self, buffer: DeviceBuffer) -> str:
        """The contents of a buffer, in words."""
        if buffer.role == "input":
            tensor = self._inputs[buffer.id]
            return "; ".join(filter(None, [self.type_of(tensor), self.remarks(tensor)]))
        if buffer.role == "output":
            places = (out for out in self._plan.outputs if out.place.buffer == buffer.id)
            return ", ".join(f"{out.name} {self.type_of(out)}" for out in places)
        return f"what {buffer.file} holds" if buffer.file else "nothing between calls"

    def remarks(self, tensor: PlacedTensor) -> str:
        """Remarks on an input or output: its memory, limits and rule."""
        if tensor.updates:
            return f"in the memory of `{tensor.updates}`"
        limits = "{} to {}".format(*tensor.limits) if tensor.limits else ""
        written = "written" if tensor.overwritten else ""
        return "; ".join(filter(None, [limits, tensor.rule, written]))

    def arguments(self, kernel: KernelEntry) -> str:
        """The arguments that the caller of a kernel gives it, in words."""
        kinds = Counter(argument.kind for argument in kernel.arguments)
        return f"pointers: {kinds['binding']}, 32-bit constants: {kinds['constant']}"

    def number(self, kernel: str) -> int:
        """The place of a kernel in the plan."""
        return self._plan.kernels.index(self._plan.kernel(kernel))

    def code_number(self, file: str) -> int:
        """The place of a code object in the plan."""
        return [code.file for code in self._plan.code_objects].index(file)

    def _name(self, name: re.Match[str]) -> str:
        return self._names[(name[1], int(name[2]))]
