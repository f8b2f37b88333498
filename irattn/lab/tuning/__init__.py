"""Choose the tiles of a spec's kernels with evidence, and keep both in a tuning file.

Candidates are the tiles that the plans of `irattn.rendering` allow. See README.md.
"""

from irattn.lab.tuning.budget import Budget, budget_of
from irattn.lab.tuning.cut import LEAST_TOKENS
from irattn.lab.tuning.entries import Tried, TuningEntry, best_first, tile_words
from irattn.lab.tuning.file import Tuning, chosen_tile, read_tuning, write_tuning
from irattn.lab.tuning.gains import Gain, gains
from irattn.lab.tuning.order import tiles_in_order
from irattn.lab.tuning.search import Trials
from irattn.lab.tuning.session import TuningSession
from irattn.lab.tuning.several import NotTuned, Tuned, tune_each

__all__ = [
    "LEAST_TOKENS",
    "Budget",
    "Gain",
    "NotTuned",
    "Trials",
    "Tried",
    "Tuned",
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
    "tune_each",
    "write_tuning",
]
