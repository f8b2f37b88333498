"""Few of many specs drawn at random, which have together what all have."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import combinations

from irattn.specs import Spec

# Sizes count as 1 or more, features of many values as there or not.
_HEADS = ("num_q_heads", "num_kv_heads", "head_dim", "softmax_scale")
_PRESENT = ("bias", "keep_mask", "logits_soft_cap", "dynamic")

Trait = tuple[str, str]


def covering(drawn: Sequence[tuple[Spec, str]], together: int = 2) -> list[int]:
    """The numbers of some specs, each with its formulation.

    So many traits as any of them all has `together`, one of those chosen has together, too.
    """
    numbers: dict[tuple[Trait, ...], int] = {}
    of_each = []
    for spec, formulation in drawn:
        groups = combinations(_traits(spec, formulation), together)
        # A set of groups as bits of one number, which is quickly compared.
        of_each.append(_bits({numbers.setdefault(group, len(numbers)) for group in groups}))
    chosen, left = [], (1 << len(numbers)) - 1
    while left:
        most = max(range(len(of_each)), key=lambda i: (of_each[i] & left).bit_count())
        chosen.append(most)
        left &= ~of_each[most]
    return sorted(chosen)


def _bits(places: set[int]) -> int:
    data = bytearray(max(places) // 8 + 1)
    for place in places:
        data[place // 8] |= 1 << place % 8
    return int.from_bytes(data, "little")


def _traits(spec: Spec, formulation: str) -> list[Trait]:
    """What a spec is, has and asks for, in an order."""
    values = {one.name: getattr(spec, one.name) for one in fields(spec) if one.name not in _HEADS}
    traits = {"formulation": formulation, "op": spec.op}
    for name, value in values.items():
        if name in _PRESENT:
            value = bool(value)
        elif name == "window":
            value = value and [side is not None for side in value]
        elif isinstance(value, int) and not isinstance(value, bool):
            value = min(value, 2)
        traits[name] = str(value)
    return sorted(traits.items())
