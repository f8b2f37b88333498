"""The rules for the logits of a workgroup's tile between the two products.

A new mask is a name in `conditions`, a new change to the logits one in `addends`;
`templates/attention/gpu_tiles.mlir.j2` and `templates/shared/lanes.mlir.j2` say what each does.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.attention.arguments import SizeProduct, product_of
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import NumberPlace, ScoreFunction
from irattn.rendering.logits import LogitRules, addends_of, logit_rules
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

_MOST_I32 = 2**31 - 1

# For small x, tanh(x) / 2 is y p(y^2) with y = -2 x log2(e). Of all polynomials of four terms this
# one, highest first, has the least largest relative error up to x = 0.4: 1e-7. What exponentials
# give is off by 1.2e-7 of 1, which at that x is 3e-7 of a tangent.
_HALF_TANGENT = (1.42797844e-05, -3.31780000e-04, 6.93760347e-03, -1.73286781e-01)
_SMALL = 0.4


@dataclass(frozen=True)
class RuleRow:
    """A run-time tensor that the rules read, as one row of elements.

    Its elements are of the MLIR type `placed_element` in the body: shared memory has no bits.
    `number_type` counts them, `strides` are those of its own axes, by letter (`bhqk`), and `dims`
    those of a tile along which it differs: rows m, keys t.
    """

    name: str
    role: Role
    element: str
    placed_element: str
    number_type: str
    strides: dict[str, SizeProduct]
    dims: tuple[str, ...]
    has_keys: bool

    @property
    def is_slope(self) -> bool:
        """Whether it has the slopes of heads, which distances are multiplied with."""
        return self.role == Role.SLOPES

    @property
    def zero(self) -> str:
        """Zero, as MLIR writes it."""
        return "0" if self.element == "i1" else "0.0"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a spec for tiles of rows m and keys t.

    A query sees a key where all `conditions` hold, at most `last_ahead` tokens after its own
    position and `most_behind` before (None: no limit). `addends` are added to the logits.
    """

    conditions: list[str]
    addends: list[str]
    last_ahead: int | None
    most_behind: int | None
    # How far ahead of a query the first key is that it sees: behind it, or its own.
    least_ahead: int

    # Whether logits carry the factor log2(e), what turns them into natural ones, and the factor on
    # scores, which a soft cap takes as parts of itself.
    counts_in_base_2: bool
    natural_unit: float
    scale: float
    # What turns scores, or where there is a cap half their tangents, into logits.
    unit: float
    # What turns them into natural logits, of which a function of scores makes others.
    natural_scale: float
    # What turns them into those that a bias in bf16 is added to: a function has made these.
    bias_scale: float
    # What turns scores into y, where exp2(y) is the exp(-2x) that tanh(x) is made of.
    steepness: float
    half_tangent: ClassVar = _HALF_TANGENT
    most_small: ClassVar = 2.0 * math.log2(math.e) * _SMALL

    # Whether any rule asks where a query stands, and which key it is.
    uses_position: bool
    uses_key: bool
    # Whether there are rows without a query: all that such a row has is its sink.
    has_sinks_alone: bool
    # The tensors that the rules read, in the order of the function's arguments; and what is read
    # once for all keys, sinks among it: one element for each row.
    operands: list[RuleRow]
    once: list[RuleRow]
    # The functions of scores, where lanes have the numbers that these are of.
    functions: dict[str, ScoreFunction]

    def operand(self, name: str) -> RuleRow:
        """The tensor of a name that the rules read."""
        return next(operand for operand in self.operands if operand.name == name)

    @property
    def in_units(self) -> float:
        """The factor on summands of natural logits in what `unit` turns into logits."""
        return self.in_base(1.0) / self.unit

    def in_base(self, value: float) -> float:
        """A factor or summand of logits in the base that they count in."""
        return value * math.log2(math.e) if self.counts_in_base_2 else value


