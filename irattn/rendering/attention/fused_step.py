"""A step of a fused kernel: the rules that its scores follow, and what lanes keep of them."""

from dataclasses import dataclass

from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.lane_layouts import LAYOUTS
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.lds import LdsPlan
from irattn.rendering.attention.rules import Rules
from irattn.rendering.attention.turns import TurnsPlan
from irattn.rendering.attention.wide import WidePlan
from irattn.rendering.cache_formats import QuantisedCache
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Value columns that leave lanes registers for what rules keep from step to step.
_MOST_BESIDE_SUMS = 128


@dataclass(frozen=True, kw_only=True)
class FusedStep:
    """The scores of a tile of queries and a tile of keys, on their way to weights."""

    spec: AttentionFeatures
    target: Target
    grid: Grid
    rules: Rules
    # Whether the last tile of keys may be cut short.
    cuts_keys: bool
    # Whether keys are looked up in a table; and how a quantised cache is read.
    has_table: bool
    cache: QuantisedCache | None

    # The lanes, where a step is written out for them; what they place in LDS; the order of tiles of
    # queries, where lanes weigh scores of one beside products of another; and waves that share the
    # value columns.
    lanes: LanesPlan | None
    lds: LdsPlan | None
    turns: TurnsPlan | None
    wide: WidePlan | None

    @property
    def adds_to_slopes(self) -> bool:
        """Whether products of queries and keys are added to what ALiBi takes: a step's keys differ
        by the same for all steps, where queries see none after their own.

        Scores that a rule before ALiBi multiplies, as those that a bias in bf16 is added to, are
        not.
        """
        spec, rules, ahead = self.spec, self.rules, self.rules.last_ahead
        is_first = not (spec.logits_soft_cap or rules.functions or self.cache)
        is_first = is_first and rules.counts_in_base_2
        is_behind = ahead is not None and ahead <= 0
        # On RDNA 4 one instruction in 16 less took 31 registers more, and two of eight waves.
        is_gain = self._weighs_at_once and self.lanes and self.lanes.layout == LAYOUTS["WMMAR3"]
        return spec.alibi and is_first and is_behind and bool(is_gain)

    @property
    def hides_zero(self) -> bool:
        """Whether scores are added to a zero that the compiler is not told of.

        Of a known one, IREE 3.13.0's LLVM copies scalar registers on RDNA 3. Where vector registers
        grow scarce, a copy stays in the loop, its product is given the same registers for sums as
        for what they are added to, and copy propagation deletes the copy as overwritten. Of the
        kernels of lanes, those with functions of scores, or with several operands of them, may take
        that many registers.
        """
        spec, has_functions = self.spec, bool(self.rules.functions)
        has_several = (bool(spec.bias), bool(spec.keep_mask), spec.alibi).count(True) > 1
        is_scarce = self.lanes is None or has_functions or has_several
        matrix = self.target.matrix.get(spec.io_dtype)
        repeats = matrix is not None and matrix.repeats_operands
        return is_scarce and repeats and not self.adds_to_slopes

    @property
    def keeps_limits(self) -> bool:
        """Whether lanes keep from step to step what follows from a query's maximum, in registers of
        their own: where they multiply matrices, making it again takes time from these.
        """
        return bool(self.lanes and self.lanes.multiply_matrices and self.lds)

    @property
    def keeps_places(self) -> bool:
        """Whether lanes keep where they read, and each step adds to it: rows follow from steps
        where no key is cut short, looked up or a packed sequence's.
        """
        is_cut = self.cuts_keys or self.has_table or self.grid.is_packed
        return self.keeps_limits and not (is_cut or self.cache)

    @property
    def kept_of_maximum(self) -> list[str]:
        """The names of the numbers that lanes keep of a query's maximum from step to step."""
        return ["limit", "minus_max"] if self.keeps_limits else ["max"]

    @property
    def asks_what_is_hidden(self) -> bool:
        """Whether waves ask first whether a step that hides keys hides some from them: where lanes
        multiply matrices, comparing all scores takes time from these.
        """
        lanes = self.lanes
        return bool(lanes and lanes.multiply_matrices and not lanes.splits_keys)

    @property
    def mends_weights(self) -> bool:
        """Whether a score that is NaN, but hidden by a bias, is taken back from the weights: only
        where one is, which costs less than to ask for each score.
        """
        spec = self.spec
        adds_pairs = self._weighs_at_once and not (spec.return_lse or spec.dropout_p)
        return spec.bias is not None and adds_pairs

    @property
    def _weighs_at_once(self) -> bool:
        """Whether all weights of a step are made at once, and added up in pairs, where lanes have
        registers beside their sums: with values of 256 columns 26 spilled on gfx1201, and with two
        queries and 64 columns 16 of ALiBi on gfx1100, 2 of a bias on gfx1201.
        """
        lanes = self.lanes
        if lanes is None or self.wide or self.turns or not lanes.adds_pairs:
            return False
        return lanes.value_dim <= _MOST_BESIDE_SUMS and len(lanes.queries) == 1

    def rules_of_step(self, is_masked: bool, asks_mask: bool) -> list[str]:
        """The rules that turn the scores of a step into those that are weighed, in order.

        `is_masked` says that the step hides keys, `asks_mask` that a function of scores is asked.
        """
        functions, conditions = self.rules.functions, self.rules.conditions
        asked = {
            "key_factors": self.cache is not None,
            "soft_cap": bool(self.spec.logits_soft_cap),
            "score_mod": "score_mod" in functions,
            **{rule: rule != "alibi" or not self.adds_to_slopes for rule in self.rules.addends},
            "keep_mask": "keep_mask" in conditions,
            "mask_mod": "mask_mod" in functions and asks_mask,
            "is_seen": is_masked,
        }
        return [rule for rule, is_asked in asked.items() if is_asked]
