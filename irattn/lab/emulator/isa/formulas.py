"""The form of arithmetic instructions: a function from sources to a result, and their kinds."""

from collections.abc import Callable
from typing import Any, NamedTuple

from irattn.lab.emulator.isa.kinds import KINDS, Kind


class Formula(NamedTuple):
    """The formula of one mnemonic: a function from sources to the result, and their kinds.

    Where it `accumulates`, the destination as it was is the last argument. `scc`, a function of the
    result and the sources, says what sets the condition code. `ieee` is what waves in the mode of
    IEEE 754 compute instead, where that differs. `is_upward`: no bit of the result depends on
    higher bits of the sources. `exact` computes with int64 what a clamp keeps within the kind of
    the result, where that is an integer. `unknown`, where bits of the result depend on the same
    bits of the sources alone: which of them nobody knows, by the sources and what is not known of
    each.
    """

    compute: Callable[..., Any]
    result: Kind
    sources: tuple[Kind, ...]
    accumulates: bool = False
    scc: Callable[..., Any] | None = None
    ieee: Callable[..., Any] | None = None
    is_upward: bool = False
    exact: Callable[..., Any] | None = None
    unknown: Callable[..., Any] | None = None

    def in_mode(self, *, ieee: bool) -> Callable[..., Any]:
        """The formula for waves that are in the mode of IEEE 754, or are not."""
        return self.ieee if ieee and self.ieee is not None else self.compute


def kinds(names: str) -> tuple[Kind, ...]:
    """Kinds by their names, with spaces between them."""
    return tuple(KINDS[name] for name in names.split())