def rules_of(
    spec: AttentionFeatures,
    target: Target,
    cuts_keys: bool,
    has_head_rows: bool,
    is_of_lanes: bool = False,
) -> Rules:
    """The rules of a spec's tiles.

    `cuts_keys` says that the last tile of keys may be cut short, `has_head_rows` that the rows of a
    tile belong to several heads.
    """
    logits, cap = logit_rules(spec, is_of_lanes), spec.logits_soft_cap
    conditions, addends = _conditions(spec, logits, cuts_keys), addends_of(spec)
    natural_scale = spec.scale if cap is None else 2.0 * cap
    rows = _rows(spec, has_head_rows)
    asked = {"query_is_real", "ahead_is_seen", "behind_is_seen", "alibi"}
    uses_position = not asked.isdisjoint([*conditions, *addends])
    return Rules(
        conditions=conditions,
        addends=addends,
        last_ahead=logits.last_ahead,
        most_behind=logits.most_behind,
        least_ahead=-(logits.most_behind or 0),
        counts_in_base_2=logits.counts_in_base_2,
        natural_unit=logits.natural_unit,
        scale=logits.scale,
        unit=_unit(spec, logits, is_of_lanes),
        natural_scale=natural_scale,
        bias_scale=1.0 if spec.score_mod is not None else natural_scale,
        steepness=-2.0 * math.log2(math.e) * logits.scale,
        uses_position=uses_position,
        uses_key=uses_position or cuts_keys,
        has_sinks_alone=spec.sinks and "query_is_real" in conditions,
        operands=[row for row in rows if row.role != Role.SINKS],
        once=[row for row in rows if not row.has_keys],
        functions=_functions(spec, target, has_head_rows) if is_of_lanes else {},
    )


# What is the same for a call, or differs from row to row; the same in each step; and scores.
_LEVELS = ("call", "row", "step", "score")


def _functions(
    spec: AttentionFeatures, target: Target, has_head_rows: bool
) -> dict[str, ScoreFunction]:
    places = _places(has_head_rows)
    return score_functions(spec, places, _LEVELS, multiplies_shares=target.multiplies_shares)


def _places(has_head_rows: bool) -> dict[str, NumberPlace]:
    """Where lanes have the numbers that functions of scores are of."""
    return {
        "score": NumberPlace("%scores_natural", "score"),
        "batch": NumberPlace("%batch_i32", "call"),
        "head": NumberPlace("%head_i32", "row" if has_head_rows else "call"),
        "query": NumberPlace("%query_i32", "row"),
        "first_key": NumberPlace("%first_keys_i32", "step"),
        "offset": NumberPlace("%key_offsets_i32", "score"),
    }


def _unit(spec: AttentionFeatures, logits: LogitRules, is_of_lanes: bool) -> float:
    """The factor that waits until the maximum is subtracted; a function gives natural logits.

    None waits in lanes with natural ones: a bias may be so low that no number is below it.
    """
    if spec.score_mod is not None:
        return logits.in_base(1.0)
    if is_of_lanes and not logits.counts_in_base_2:
        return 1.0
    cap = spec.logits_soft_cap
    return logits.scale if cap is None else logits.in_base(2.0 * cap)


def _conditions(spec: AttentionFeatures, logits: LogitRules, cuts_keys: bool) -> list[str]:
    """The conditions that must hold for a query to see a key."""
    named = {
        "key_is_real": cuts_keys,
        "query_is_real": any(tensor.role == Role.QUERY_LENGTHS for tensor in spec.inputs),
        "ahead_is_seen": logits.hides_ahead,
        "behind_is_seen": logits.hides_behind,
        "keep_mask": spec.keep_mask is not None,
        "bias_shows": spec.bias is not None,
    }
    return [name for name, wanted in named.items() if wanted]


def _rows(spec: AttentionFeatures, has_head_rows: bool) -> list[RuleRow]:
    known = {
        Role.SLOPES: "h",
        Role.BIAS: spec.bias or "",
        Role.KEEP_MASK: spec.keep_mask or "",
        Role.SINKS: "h",
    }
    return [
        _row(tensor, known[tensor.role], "".join(spec.axis_sizes), has_head_rows)
        for tensor in spec.inputs
        if tensor.role in known
    ]


def _row(tensor: TensorType, letters: str, axes: str, has_head_rows: bool) -> RuleRow:
    """A tensor that varies along the axes `letters`, of `axes`."""
    has_rows = "q" in letters or ("h" in letters and has_head_rows) or "k" not in letters
    has_keys = "k" in letters
    element = dtype(tensor.dtype).mlir
    return RuleRow(
        name=tensor.name,
        role=tensor.role,
        element=element,
        placed_element="i8" if element == "i1" else element,
        number_type="i32" if tensor.elements <= _MOST_I32 else "i64",
        strides=_strides(tensor.shape, "h" if len(tensor.shape) == 1 else axes),
        dims=(*("m" if has_rows else ""), *("t" if has_keys else "")),
        has_keys=has_keys,
    )


def _strides(shape: tuple[AnySize, ...], letters: str) -> dict[str, SizeProduct]:
    """The strides of a tensor's axes, but of those of size 1."""
    return {
        letter: product_of(shape[i + 1 :])
        for i, (letter, size) in enumerate(zip(letters, shape, strict=True))
        if isinstance(size, DynamicSize) or size > 1
    }
