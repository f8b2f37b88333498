"""Mamba 2's layers by the keys of Bamba and others: their sizes, and what is refused."""

import math
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.values import Fields, whole

STATE_SPACE_KEYS = frozenset(
    {
        *("mamba_conv_bias", "mamba_d_conv", "mamba_d_head", "mamba_d_state", "mamba_expand"),
        *("mamba_n_groups", "mamba_n_heads", "mamba_proj_bias", "time_step_limit"),
    }
)
_HEAD, _HEADS, _EXPAND = "mamba_d_head", "mamba_n_heads", "mamba_expand"
_LIMIT, _BIAS, _ACTIVATION = "time_step_limit", "mamba_proj_bias", "hidden_act"
# What cuts no time step, with infinity as transformers writes it, too.
_NO_LIMITS = (None, [0.0, math.inf], [0.0, {"__float__": "Infinity"}])


def with_head_size(fields: Fields) -> dict[str, Any]:
    """The fields, with the columns of a head where a file says `auto`; ConfigError beside others.

    The code makes `mamba_expand` times the hidden size of the heads together, or what Falcon-H1
    says in `mamba_d_ssm`.
    """
    own = dict(fields)
    size, heads = whole(fields, "hidden_size"), whole(fields, _HEADS)
    if size is None or heads is None:
        return own
    inner = whole(fields, "mamba_d_ssm") or (whole(fields, _EXPAND) or 2) * size
    if fields.get(_HEAD) in (None, "auto"):
        own[_HEAD] = inner // heads
    if heads * (whole(own, _HEAD) or 0) != inner:
        raise ConfigError(
            f"{_HEAD}: expected {_HEADS} = {heads} heads with {inner} columns together "
            f"({_EXPAND} x hidden_size, or mamba_d_ssm), got heads of {shown(own[_HEAD])}"
        )
    return own


def check_time_steps(fields: Fields) -> None:
    """ConfigError for limits of time steps."""
    if fields.get(_LIMIT) not in _NO_LIMITS:
        raise ConfigError(
            f"{_LIMIT}: expected [0.0, Infinity], as irattn does not cut time steps, got "
            f"{shown(fields[_LIMIT])}"
        )


def check_steps(fields: Fields) -> None:
    """ConfigError for what the code of these layers does with other values, and irattn does not."""
    check_time_steps(fields)
    if fields.get(_BIAS):
        raise ConfigError(
            f"{_BIAS}: expected false, as projections around the steps have no biases in irattn, "
            f"got {shown(fields[_BIAS])}"
        )
    if fields.get(_ACTIVATION) not in (None, "silu", "swish"):
        raise ConfigError(
            f"{_ACTIVATION}: expected silu, which irattn's convolutions before Mamba 2's steps "
            f"have, got {shown(fields[_ACTIVATION])}"
        )
