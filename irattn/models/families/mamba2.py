"""Mamba 2: layers that are state-space steps alone, without attention and without an MLP."""

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import SILU
from irattn.models.families.family import FILE, LayerStyle, ModelFamily
from irattn.models.families.mamba import check_time_steps
from irattn.models.families.state_tensor_names import MIXER_STEPS
from irattn.models.families.tensor_names import TensorNames
from irattn.models.own_mlps import MLPS, NO_MLP
from irattn.models.values import Fields, whole

_HEAD, _HEADS, _EXPAND, _COUNT = "head_dim", "num_heads", "expand", "num_hidden_layers"


def _as_read(fields: Fields) -> Fields:
    """Mamba 2's file by the keys of others: all layers are of one kind, and no file says it."""
    check_time_steps(fields)
    size, heads, columns = (whole(fields, key) for key in ("hidden_size", _HEADS, _HEAD))
    times, count = whole(fields, _EXPAND) or 2, whole(fields, _COUNT) or 0
    if size and heads and columns and heads * columns != times * size:
        raise ConfigError(
            f"{_HEAD}: expected {_HEADS} = {heads} heads with {times * size} columns together "
            f"({_EXPAND} x hidden_size), got heads of {shown(columns)}"
        )
    return {**fields, "layer_types": ["state_space"] * count, MLPS: [NO_MLP] * count}


MAMBA_2 = ModelFamily(
    reads=(FILE - {"quantization_config", "position_embedding_type"})
    | {
        *(_HEAD, _HEADS, _EXPAND, _COUNT, "hidden_size", "layer_norm_epsilon"),
        *("state_size", "n_groups", "conv_kernel", "use_conv_bias", "time_step_limit"),
    },
    # Mistral's file says what its norms are, which transformers' class does not ask.
    only={**SILU, "use_bias": (False,), "rms_norm": (True,), "quantization_config": ()},
    harmless=frozenset(
        {
            # Heads say it, how prompts are cut, and in which type hidden states are summed up.
            *("intermediate_size", "chunk_size", "residual_in_fp32"),
            # What the code does not read: its norm comes behind the gate.
            *("norm_before_gate", "layer_types"),
            # What begins a training.
            *("rescale_prenorm_residual", "time_step_floor", "time_step_init_scheme"),
            *("time_step_max", "time_step_min", "time_step_rank", "time_step_scale"),
        }
    ),
    needs=((_COUNT,),),
    layer=LayerStyle(rotates=False),
    tensors=TensorNames(
        bases=("backbone.", "model."),
        embedding="embeddings",
        norm="norm_f",
        attention_norm="norm",
        state_space=MIXER_STEPS,
    ),
    as_read=_as_read,
)
