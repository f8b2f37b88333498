"""Mamba 1 and Falcon Mamba: layers that are selective scans alone, without attention or an MLP."""

from dataclasses import replace
from typing import Any

from irattn.models.families.common import SILU
from irattn.models.families.family import FILE, LayerStyle, ModelFamily
from irattn.models.families.state_tensor_names import ScanNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import HEADS, HIDDEN, SCAN_CHANNELS
from irattn.models.own_mlps import MLPS, NO_MLP
from irattn.models.values import Fields, missing, whole

_INNER, _EXPAND, _COUNT = "intermediate_size", "expand", "num_hidden_layers"
# Where a file says `auto`, so many columns of the hidden state have one of time steps.
_OF_RANK = 16


def with_rank(fields: Fields, key: str) -> dict[str, Any]:
    """The fields, with the columns of time steps where a file says `auto`."""
    if fields.get(key) != "auto":
        # Read to be checked, before it tells whether there are such layers.
        return {**fields, key: whole(fields, key)}
    return {**fields, key: -(-(whole(fields, *HIDDEN) or 1) // _OF_RANK)}


def expanded(fields: Fields, key: str) -> int | None:
    """The channels of scans: as many times the hidden state's columns as the key says."""
    size, times = whole(fields, *HIDDEN), whole(fields, key)
    if size is None:
        return None
    if times is None:
        raise missing(key)
    return times * size


def _as_read(fields: Fields) -> Fields:
    """Mamba's file by the keys of others: all layers are of one kind, and no file says it.

    The code goes by a size that stands in the file, whatever `expand` says: Falcon Mamba's says 16.
    """
    channels, count = whole(fields, _INNER), whole(fields, _COUNT) or 0
    if channels is None:
        channels = expanded(fields, _EXPAND)
    return {
        **with_rank(fields, "time_step_rank"),
        SCAN_CHANNELS: channels,
        "layer_types": ["selective_scan"] * count,
        MLPS: [NO_MLP] * count,
        # No layer attends, but files of other models have heads.
        **{HEADS[0]: 1, "head_dim": 1},
    }


MAMBA = ModelFamily(
    reads=(FILE - {"quantization_config", "position_embedding_type"})
    | {
        *(_INNER, _EXPAND, _COUNT, "hidden_size", "layer_norm_epsilon", "state_size"),
        *("conv_kernel", "use_conv_bias", "time_step_rank"),
    },
    # The first files say what their norms are, which transformers' class does not ask.
    only={**SILU, "use_bias": (False,), "rms_norm": (True,), "quantization_config": ()},
    harmless=frozenset(
        {
            # How hidden states are summed up, and what computes prompts.
            *("residual_in_fp32", "fused_add_norm", "use_mambapy", "use_associative_scan"),
            # What begins a training, and what transformers' class does not read.
            *("rescale_prenorm_residual", "time_step_floor", "time_step_init_scheme"),
            *("time_step_max", "time_step_min", "time_step_scale", "d_inner", "layer_types"),
            *("d_model", "n_layer", "pad_vocab_size_multiple"),
        }
    ),
    needs=((_COUNT,),),
    layer=LayerStyle(rotates=False),
    tensors=TensorNames(
        bases=("backbone.", "model."),
        embedding="embeddings",
        norm="norm_f",
        attention_norm="norm",
        scan=ScanNames(),
    ),
    as_read=_as_read,
)
FALCON_MAMBA = replace(
    MAMBA,
    reads=MAMBA.reads | {"mixer_rms_eps"},
    harmless=MAMBA.harmless | {"use_falcon_mambapy"},
    layer=LayerStyle(rotates=False, norms_steps=True),
)
