"""The rules for the logits of a row between the two products."""

from dataclasses import dataclass

from irattn.core.tensors import Role
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


def blocked_rules(spec: AttentionFeatures) -> BlockedRules:
    """The rules of a spec."""
    rules, cap = logit_rules(spec), spec.logits_soft_cap
    bias, keep_mask = _operand(spec, Role.BIAS), _operand(spec, Role.KEEP_MASK)
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
    )


def _conditions(spec: AttentionFeatures, rules: LogitRules) -> list[str]:
    named = {"behind_is_seen": rules.most_behind is not None, "keep_mask": bool(spec.keep_mask)}
    return [name for name, wanted in named.items() if wanted]


def _operand(spec: AttentionFeatures, role: Role) -> RuleTensor | None:
    tensor = next((tensor for tensor in spec.inputs if tensor.role == role), None)
    if tensor is None:
        return None
    letters = getattr(spec, tensor.name)
    *axes, keys = (letter if letter in letters else None for letter in spec.axis_sizes)
    return RuleTensor(value=whole(tensor), axes=axes, has_keys=keys is not None)
