"""The kernels that a package has, found by what a call asks for."""

import json
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from irattn.core.errors import ArgumentError

# The folder of a package that holds this module, two rooms down.
DATA = Path(__file__).parents[2] / "data"
INDEX = "index.json"


@dataclass(frozen=True)
class HubFeatures:
    """The features that a kernel is compiled for, or that a call asks for.

    `op` is `packed` or `paged`, `window` `(left, right)` tokens. None means no window and no soft
    cap; `softmax_scale` is always a number.
    """

    op: str
    io_dtype: str
    num_q_heads: int
    num_kv_heads: int
    head_dim: int
    causal: bool
    softmax_scale: float
    window: tuple[int | None, int | None] | None = None
    logits_soft_cap: float | None = None
    sinks: bool = False

    def differences(self, other: "HubFeatures") -> list[str]:
        """The names of fields in which two differ; scales may differ by a rounding."""
        return [
            field.name
            for field in fields(self)
            if not _equal(getattr(self, field.name), getattr(other, field.name))
        ]


@dataclass(frozen=True)
class Variant:
    """A kernel of the package: what it takes, and its folder by target.

    `block_size` is that of its cache, None where it has none.
    """

    takes: HubFeatures
    block_size: int | None
    folders: dict[str, str]


@cache
def variants(data: Path = DATA) -> tuple[Variant, ...]:
    """All kernels of the package."""
    return tuple(_variant(one) for one in json.loads((data / INDEX).read_text()))


def chosen(asked: HubFeatures, data: Path = DATA) -> Variant:
    """The kernel that a call asks for; ArgumentError says what there is in its place."""
    same = [one for one in variants(data) if one.takes.op == asked.op]
    for one in same:
        if not asked.differences(one.takes):
            return one
    raise ArgumentError(_refusal(asked, [one.takes for one in same]))


def _refusal(asked: HubFeatures, there: list[HubFeatures]) -> str:
    """Names the fields of the kernel that comes closest."""
    if not there:
        return f"expected a package with kernels that are {asked.op}, and this one has none"
    closest = min(there, key=lambda one: len(asked.differences(one)))
    names = asked.differences(closest)
    told = ", ".join(
        f"{name}: expected {' or '.join(_values(name, there))}, got {getattr(asked, name)}"
        for name in names
    )
    return (
        f"{told}; the package has no kernel for this: export one with `irattn export --torch`, or "
        "take another attention"
    )


def _values(name: str, there: list[HubFeatures]) -> list[str]:
    return list(dict.fromkeys(str(getattr(one, name)) for one in there))


def _variant(data: dict[str, Any]) -> Variant:
    takes = dict(data["takes"])
    window = takes.pop("window")
    asked = HubFeatures(**takes, window=None if window is None else (window[0], window[1]))
    return Variant(asked, data["block_size"], data["folders"])


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-6 * abs(other)
    return bool(one == other)
