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

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, UsageError, shown
from irattn.core.numbers import real, whole
from irattn.core.strict_json import TYPE_NAMES, parse_json

_WORDS = ("random", "zeros", "ones", "range", "unwritten")
_KEYS = frozenset(("kernel", "grid", "workgroup", "arguments", "dynamic_lds", "seed"))
_BUFFER_KEYS = frozenset(("buffer", "dtype", "shape", "init", "save"))
_VALUE_KEYS = frozenset(("value", "dtype"))
_MOST_ITEMS = 1024
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

    name: str
    dtype: str
    shape: tuple[int, ...]
    init: str
    save: str | None


@dataclass(frozen=True)
class ValueArgument:
    """A number that the kernel is given itself."""

    value: int | float
    dtype: str


Argument = BufferArgument | ValueArgument


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
        fields = parse_json(path.read_bytes())
    except ArtifactError as error:
        raise UsageError(f"{path}: {error}") from error
    try:
        return _description(fields, path.parent)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def _description(fields: Mapping[str, Any], folder: Path) -> Description:
    _only(fields, _KEYS, "the description")
    kernel = fields.get("kernel")
    if kernel is not None:
        _check("kernel", kernel, str)
    arguments = fields.get("arguments", [])
    _check("arguments", arguments, list)
    workgroup = _three(fields, "workgroup")
    if prod(workgroup) > _MOST_ITEMS:
        raise UsageError(f"workgroup: expected at most {_MOST_ITEMS} items, got {prod(workgroup)}")
    return Description(
        kernel=kernel,
        grid=_three(fields, "grid"),
        workgroup=workgroup,
        arguments=tuple(_argument(one, f"arguments[{i}]") for i, one in enumerate(arguments)),
        dynamic_lds=_number("dynamic_lds", fields.get("dynamic_lds", 0), least=0),
        seed=_number("seed", fields.get("seed", 0), least=0),
        folder=folder,
    )


def _argument(fields: Any, where: str) -> Argument:
    _check(where, fields, dict)
    if "value" in fields:
        _only(fields, _VALUE_KEYS, where)
        value = fields["value"]
        name = _dtype(fields, where)
        return ValueArgument(_value(f"{where}.value", value, DTYPES[name]), name)
    _only(fields, _BUFFER_KEYS, where)
    shape = fields.get("shape")
    _check(f"{where}.shape", shape, list)
    init, save = fields.get("init", "unwritten"), fields.get("save")
    for key, text in (("buffer", fields.get("buffer")), ("init", init), ("save", save or "")):
        _check(f"{where}.{key}", text, str)
    if init not in _WORDS and not init.endswith(".npy"):
        raise UsageError(f"{where}.init: expected {', '.join(_WORDS)} or a .npy file, got {init}")
    sizes = tuple(_number(f"{where}.shape", size, least=1) for size in shape)
    return BufferArgument(fields["buffer"], _dtype(fields, where), sizes, init, save)


def _dtype(fields: Mapping[str, Any], where: str) -> str:
    name = fields.get("dtype")
    if not isinstance(name, str) or name not in DTYPES:
        raise UsageError(f"{where}.dtype: expected one of {', '.join(DTYPES)}, got {shown(name)}")
    return name


def _three(fields: Mapping[str, Any], key: str) -> tuple[int, int, int]:
    given = fields.get(key)
    if not isinstance(given, list) or not 1 <= len(given) <= 3:
        raise UsageError(f"{key}: expected one to three numbers, got {shown(given)}")
    x, y, z = (_number(key, size, least=1) for size in (*given, *[1] * (3 - len(given))))
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


def _number(key: str, given: object, *, least: int) -> int:
    return whole(key, given, least=least, error=UsageError)


def _check(key: str, given: Any, kind: type) -> None:
    if not isinstance(given, kind):
        raise UsageError(f"{key}: expected {TYPE_NAMES[kind]}, got {shown(given)}")


def _only(fields: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    unknown = sorted(fields.keys() - known)
    if unknown:
        raise UsageError(
            f"{where}: expected only {', '.join(sorted(known))}, got {', '.join(unknown)}"
        )
