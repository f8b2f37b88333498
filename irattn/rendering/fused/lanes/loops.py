"""The loops over the keys of a tile."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Loop:
    """Steps from the key `begin` to the key `end`, both values; masked where some are hidden."""

    begin: str
    end: str
    is_masked: bool
