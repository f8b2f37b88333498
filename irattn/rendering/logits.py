"""The rules for the logits of a spec between the two products, for every formulation."""

import math
from dataclasses import dataclass

from irattn.core.tensors import Role, largest
from irattn.specs.features import AttentionFeatures

# Sums and differences of two such numbers are in range of i32; longer specs are not rendered.
MOST_TOKENS = 2**30

# What tells lengths and places in a call.
_TOLD = frozenset(
    (Role.QUERY_LENGTHS, Role.KEY_LENGTHS, Role.QUERY_BOUNDS, Role.KEY_BOUNDS, Role.OFFSETS)
)


@dataclass(frozen=True, kw_only=True)
class LogitRules:
    """Which keys a query sees, and what logits count in.

    A query sees keys at most `last_ahead` tokens after its own position and `most_behind` before
    (None: no limit); `hides_ahead` and `hides_behind` say whether these limits hide any key: for
    static lengths they may hide none.
    """

    # Whether every length is known, and where queries stand; the position of query 0 then.
    is_static: bool
    first_position: int
    last_ahead: int | None
    most_behind: int | None
    hides_ahead: bool
    hides_behind: bool
    # Whether logits carry the factor log2(e), and what turns them into natural ones.
    counts_in_base_2: bool
    natural_unit: float
    # The factor on scores, which a soft cap takes as parts of itself.
    scale: float

    def in_base(self, value: float) -> float:
        """A factor or summand of logits in the base that they count in."""
        return _in_base(self.counts_in_base_2, value)


def logit_rules(spec: AttentionFeatures, is_of_lanes: bool = False) -> LogitRules:
    """The rules of a spec; lanes take all but what a bias in bf16 is added to times log2(e)."""
    is_static = _TOLD.isdisjoint(tensor.role for tensor in spec.inputs)
    queries, keys = largest(spec.num_queries), largest(spec.num_keys)
    first = keys - queries if spec.alignment == "bottom_right" else 0
    ahead, behind = _last_ahead(spec), _most_behind(spec)
    # A bias may be as low as the lowest number, which log2(e) would turn into -inf. Functions of
    # scores take and give natural ones, of which a row may have -1e9 alone: 86 is what rounding its
    # maximum times log2(e) is off.
    has_f16 = is_of_lanes and spec.io_dtype == "f16"
    is_low = spec.bias is not None and not has_f16
    counts_in_base_2 = not is_low and spec.score_mod is None
    cap = spec.logits_soft_cap
    return LogitRules(
        is_static=is_static,
        first_position=first,
        last_ahead=ahead,
        most_behind=behind,
        hides_ahead=ahead is not None and not (is_static and first + ahead >= keys - 1),
        hides_behind=behind is not None and not (is_static and first + queries - 1 <= behind),
        counts_in_base_2=counts_in_base_2,
        natural_unit=math.log(2.0) if counts_in_base_2 else 1.0,
        scale=_in_base(counts_in_base_2, spec.scale) if cap is None else spec.scale / cap,
    )


def addends_of(spec: AttentionFeatures) -> list[str]:
    """The addends of the logits, by name."""
    named = {"bias": spec.bias is not None, "alibi": spec.alibi}
    return [name for name, wanted in named.items() if wanted]


def _in_base(counts_in_base_2: bool, value: float) -> float:
    return value * math.log2(math.e) if counts_in_base_2 else value


def _last_ahead(spec: AttentionFeatures) -> int | None:
    if spec.causal:
        return 0
    right = spec.window_right
    return None if right is None else min(right, MOST_TOKENS)


def _most_behind(spec: AttentionFeatures) -> int | None:
    left = spec.window_left
    # The last query may stand so far beyond the largest offset.
    return None if left is None else min(left, MOST_TOKENS + largest(spec.num_queries) - 1)
