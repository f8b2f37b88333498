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
PAGE_SLOTS = "page_slots"


@dataclass(frozen=True)
class HubAsked:
    """The kernel that a call asks for, or that is there; `op` says which fields there are."""

    op: str

    def differences(self, other: "HubAsked") -> list[str]:
        """The names of fields in which two of one op differ; scales may differ by a rounding."""
        return [
            field.name
            for field in fields(self)
            if not _equal(getattr(self, field.name), getattr(other, field.name))
        ]


@dataclass(frozen=True)
class PageSlots(HubAsked):
    """Slots, blocks and contexts of a cache in pages, of blocks of so many tokens."""

    block_size: int
    writes: bool


@dataclass(frozen=True)
class HubFeatures(HubAsked):
    """Attention: `op` is `packed`, `paged`, or `few` for a few queries of each sequence.

    `by_head` is `few` over keys that lie by heads.

    `window` is `(left, right)` tokens. None means no window and no soft cap; `softmax_scale` is
    always a number.
    """

    io_dtype: str
    num_q_heads: int
    num_kv_heads: int
    head_dim: int
    causal: bool
    softmax_scale: float
    window: tuple[int | None, int | None] | None = None
    logits_soft_cap: float | None = None
    sinks: bool = False


@dataclass(frozen=True)
class Variant:
    """A kernel of the package: what it takes, and its folder by target.

    `block_size` is that of its cache, None where it has none.
    """

    takes: HubAsked
    block_size: int | None
    folders: dict[str, str]


@cache
def variants(data: Path = DATA) -> tuple[Variant, ...]:
    """All kernels of the package."""
    return tuple(_variant(one) for one in json.loads((data / INDEX).read_text()))


@cache
def found(asked: HubAsked, data: Path = DATA) -> Variant | None:
    """The kernel that a call asks for; None where the package has none."""
    fitting = (one for one in _of_op(asked, data) if not asked.differences(one.takes))
    return next(fitting, None)


def chosen(asked: HubAsked, data: Path = DATA) -> Variant:
    """The kernel that a call asks for; ArgumentError says what there is in its place."""
    if variant := found(asked, data):
        return variant
    raise ArgumentError(_refusal(asked, [one.takes for one in _of_op(asked, data)]))


def _of_op(asked: HubAsked, data: Path) -> list[Variant]:
    return [one for one in variants(data) if one.takes.op == asked.op]


def _refusal(asked: HubAsked, there: list[HubAsked]) -> str:
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


def _values(name: str, there: list[HubAsked]) -> list[str]:
    return list(dict.fromkeys(str(getattr(one, name)) for one in there))


def _variant(data: dict[str, Any]) -> Variant:
    return Variant(_takes(**data["takes"]), data["block_size"], data["folders"])


def _takes(op: str, **given: Any) -> HubAsked:
    if op == PAGE_SLOTS:
        return PageSlots(op, **given)
    window = given.pop("window")
    return HubFeatures(op, **given, window=None if window is None else (window[0], window[1]))


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-6 * abs(other)
    return bool(one == other)
