"""Choose the tiles of a spec's kernels with evidence, and keep both in a tuning file.

Candidates are the tiles that the plans of `irattn.rendering` allow. See README.md.
"""

from irattn.tuning.budget import Budget, budget_of
from irattn.tuning.cut import LEAST_TOKENS
from irattn.tuning.entries import Tried, TuningEntry, best_first, tile_words
from irattn.tuning.file import Tuning, chosen_tile, read_tuning, write_tuning
from irattn.tuning.gains import Gain, gains
from irattn.tuning.order import tiles_in_order
from irattn.tuning.search import Trials
from irattn.tuning.session import TuningSession

__all__ = [
    "LEAST_TOKENS",
    "Budget",
    "Gain",
    "Trials",
    "Tried",
    "Tuning",
    "TuningEntry",
    "TuningSession",
    "best_first",
    "budget_of",
    "chosen_tile",
    "gains",
    "read_tuning",
    "tile_words",
    "tiles_in_order",
    "write_tuning",
]
