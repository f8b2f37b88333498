"""Bamba: state-space steps of Mamba 2 between layers with attention."""

import math

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, PARTIAL
from irattn.models.families.expert_style import numbers_of
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import StateSpaceNames, TensorNames
from irattn.models.values import Fields, whole

_ATTENDING, _HEAD, _HEADS = "attn_layer_indices", "mamba_d_head", "mamba_n_heads"
_LIMIT = "time_step_limit"
# What cuts no time step, with infinity as transformers writes it, too.
_NO_LIMITS = (None, [0.0, math.inf], [0.0, {"__float__": "Infinity"}])


def _as_read(fields: Fields) -> Fields:
    """Bamba's file by the keys of others: the kind of each layer, and the sizes that it lacks."""
    if fields.get(_LIMIT) not in _NO_LIMITS:
        raise ConfigError(
            f"{_LIMIT}: expected [0.0, Infinity], as irattn does not cut time steps, got "
            f"{shown(fields[_LIMIT])}"
        )
    # Half of each head is rotated, whatever the file says.
    own = {**fields, "partial_rotary_factor": 0.5}
    size, heads = whole(fields, "hidden_size"), whole(fields, _HEADS)
    if fields.get(_HEAD) in (None, "auto") and size is not None and heads is not None:
        own[_HEAD] = (whole(fields, "mamba_expand") or 2) * size // heads
    count = whole(fields, "num_hidden_layers")
    if count is not None:
        attending = numbers_of(fields, _ATTENDING) or []
        if not any(0 <= number < count for number in attending):
            raise ConfigError(
                f"{_ATTENDING}: expected a layer with attention among the {count}, got {attending}"
            )
        own["layer_types"] = [
            "full_attention" if number in attending else "state_space" for number in range(count)
        ]
    return own


BAMBA = ModelFamily(
    reads=PARTIAL
    | {
        *("attention_bias", _ATTENDING, _HEAD, _HEADS, "mamba_conv_bias", "mamba_d_conv"),
        *("mamba_d_state", "mamba_expand", "mamba_n_groups", _LIMIT),
    },
    # Layers with steps have no biases but the convolution's.
    only={"mamba_proj_bias": (False,), "mlp_bias": (False,)},
    # How the code cuts prompts, and a loss.
    harmless=frozenset({"mamba_chunk_size", "z_loss_coefficient"}),
    needs=((_ATTENDING,), ("num_hidden_layers",)),
    layer=LayerStyle(**BIAS),
    tensors=TensorNames(
        norm="final_layernorm",
        mlp_norm="pre_ff_layernorm",
        gate_up=("feed_forward.gate_proj", "feed_forward.up_proj"),
        down="feed_forward.down_proj",
        state_space=StateSpaceNames(),
    ),
    as_read=_as_read,
)
