"""The rules for the logits of a row between the two products."""

from dataclasses import dataclass

from irattn.core.tensors import Role
from irattn.rendering.attention.block_lists import block_kinds
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import (
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    captured_arrays,
)
from irattn.rendering.cpu.kernels import whole
from irattn.rendering.logits import LogitRules, addends_of, logit_rules
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True, kw_only=True)
class RuleTensor:
    """A run-time tensor that the rules read.

    `axes` are the letters (`bhq`) of its axes but that of keys, None where it has size 1 along
    one; `has_keys` says that it differs from key to key.
    """

    value: Value
    axes: list[str | None]
    has_keys: bool


@dataclass(frozen=True, kw_only=True)
class BlockedRules:
    """The rules of a spec, and the tensors that they read: flags come as bytes.

    A query sees keys at most `last_ahead` tokens after its own position and `most_behind` before
    (None: no limit).
    """

    last_ahead: int | None
    most_behind: int | None
    # Whether logits carry the factor log2(e), what then is 1, and what turns them into natural
    # ones; the factor on scores, which a soft cap takes as parts of itself, and the cap.
    counts_in_base_2: bool
    unit: float
    natural_unit: float
    scale: float
    cap: float | None

    # What is added to logits, and what must hold for a query to see a key at most so far ahead.
    addends: list[str]
    conditions: list[str]
    bias: RuleTensor | None
    keep_mask: RuleTensor | None
    # Whether the bias or the mask differs from key to key.
    has_key_operands: bool
    # The functions of scores, and the arrays that they read.
    score_mod: ScoreFunction | None
    mask_mod: ScoreFunction | None
    dropout: ScoreFunction | None
    captured: list[CapturedArray]
    # How many queries and keys a listed block has, and the kinds of all blocks, made of the lists.
    blocks: tuple[int, int] | None
    kinds: Value | None


# Where a kernel has what functions are of: numbers of a row, and vectors of its scores.
_LEVELS = ("row", "score")
_PLACES = {
    "batch": NumberPlace("%batch_i32", "row"),
    "head": NumberPlace("%head_i32", "row"),
    "query": NumberPlace("%query_i32", "row"),
    "first_key": NumberPlace("%t0_i32", "row"),
    "offset": NumberPlace("%key_numbers_i32", "score"),
}


def blocked_rules(spec: AttentionFeatures) -> BlockedRules:
    """The rules of a spec."""
    rules, cap = logit_rules(spec), spec.logits_soft_cap
    bias, keep_mask = _operand(spec, Role.BIAS), _operand(spec, Role.KEEP_MASK)
    score = NumberPlace("%scaled" if cap is None else "%capped", "score")
    functions = score_functions(spec, {**_PLACES, "score": score}, _LEVELS)
    return BlockedRules(
        last_ahead=rules.last_ahead,
        most_behind=rules.most_behind,
        counts_in_base_2=rules.counts_in_base_2,
        unit=rules.in_base(1.0),
        natural_unit=rules.natural_unit,
        scale=rules.scale,
        cap=None if cap is None else rules.in_base(cap),
        addends=addends_of(spec),
        conditions=_conditions(spec, rules),
        bias=bias,
        keep_mask=keep_mask,
        has_key_operands=any(one is not None and one.has_keys for one in (bias, keep_mask)),
        score_mod=functions.get("score_mod"),
        mask_mod=functions.get("mask_mod"),
        dropout=functions.get("dropout_p"),
        captured=captured_arrays(spec),
        blocks=getattr(spec, "mask_blocks", None),
        kinds=block_kinds(spec),
    )


def _conditions(spec: AttentionFeatures, rules: LogitRules) -> list[str]:
    named = {
        "behind_is_seen": rules.most_behind is not None,
        "keep_mask": bool(spec.keep_mask),
        "mask_mod": spec.mask_mod is not None,
    }
    return [name for name, wanted in named.items() if wanted]


def _operand(spec: AttentionFeatures, role: Role) -> RuleTensor | None:
    tensor = next((tensor for tensor in spec.inputs if tensor.role == role), None)
    if tensor is None:
        return None
    letters = getattr(spec, tensor.name)
    *axes, keys = (letter if letter in letters else None for letter in spec.axis_sizes)
    return RuleTensor(value=whole(tensor), axes=axes, has_keys=keys is not None)
