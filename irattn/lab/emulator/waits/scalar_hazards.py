"""RDNA 4: scalar registers that are read before what was written last has reached them.

A register that the vector unit has read once, it may keep: a later write, by either unit, is seen
only after S_WAIT_ALU, as LLVM's `AMDGPUWaitSGPRHazards` tells. Registers are kept in pairs.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.machine.waves import VCC
from irattn.lab.emulator.waits.hazards import Hazard
from irattn.lab.emulator.waits.passages import register_name
from irattn.lab.emulator.waits.sites import Site

# Registers from here on, as M0 and exec, are never kept.
_SPECIAL = 124
_SALU, _VALU, _KEPT = "the scalar unit", "the vector unit", "kept"


class Fact(NamedTuple):
    """A register that a unit wrote and that may not be there yet, or a pair that is kept."""

    kind: str
    register: int
    writer: Instruction | None = None

    @property
    def is_vcc(self) -> bool:
        """Whether it is about VCC, for which there is a wait of its own."""
        return self.register // 2 == VCC // 2

    @property
    def remedy(self) -> str:
        """The wait that is needed."""
        field = "sa_sdst" if self.kind == _SALU else "va_vcc" if self.is_vcc else "va_sdst"
        return f"s_wait_alu {field}(0)"


Facts = frozenset[Fact]


def after_sites(sites: Sequence[Site], before: Facts) -> tuple[Facts, list[Hazard]]:
    """The state after instructions, and those of them that read too early."""
    facts = set(before)
    hazards: list[Hazard] = []
    for site in sites:
        if _lets_arrive(site):
            facts = {fact for fact in facts if fact.kind == _KEPT}
        elif site.ops.name == "s_wait_alu":
            facts = {fact for fact in facts if not _is_waited(fact, site.ops.field("simm16"))}
        elif site.is_vector or site.is_scalar_unit:
            hazards += _read(site, facts)
            _write(site, facts)
    return frozenset(facts), hazards


def _lets_arrive(site: Site) -> bool:
    """Whether it lets all writes arrive by itself: scalar loads, and accesses to buffers."""
    return "scalar" in site.begins or (site.is_memory and site.ops.has("srsrc"))


def _is_waited(fact: Fact, mask: int) -> bool:
    if fact.kind == _SALU:
        return not mask & 1
    if fact.kind == _VALU:
        return not mask & 2 if fact.is_vcc else not mask >> 9 & 7
    return False


def _read(site: Site, facts: set[Fact]) -> Iterator[Hazard]:
    """Look at what a site reads; what is found needs no other wait after it."""
    for register in sorted(r for r in site.touched.s_reads if r < _SPECIAL):
        if site.is_scalar_unit:
            _arrive_for_scalar_unit(register, facts)
        pair = Fact(_KEPT, register // 2 * 2)
        if pair not in facts:
            if site.is_vector:
                facts.add(pair)
            continue
        late = [one for one in facts if one.kind != _KEPT and one.register == register]
        if late:
            yield _hazard(site, min(late, key=lambda one: (one.kind, one.writer.at)))  # type: ignore[union-attr]
            kinds = {one.kind for one in late}
            facts.difference_update({one for one in facts if one.kind in kinds})


def _arrive_for_scalar_unit(register: int, facts: set[Fact]) -> None:
    """The scalar unit waits itself for what the vector unit wrote, whichever register it reads.

    There is one counter for all of them, as LLVM's `AMDGPUInsertDelayAlu` says.
    """
    is_vcc = Fact(_VALU, register).is_vcc
    own = {one for one in facts if one.kind != _KEPT and one.is_vcc == is_vcc}
    if is_vcc and any(one.kind == _VALU for one in own):
        facts -= own
    elif not is_vcc:
        facts -= {one for one in own if one.kind == _VALU}


def _write(site: Site, facts: set[Fact]) -> None:
    unit = _VALU if site.is_vector else _SALU
    for register in site.touched.s_writes:
        if register >= _SPECIAL or Fact(_KEPT, register // 2 * 2) not in facts:
            continue
        fact = Fact(unit, register, site.ops.instruction)
        if fact.is_vcc:
            facts -= {one for one in facts if one.kind != _KEPT and one.is_vcc}
        facts.add(fact)


def _hazard(site: Site, fact: Fact) -> Hazard:
    assert fact.writer is not None
    return Hazard(
        site.ops.instruction,
        f"a scalar register that the vector unit read, written by {fact.kind}",
        register_name(~fact.register, None),
        fact.writer,
        fact.remedy,
    )
