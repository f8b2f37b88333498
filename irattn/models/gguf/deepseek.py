"""The architecture of GGUF files of latent attention: DeepSeek 2 and 3, GLM-4.7-Flash, Youtu."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError
from irattn.core.gguf_file import GgufFile
from irattn.models.families.tensor_names import TensorNames
from irattn.models.gguf.architecture import NAMES, Architecture
from irattn.models.gguf.experts import DEEPSEEK_DEFAULTS, DEEPSEEK_KEYS
from irattn.models.gguf.rotation import rotation
from irattn.models.gguf.said import Said

_RANK, _ROTATED = "attention.kv_lora_rank", "rope.dimension_count"
_KEYS, _VALUES = "attention.key_length_mla", "attention.value_length_mla"
_GATING, _NORM, _SCALE = (
    "expert_gating_func",
    "expert_weights_norm",
    "rope.scaling.yarn_log_multiplier",
)
_SOFTMAX, _SIGMOID = 1, 2


def _stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of files whose queries have a latent, too, or have none."""
    is_narrow = any(name.endswith(".attn_q_a.weight") for name in there)
    return replace(names, query="attn_q_b" if is_narrow else "attn_q")


def _fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The sizes of latents, the rotation, and the type that the scores of experts tell."""
    sizes = latent_sizes(said)
    return {**_type(said, file), **sizes, **_rotation(said, file, sizes["qk_rope_head_dim"])}


def latent_sizes(said: Said) -> dict[str, Any]:
    """The sizes of latents and heads; ConfigError for keys in the cache that are no latents."""
    rank, rotated, columns = (said.needed(key) for key in (_RANK, _ROTATED, _KEYS))
    for key, size in {
        "attention.key_length": rank + rotated,
        "attention.value_length": rank,
    }.items():
        if said.value(key) not in (None, size):
            raise ConfigError(
                f"{said.named(key)}: expected {size}, of keys that are latents, got "
                f"{said.value(key)}"
            )
    return {
        "num_key_value_heads": said.needed("attention.head_count"),
        "kv_lora_rank": rank,
        "q_lora_rank": said.whole("attention.q_lora_rank"),
        "qk_rope_head_dim": rotated,
        "qk_nope_head_dim": columns - rotated,
        "v_head_dim": said.needed(_VALUES),
    }


def _type(said: Said, file: GgufFile) -> dict[str, Any]:
    """The type of the model: of softmax scores it is DeepSeek 2, without experts Youtu."""
    if not said.given("expert_count"):
        return {"model_type": "youtu"}
    has_bias = any(name.endswith(".exp_probs_b.bias") for name in file.tensors)
    scores = said.whole(_GATING, least=0) or (_SIGMOID if has_bias else _SOFTMAX)
    if scores == _SIGMOID:
        return {"model_type": "deepseek_v3"}
    if scores != _SOFTMAX or said.value(_NORM):
        raise ConfigError(
            f"{said.named(_GATING)}: expected {_SIGMOID}, or {_SOFTMAX} without {_NORM}, got "
            f"{scores}"
        )
    has_groups = (said.given("expert_group_count") or 1) > 1
    method = "group_limited_greedy" if has_groups else "greedy"
    return {"model_type": "deepseek_v2", "topk_method": method}


def _rotation(said: Said, file: GgufFile, rotated: int) -> dict[str, Any]:
    """How positions rotate; of YaRN files have a tenth of what scales the softmax, and no other."""
    fields = rotation(said, file, rotated)
    share = said.positive(_SCALE)
    if share and (scaling := fields.get("rope_scaling")):
        scale = round(10 * share, 6)
        fields["rope_scaling"] = {**scaling, "mscale": scale, "mscale_all_dim": scale}
    return fields


LATENT_KEYS = (_RANK, _ROTATED, _KEYS, _VALUES)
LATENT_NAMES = replace(
    NAMES,
    query_down="attn_q_a",
    query_down_norm="attn_q_a_norm",
    latent="attn_kv_a_mqa",
    latent_norm="attn_kv_a_norm",
    keys_from_latents="attn_k_b",
    values_from_latents="attn_v_b",
    as_stored=_stored,
)
DEEPSEEK_2 = Architecture(
    model_type="deepseek_v2",
    tensors=LATENT_NAMES,
    keys=DEEPSEEK_KEYS,
    needs=LATENT_KEYS,
    defaults=DEEPSEEK_DEFAULTS,
    silent=(_GATING, "attention.q_lora_rank", "expert_shared_feed_forward_length", _SCALE),
    made=_fields,
)
