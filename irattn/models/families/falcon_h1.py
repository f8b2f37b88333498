"""Falcon-H1: Mamba 2 beside attention in one layer, and multipliers of almost everything.

A layer is two of irattn's: attention alone, and Mamba 2 with the MLP. The second reads the hidden
state before the first, and adds to that behind it. Multipliers of products are those of weights.
"""

from dataclasses import replace
from typing import Any

from irattn.core import numbers
from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.mamba import STATE_SPACE_KEYS, check_steps, with_head_size
from irattn.models.families.state_tensor_names import StateSpaceNames
from irattn.models.families.tensor_names import RowFactors, TensorNames
from irattn.models.own_mlps import MLPS, NO_MLP
from irattn.models.values import Fields, positive, whole

_ATTENTION_IN, _ATTENTION_OUT, _KEY = (
    *("attention_in_multiplier", "attention_out_multiplier", "key_multiplier"),
)
_STEP_IN, _STEP_OUT, _STEPS, _MLP = (
    *("ssm_in_multiplier", "ssm_out_multiplier", "ssm_multipliers", "mlp_multipliers"),
)
_HEAD, _NORM, _NORM_FIRST = "lm_head_multiplier", "mamba_rms_norm", "mamba_norm_before_gate"
_MOST = 1e6
_STEP_NAMES = StateSpaceNames()
_NAMES = TensorNames(
    norm="final_layernorm",
    mlp_norm="pre_ff_layernorm",
    gate_up=("feed_forward.gate_proj", "feed_forward.up_proj"),
    down="feed_forward.down_proj",
    state_space=_STEP_NAMES,
)


def _factor(fields: Fields, key: str) -> float:
    return positive(fields, key) or 1.0


def _factors(fields: Fields, key: str, count: int) -> list[float]:
    """The multipliers of a list, 1 where there is none; ConfigError unless there are so many."""
    given = fields.get(key)
    if given is None:
        return [1.0] * count
    if not isinstance(given, list) or len(given) != count:
        raise ConfigError(f"{key}: expected {count} numbers, got {shown(given)}")
    return [numbers.real(key, one, -_MOST, _MOST, error=ConfigError) for one in given]


def _as_read(fields: Fields) -> Fields:
    """Falcon-H1's file by the keys of others: two layers for each."""
    check_steps(fields)
    if fields.get(_NORM) and fields.get(_NORM_FIRST):
        raise ConfigError(
            f"{_NORM_FIRST}: expected false with {_NORM}, as irattn's norm comes after the gate, "
            "got true"
        )
    count = whole(fields, "num_hidden_layers") or 0
    return {
        **with_head_size(fields),
        "num_hidden_layers": 2 * count,
        "layer_types": ["full_attention", "state_space"] * count,
        MLPS: [NO_MLP, "dense"] * count,
        "softmax_scale": _softmax_scale(fields),
        "logit_scale": _factor(fields, _HEAD),
    }


def _softmax_scale(fields: Fields) -> float | None:
    """The scale of logits, with the multipliers of what queries and keys are made of."""
    size, heads = whole(fields, "hidden_size"), whole(fields, "num_attention_heads")
    if size is None or heads is None:
        return None
    columns = whole(fields, "head_dim") or size // heads
    return float(_factor(fields, _KEY) * _factor(fields, _ATTENTION_IN) ** 2 * columns**-0.5)


def _tensors(fields: Fields) -> TensorNames:
    count = (whole(fields, "num_hidden_layers") or 0) // 2
    return replace(
        _NAMES,
        first_blocks=tuple(number for number in range(count) for _ in range(2)),
        row_factors=_row_factors(fields),
    )


def _row_factors(fields: Fields) -> tuple[tuple[str, RowFactors], ...]:
    """The factors of rows of weights, by the names of these."""
    size, inner = (whole(fields, key) or 0 for key in ("hidden_size", "intermediate_size"))
    heads, columns = (whole(fields, key) or 0 for key in ("mamba_n_heads", "mamba_d_head"))
    groups = (whole(fields, "mamba_n_groups") or 0) * (whole(fields, "mamba_d_state") or 0)
    counts, given = (
        (heads * columns, heads * columns, groups, groups, heads),
        _factor(fields, _STEP_IN),
    )
    gate, down = _factors(fields, _MLP, 2)
    of_steps = [given * one for one in _factors(fields, _STEPS, len(counts))]
    attended = _factor(fields, _ATTENTION_IN) * _factor(fields, _ATTENTION_OUT)
    return (
        (_STEP_NAMES.into, tuple(zip(counts, of_steps, strict=True))),
        (_STEP_NAMES.output, ((size, _factor(fields, _STEP_OUT)),)),
        (_NAMES.output, ((size, attended),)),
        (_NAMES.gate_up[0], ((inner, gate),)),
        (_NAMES.down, ((size, down),)),
    )


_FALSE: dict[str, Any] = dict.fromkeys(("attention_bias", "mlp_bias", "projectors_bias"), (False,))
FALCON_H1 = ModelFamily(
    reads=(LAYER - {"quantization_config"})
    | STATE_SPACE_KEYS
    | {
        *(_ATTENTION_IN, _ATTENTION_OUT, _KEY, _STEP_IN, _STEP_OUT, _STEPS, _MLP, _HEAD),
        *(_NORM, _NORM_FIRST, "embedding_multiplier", "mamba_d_ssm"),
    },
    only={**WHOLE_HEADS, **_FALSE, "quantization_config": ()},
    # How the code cuts prompts, and a key that it does not read.
    harmless=frozenset({"mamba_chunk_size", "mamba_use_mlp"}),
    needs=(("num_hidden_layers",),),
    layer=lambda fields: LayerStyle(steps_beside=True, has_group_norm=bool(fields.get(_NORM))),
    tensors=_tensors,
    as_read=_as_read,
)
