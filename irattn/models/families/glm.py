"""GLM 4 and 4.5 by transformers' names, and ChatGLM 2 to GLM 4 by those of their own code."""

from dataclasses import replace

from irattn.models.families.common import PARTIAL
from irattn.models.families.expert_style import DEEPSEEK_3_EXPERTS, EXPERT_KEYS, GROUP_KEYS
from irattn.models.families.family import AXES, FILE, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.values import Fields, positive


def _chatglm(fields: Fields) -> LayerStyle:
    """The layer of ChatGLM's code, which can also norm with means."""
    has_means = fields.get("rmsnorm") is False
    return LayerStyle(
        qkv_bias="add_qkv_bias",
        output_bias="add_bias_linear",
        mlp_bias="add_bias_linear",
        norm_kind="layer" if has_means else "rms",
        norm_bias=has_means,
        rope_style="interleaved",
    )


def _glm_4_moe(fields: Fields) -> LayerStyle:
    """The layer of GLM 4.5, of which some have norms of heads."""
    return LayerStyle(
        qkv_bias="attention_bias",
        qk_norm=bool(fields.get("use_qk_norm")),
        experts=DEEPSEEK_3_EXPERTS,
    )


def _with_keys_of_glm(fields: Fields) -> Fields:
    """ChatGLM2 to GLM-4 by the keys of their own code: half of each head is rotated."""
    return {
        "rms_norm_eps": positive(fields, "layernorm_epsilon") or 1e-05,
        "partial_rotary_factor": 0.5,
        "rope_theta": 10000.0 * (positive(fields, "rope_ratio") or 1.0),
        **fields,
    }


CHATGLM = ModelFamily(
    reads=FILE
    | {
        *("add_bias_linear", "add_qkv_bias", "apply_residual_connection_post_layernorm"),
        *("ffn_hidden_size", "hidden_size", "kv_channels", "layernorm_epsilon"),
        *("multi_query_attention", "multi_query_group_num", "num_attention_heads", "num_layers"),
        *("rmsnorm", "rope_ratio", "seq_length"),
    },
    harmless=frozenset({"original_rope", "prefix_projection"}),
    layer=_chatglm,
    as_read=_with_keys_of_glm,
)
GLM = ModelFamily(
    reads=PARTIAL | {"attention_bias"},
    defaults={
        "partial_rotary_factor": 0.5,
    },
    layer=LayerStyle(qkv_bias="attention_bias", rope_style="interleaved"),
    tensors=TensorNames(gate_up=("mlp.gate_up_proj",)),
)
GLM_4 = replace(
    GLM,
    layer=LayerStyle(qkv_bias="attention_bias", rope_style="interleaved", post_norm=True),
    tensors=TensorNames(
        gate_up=("mlp.gate_up_proj",),
        post_norm="post_self_attn_layernorm",
        mlp_post_norm="post_mlp_layernorm",
    ),
)
GLM_4_MOE = ModelFamily(
    reads=PARTIAL | EXPERT_KEYS | GROUP_KEYS | {"attention_bias", "use_qk_norm"},
    defaults={"norm_topk_prob": True, "partial_rotary_factor": 0.5},
    layer=_glm_4_moe,
    tensors=TensorNames(**SHARED_EXPERTS),
)
# The language models of GLM 4.1 and 4.5 V. The first one's code has biases whatever the file says.
GLM_4_V = replace(
    GLM_4,
    reads=PARTIAL | AXES,
    defaults={},
    layer=LayerStyle(qkv_bias=True, rope_style="interleaved", post_norm=True),
)
GLM_4_V_MOE = replace(
    GLM_4_MOE, reads=(GLM_4_MOE.reads - {"use_qk_norm"}) | AXES, only={"use_qk_norm": (False,)}
)
# Without norms of heads and without an MLP in any layer.
SOLAR_OPEN = replace(
    GLM_4_MOE,
    reads=GLM_4_MOE.reads - {"first_k_dense_replace", "intermediate_size", "use_qk_norm"},
    defaults={"rope_theta": 1000000.0},
)
