"""How long a wave waits for what it needs, in cycles; the emulator's page has the sources."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from irattn.lab.emulator.isa.families import Family


class Span(NamedTuple):
    """The least and the most."""

    least: int
    most: int


@dataclass(frozen=True)
class Latencies:
    """The latencies of a family.

    A vector instruction keeps its wave for `issue`, and its result is there after `vector`, or
    `transcendental`; for the scalar unit and for branches after `to_scalar`, and accesses to memory
    begin `to_memory` later. Of loads the least is from caches, the most from memory with nothing in
    any cache. A wave executes nothing for `start`, and lives for `end` after its last instruction.
    """

    issue: int
    vector: int
    transcendental: int
    scalar: int
    to_scalar: int
    to_memory: int
    lds: int
    barrier: int
    branch: int
    scalar_load: Span
    load: Span
    start: Span
    end: int


_RDNA3 = Latencies(
    issue=1,
    vector=5,
    transcendental=10,
    scalar=2,
    to_scalar=16,
    to_memory=17,
    lds=32,
    barrier=21,
    branch=9,
    scalar_load=Span(20, 1404),
    load=Span(320, 1512),
    start=Span(248, 1263),
    end=327,
)
_RDNA4 = replace(
    _RDNA3,
    scalar=9,
    scalar_load=Span(20, 1708),
    load=Span(320, 2006),
    start=Span(408, 1212),
    end=356,
)
_CDNA = replace(
    _RDNA3,
    issue=4,
    vector=4,
    transcendental=16,
    scalar=4,
    to_memory=16,
    lds=40,
    scalar_load=Span(20, 736),
    load=Span(320, 1792),
    start=Span(544, 756),
    end=280,
)
_OF_ISA = {"rdna3": _RDNA3, "rdna4": _RDNA4, "cdna2": _CDNA, "cdna3": _CDNA}


def latencies_of(family: Family) -> Latencies:
    """The latencies that the waves of a family wait for."""
    return _OF_ISA[family.isa]
