"""How a kernel of a code object is to be launched: a JSON file that a person writes.

```json
{
  "kernel": "scale",
  "grid": [4, 1, 1],
  "workgroup": [64, 1, 1],
  "arguments": [
    {"buffer": "out", "dtype": "f32", "shape": [256], "init": "unwritten", "save": "out.npy"},
    {"buffer": "in", "dtype": "f32", "shape": [256], "init": "random"},
    {"value": 0.5, "dtype": "f32"}
  ]
}
```

`grid` counts workgroups. Arguments are those of the kernel in their order. A buffer holds normal
random numbers (`random`), `zeros`, `ones`, its elements' numbers (`range`), nothing (`unwritten`),
or what a `.npy` file beside the description holds; `save` names such a file for what it holds
after the launch. `kernel` may be left out where there is one; `dynamic_lds` is 0, in bytes, and
`seed` 0 where they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import ml_dtypes
import msgspec
import numpy as np

from irattn.core.declared import Size, SizeFromZero, read_as
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, UsageError, printable, shown
from irattn.core.numbers import real
from irattn.core.strict_json import parse_json

_WORDS = ("random", "zeros", "ones", "range", "unwritten")
_MOST_ITEMS = 1024
_Sizes: TypeAlias = Annotated[list[Size], msgspec.Meta(min_length=1, max_length=3)]
# Element types: those of irattn, and others that kernels of other compilers have.
DTYPES: dict[str, np.dtype] = {
    **{name: dtype(name).numpy for name in ("f32", "f16", "bf16", "i32", "i64")},
    **{
        name: np.dtype(numpy)
        for name, numpy in (
            ("f64", np.float64),
            ("u64", np.uint64),
            ("u32", np.uint32),
            ("i16", np.int16),
            ("u16", np.uint16),
            ("i8", np.int8),
            ("u8", np.uint8),
        )
    },
}


@dataclass(frozen=True)
class BufferArgument:
    """Memory whose address the kernel is given."""

    buffer: str
    dtype: str
    shape: tuple[Size, ...]
    init: str = "unwritten"
    save: str | None = None


@dataclass(frozen=True)
class ValueArgument:
    """A number that the kernel is given itself."""

    value: Any
    dtype: str


Argument = BufferArgument | ValueArgument


@dataclass(frozen=True)
class _Launch:
    """The file, its arguments still to be read."""

    grid: _Sizes
    workgroup: _Sizes
    kernel: str | None = None
    arguments: list[dict[str, Any]] = field(default_factory=list)
    dynamic_lds: SizeFromZero = 0
    seed: SizeFromZero = 0


@dataclass(frozen=True)
class Description:
    """One launch; `folder` is where its files are looked for."""

    kernel: str | None
    grid: tuple[int, int, int]
    workgroup: tuple[int, int, int]
    arguments: tuple[Argument, ...]
    dynamic_lds: int
    seed: int
    folder: Path


def read_description(path: Path) -> Description:
    """Read a launch's description; UsageError for what it must not say."""
    try:
        return _description(read_as(_Launch, parse_json(path.read_bytes())), path.parent)
    except (ArtifactError, UsageError) as error:
        raise UsageError(f"{path}: {printable(error)}") from error


def _description(stated: _Launch, folder: Path) -> Description:
    workgroup = _three(stated.workgroup)
    if prod(workgroup) > _MOST_ITEMS:
        raise UsageError(f"workgroup: expected at most {_MOST_ITEMS} items, got {prod(workgroup)}")
    return Description(
        kernel=stated.kernel,
        grid=_three(stated.grid),
        workgroup=workgroup,
        arguments=tuple(
            _argument(one, f"arguments[{i}]") for i, one in enumerate(stated.arguments)
        ),
        dynamic_lds=stated.dynamic_lds,
        seed=stated.seed,
        folder=folder,
    )


def _argument(fields: dict[str, Any], where: str) -> Argument:
    if "value" in fields:
        number = read_as(ValueArgument, fields, where)
        _check_dtype(number, where)
        return replace(number, value=_value(f"{where}.value", number.value, DTYPES[number.dtype]))
    buffer = read_as(BufferArgument, fields, where)
    _check_dtype(buffer, where)
    if buffer.init not in _WORDS and not buffer.init.endswith(".npy"):
        raise UsageError(
            f"{where}.init: expected {', '.join(_WORDS)} or a .npy file, got {buffer.init}"
        )
    return buffer


def _check_dtype(argument: Argument, where: str) -> None:
    if argument.dtype not in DTYPES:
        known, got = ", ".join(DTYPES), shown(argument.dtype)
        raise UsageError(f"{where}.dtype: expected one of {known}, got {got}")


def _three(sizes: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = (*sizes, *[1] * (3 - len(sizes)))
    return x, y, z


def _value(where: str, given: object, kind: np.dtype) -> int | float:
    """A number that an element of this type can hold."""
    if kind.kind not in "iu":
        most = float(ml_dtypes.finfo(kind).max)  # type: ignore[no-untyped-call]
        return real(where, given, -most, most, error=UsageError)
    limits = np.iinfo(kind)
    if type(given) is not int or not limits.min <= given <= limits.max:
        raise UsageError(
            f"{where}: expected a whole number from {limits.min} to {limits.max}, got "
            f"{shown(given)}"
        )
    return given
