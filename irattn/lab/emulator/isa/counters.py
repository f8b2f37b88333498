"""The counters of what is under way in a wave, and the instructions that wait for them.

From LLVM's `SIInsertWaitcnts` and the guides of the instruction sets.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from irattn.lab.emulator.isa.families import Family
from irattn.lab.emulator.isa.fields import Fields

# Where a counter's bits lie in the constant of a wait: parts of it, each the lowest bit and how
# many there are.
_Places = Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class Counters:
    """The counters of a family: `of` kinds of operations, and the `most` that each can count.

    `places` are those of S_WAITCNT, `single` the waits for one counter. `flat_in_order`: accesses
    that may go to LDS or to memory end in order. `loads_in_order`: a later load overwrites what an
    earlier one wrote.
    """

    of: Mapping[str, str]
    most: Mapping[str, int]
    places: _Places
    single: Mapping[str, str]
    flat_in_order: bool = True
    loads_in_order: bool = True

    def waits(self, fields: Fields) -> dict[str, int]:
        """How many operations of each counter may still be under way after an instruction."""
        name = fields.name
        if name in _WAITS_FOR_ALL:
            return dict.fromkeys(self.most, 0)
        if name == "s_waitcnt" and self.places:
            return {c: _number(fields, parts) for c, parts in self.places.items()}
        if name in _JOINED and not self.places:
            high, low = _JOINED[name]
            bits = fields.field("simm16")
            return {high: bits >> 8 & self.most[high], low: bits & self.most[low]}
        counter = self.single.get(name)
        # Where it adds a register, nobody knows how long it waits.
        if counter is None or (fields.has("sdst") and fields.field("sdst") != fields.family.null):
            return {}
        return {counter: fields.field("simm16")}


def _number(fields: Fields, parts: tuple[tuple[int, int], ...]) -> int:
    bits, number, shift = fields.field("simm16"), 0, 0
    for low, count in parts:
        number |= (bits >> low & (1 << count) - 1) << shift
        shift += count
    return number


# Functions begin with waits for all counters.
_WAITS_FOR_ALL = ("s_wait_idle", "s_swappc_b64", "s_call_b64")
# RDNA4 has waits for two counters: the one in the higher bits, and the other.
_JOINED = {
    "s_wait_loadcnt_dscnt": ("loadcnt", "dscnt"),
    "s_wait_storecnt_dscnt": ("storecnt", "dscnt"),
}
_LGKM = dict.fromkeys(("lds", "scalar", "message"), "lgkmcnt")
_GFX9 = Counters(
    of={**dict.fromkeys(("load", "store", "sample"), "vmcnt"), **_LGKM, "export": "expcnt"},
    most={"vmcnt": 63, "lgkmcnt": 15, "expcnt": 7},
    places={"vmcnt": ((0, 4), (14, 2)), "expcnt": ((4, 3),), "lgkmcnt": ((8, 4),)},
    single={},
    flat_in_order=False,
)
_GFX11 = Counters(
    of={
        **dict.fromkeys(("load", "sample", "bvh"), "vmcnt"),
        "store": "vscnt",
        **_LGKM,
        "export": "expcnt",
    },
    most={"vmcnt": 63, "vscnt": 63, "lgkmcnt": 63, "expcnt": 7},
    places={"expcnt": ((0, 3),), "lgkmcnt": ((4, 6),), "vmcnt": ((10, 6),)},
    single={f"s_waitcnt_{counter}": counter for counter in ("vmcnt", "vscnt", "lgkmcnt", "expcnt")},
)
_MOST_12 = {
    "loadcnt": 63,
    "storecnt": 63,
    "samplecnt": 63,
    "bvhcnt": 7,
    "dscnt": 63,
    "kmcnt": 31,
    "expcnt": 7,
}
_GFX12 = Counters(
    of={
        "load": "loadcnt",
        "store": "storecnt",
        "sample": "samplecnt",
        "bvh": "bvhcnt",
        "lds": "dscnt",
        "scalar": "kmcnt",
        "message": "kmcnt",
        "export": "expcnt",
    },
    most=_MOST_12,
    places={},
    single={f"s_wait_{counter}": counter for counter in _MOST_12},
    loads_in_order=False,
)
_OF_ISA = {"rdna3": _GFX11, "rdna4": _GFX12, "cdna2": _GFX9, "cdna3": _GFX9}


def counters_of(family: Family) -> Counters:
    """The counters that waves of a family have."""
    return _OF_ISA[family.isa]
