"""Sarvam 30B, whose layers are GLM 4.5's, and 105B, whose are DeepSeek 3's."""

from collections.abc import Mapping
from dataclasses import replace

from irattn.models.families.deepseek import DEEPSEEK_3
from irattn.models.families.glm import GLM_4_MOE
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.values import Fields


def _with_keys_of_deepseek(fields: Fields) -> Fields:
    """Sarvam 105B by DeepSeek's keys: its file has another name for YaRN.

    Its head_dim is the width of its cache; the code counts the columns of a head from their parts.
    """
    own = {key: value for key, value in fields.items() if key != "head_dim"}
    scaling = fields.get("rope_scaling")
    if isinstance(scaling, Mapping) and "deepseek_yarn" in scaling.values():
        kept = {key: value for key, value in scaling.items() if key != "type"}
        own["rope_scaling"] = {**kept, "rope_type": "yarn"}
    return own


SARVAM_MOE = replace(
    GLM_4_MOE,
    reads=GLM_4_MOE.reads | {"num_shared_experts"},
    only={"use_bias": (False,), "use_qkv_bias": (False,)},
    defaults={**GLM_4_MOE.defaults, "partial_rotary_factor": 1.0, "rope_theta": 8000000.0},
    tensors=TensorNames(
        embedding="word_embeddings",
        qkv=("attention.query_key_value",),
        query_norm="attention.query_layernorm",
        key_norm="attention.key_layernorm",
        output="attention.dense",
        choice_bias="mlp.gate.expert_bias",
        **SHARED_EXPERTS,
    ),
)
SARVAM_MLA = replace(
    DEEPSEEK_3,
    reads=DEEPSEEK_3.reads | {"num_shared_experts"},
    # That of queries, which the code counts from its parts.
    harmless=DEEPSEEK_3.harmless | {"q_head_dim"},
    as_read=_with_keys_of_deepseek,
)
