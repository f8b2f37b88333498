"""The architecture of GGUF files of Gemma 3n, of text."""

import math
from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.families.tensor_names import LaurelNames, StreamNames
from irattn.models.gguf.architecture import WINDOW, Architecture
from irattn.models.gguf.gemma4 import GEMMA_4, INNER, SHARED, TOKENS, WIDTH
from irattn.models.gguf.heads import usual_fields
from irattn.models.gguf.rows import rows_of
from irattn.models.gguf.said import Said

_SPARSITY, _RANK = "activation_sparsity_scale", "blk.0.laurel_l.weight"
_STREAMS, _ACTIVE = "altup.num_inputs", "altup.active_idx"
# Of shares, whose quantiles are f32's.
_DIGITS = 6


def _fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads, the MLPs, and what hidden states beside one another have."""
    inner = said.value(INNER)
    return {
        **usual_fields(said, file, layers),
        **({"intermediate_size": inner[:layers]} if isinstance(inner, list) else {}),
        "activation_sparsity_pattern": _shares(said, layers),
        "altup_active_idx": said.whole(_ACTIVE, least=0),
        "hidden_size_per_layer_input": said.whole(WIDTH, least=0),
        "laurel_rank": rows_of(file, _RANK),
        "num_kv_shared_layers": _sharing(said),
        "vocab_size_per_layer_input": rows_of(file, TOKENS),
    }


def _sharing(said: Said) -> int | None:
    """The layers that take keys from others; published files have their number as a float."""
    value = said.value(SHARED)
    is_whole = type(value) is float and value >= 0 and value.is_integer()
    return int(value) if is_whole else said.whole(SHARED, least=0)


def _shares(said: Said, layers: int) -> list[float]:
    """How much of each layer's gate is zero, of which files have the normal quantile."""
    each = said.value(_SPARSITY)
    are_numbers = isinstance(each, list) and all(type(one) is float for one in each)
    if not are_numbers or len(each) < layers or any(math.isnan(one) for one in each):
        raise ConfigError(
            f"{said.named(_SPARSITY)}: expected a number for each of the {layers} layers, got "
            f"{shown(each)}"
        )
    return [round(math.erfc(-one / math.sqrt(2)) / 2, _DIGITS) for one in each[:layers]]


GEMMA_3N = Architecture(
    model_type="gemma3n_text",
    tensors=replace(
        GEMMA_4.tensors,
        output_scale="",
        beside=None,
        laurel=LaurelNames("laurel_l", "laurel_r", "laurel_post_norm"),
        streams=StreamNames(
            norm="altup_router_norm",
            router="altup_router",
            prediction="altup_predict_coef",
            correction="altup_correct_coef",
            scale="altup_correct_scale.weight",
            split="altup_proj.{number}",
            join="altup_unembd_proj.{number}",
        ),
    ),
    keys=WINDOW
    | {
        _STREAMS: "altup_num_inputs",
        "final_logit_softcapping": "final_logit_softcapping",
        "rope.freq_base_swa": "rope_local_base_freq",
    },
    needs=(
        *("attention.sliding_window", "attention.sliding_window_pattern", "rope.freq_base"),
        *(_STREAMS, _ACTIVE, _SPARSITY, WIDTH, SHARED),
    ),
    made=_fields,
    fixed={"altup_correct_scale": True},
    exceeds_f16=True,
)
