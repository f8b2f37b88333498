"""How long the matrix instructions of CDNA keep others from their registers."""

from irattn.lab.emulator.isa.families import CDNA2, CDNA4, Family
from irattn.lab.emulator.isa.matrix_cycles import is_dot, is_double, passes, takes_singles
from irattn.lab.emulator.machine.underway import scalar_key
from irattn.lab.emulator.machine.waves import EXEC
from irattn.lab.emulator.waits.hazards import Rule
from irattn.lab.emulator.waits.sites import Site
from irattn.lab.emulator.waits.touched import Keys

_NONE: Keys = frozenset()
_EXEC = frozenset((scalar_key(EXEC), scalar_key(EXEC + 1)))
# No rule reaches further.
_MOST = 20
_DOT = 3


def matrix_rules(family: Family) -> tuple[Rule, ...]:
    """The hazards of matrix instructions and dot products of a family of CDNA."""
    of = _Latencies(family)
    return (
        Rule("a vector register written, read by a matrix instruction", _plain, _all_factors, 2),
        Rule(
            "exec written by the vector unit, before a matrix instruction",
            lambda site: site.writes & _EXEC if site.is_plain_vector else _NONE,
            lambda site: _EXEC if site.is_matrix else _NONE,
            4,
        ),
        Rule("the result of a matrix instruction, a factor", _result, _factors, _MOST, of.factor),
        Rule("the result of a matrix instruction, added", _result, _addend, _MOST, of.addend),
        Rule("the result of a matrix instruction", _result, _others_read, _MOST, of.read),
        Rule(
            "the result of a matrix instruction, overwritten",
            _result,
            _others_write,
            _MOST,
            of.overwritten,
        ),
        Rule(
            "what a matrix instruction adds to, overwritten",
            _addend,
            _others_write,
            _MOST,
            of.addend_overwritten,
        ),
        Rule("the result of a dot product", _dot, _others_read, _DOT, _after_dot),
    )


def _plain(site: Site) -> Keys:
    """The registers that neither matrix instructions nor dot products write."""
    is_plain = site.is_plain_vector and not is_dot(site.ops.name)
    return frozenset(key for key in site.writes if key >= 0) if is_plain else _NONE


def _dot(site: Site) -> Keys:
    return site.touched.writes if is_dot(site.ops.name) else _NONE


def _after_dot(dot: Site, consumer: Site) -> int:
    """Wait states between dot products; the same one may add to its result at once."""
    return 0 if dot.ops.name == consumer.ops.name else _DOT


def _result(site: Site) -> Keys:
    return site.matrices["vdst"] if site.is_matrix else _NONE


def _factors(site: Site) -> Keys:
    return site.matrices["src0"] | site.matrices["src1"] if site.is_matrix else _NONE


def _addend(site: Site) -> Keys:
    return site.matrices["src2"] if site.is_matrix else _NONE


def _all_factors(site: Site) -> Keys:
    return _factors(site) | _addend(site)


def _others_read(site: Site) -> Keys:
    """The registers that anything but a matrix instruction reads."""
    return site.touched.reads if site.is_plain_vector or site.is_access else _NONE


def _others_write(site: Site) -> Keys:
    writes = site.touched.writes | site.touched.lanes_written
    return writes if site.is_plain_vector or site.is_access else _NONE


class _Latencies:
    """Wait states after a matrix instruction; the longer it takes, the more."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.is_first = family is CDNA2

    def _extra(self, site: Site, plain: int, fast: int) -> int:
        """The passes of an instruction and some more, by what it multiplies; CDNA 4 needs one."""
        taken = passes(site.ops.name, self.family)
        if self.is_first:
            return taken + fast
        if takes_singles(site.ops.name):
            return taken + plain
        return taken + fast + (self.family is CDNA4 and taken != 2)

    def factor(self, producer: Site, consumer: Site) -> int:
        if is_double(producer.ops.name):
            return 6 if passes(producer.ops.name, self.family) == 4 else 11
        return self._extra(producer, 2, 3)

    def addend(self, producer: Site, consumer: Site) -> int:
        """Wait states before a result is an addend; hardware passes on the very result."""
        taken = passes(producer.ops.name, self.family)
        to_double = is_double(consumer.ops.name)
        if producer.matrices["vdst"] == consumer.matrices["src2"]:
            if is_double(producer.ops.name):
                return 4 if to_double and taken == 4 else 0
            return 2 if not self.is_first and taken == 2 else 0
        if is_double(producer.ops.name):
            return (4 if taken == 4 else 9) if to_double else 0
        if self.is_first:
            return taken + to_double
        if takes_singles(producer.ops.name) and not takes_singles(consumer.ops.name):
            return 0
        return self._extra(producer, 0, 1)

    def read(self, producer: Site, consumer: Site) -> int:
        if is_double(producer.ops.name):
            is_short = passes(producer.ops.name, self.family) == 4
            of_access = (9, 18)[not is_short]
            return of_access if consumer.is_access else (6, 11)[not is_short]
        return self._extra(producer, 2, 3)

    def overwritten(self, producer: Site, consumer: Site) -> int:
        if is_double(producer.ops.name):
            return 6 if passes(producer.ops.name, self.family) == 4 else 11
        return self._extra(producer, 2, 3)

    def addend_overwritten(self, producer: Site, consumer: Site) -> int:
        if is_double(producer.ops.name):
            return 0
        if not self.is_first and takes_singles(producer.ops.name):
            return 0
        return passes(producer.ops.name, self.family) - 1
