"""Tiles as a search has tried them, with made-up figures."""

from irattn import targets
from irattn.compiling import catalog
from irattn.lab.tuning import (
    Tried,
)
from irattn.lab.tuning.entries import SOUND

NAME = "gqa_causal_tiny"


SPEC = catalog.get(NAME)


GFX = targets.get("gfx1100")


def spread(median, half):
    ends = {"lower": median - half, "upper": median + half}
    return {"median": median, **ends, "calls": 9, "halves": [median, median]}


def tried(keys, estimate=1.0, cases=8, median=None, **fields):
    measured = median and spread(median, 1.0)
    return Tried({"keys": keys}, SOUND, estimate=estimate, cases=cases, measured=measured, **fields)
