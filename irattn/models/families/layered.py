"""Decoders that get layers: RMSNorm, attention, residual, one after the other, rotary positions."""

from typing import Any

from irattn.models.families.family import DECODER, FILE, ROPE, WINDOW, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

_PARTIAL = DECODER | ROPE | {"hidden_act", "intermediate_size", "rms_norm_eps"}
_LAYER = _PARTIAL - {"partial_rotary_factor"}
_GEMMA = _LAYER | {"attention_bias", "hidden_activation"}
_QWEN = _LAYER | WINDOW | {"max_window_layers", "use_sliding_window"}

# Their code rotates whole heads.
_WHOLE_HEADS: dict[str, Any] = {"partial_rotary_factor": (1, 1.0)}
# Layers with windows alternate in a way of their own.
_NO_WINDOWS: dict[str, Any] = {"use_sliding_window": (False,)}

_BIAS: dict[str, Any] = {"qkv_bias": "attention_bias", "output_bias": "attention_bias"}

CHATGLM = ModelFamily(
    reads=FILE
    | {
        *("add_bias_linear", "add_qkv_bias", "apply_residual_connection_post_layernorm"),
        *("ffn_hidden_size", "hidden_size", "kv_channels", "layernorm_epsilon"),
        *("multi_query_attention", "multi_query_group_num", "num_attention_heads", "num_layers"),
        *("rmsnorm", "rope_ratio", "seq_length"),
    },
    harmless=frozenset({"original_rope", "prefix_projection"}),
    layer=LayerStyle(
        qkv_bias="add_qkv_bias",
        output_bias="add_bias_linear",
        mlp_bias="add_bias_linear",
        rope_style="interleaved",
    ),
)
GEMMA = ModelFamily(
    reads=_GEMMA,
    only=_WHOLE_HEADS,
    layer=LayerStyle(**_BIAS, norm_offset=1.0),
)
GEMMA_2 = ModelFamily(
    reads=_GEMMA | WINDOW | {"attn_logit_softcapping", "query_pre_attn_scalar"},
    only=_WHOLE_HEADS,
    defaults={
        "sliding_window_pattern": 2,
    },
    layer=LayerStyle(**_BIAS, norm_offset=1.0, post_norm=True),
)
GEMMA_3 = ModelFamily(
    reads=_GEMMA
    | WINDOW
    | {
        *("_sliding_window_pattern", "query_pre_attn_scalar", "rope_local_base_freq"),
        *("sliding_window_pattern", "use_bidirectional_attention"),
    },
    only=_WHOLE_HEADS,
    defaults={
        "rope_local_base_freq": 10000.0,
        "rope_theta": 1000000.0,
        "sliding_window_pattern": 6,
    },
    layer=LayerStyle(**_BIAS, norm_offset=1.0, post_norm=True, qk_norm=True),
)
GLM = ModelFamily(
    reads=_PARTIAL | {"attention_bias"},
    defaults={
        "partial_rotary_factor": 0.5,
    },
    layer=LayerStyle(qkv_bias="attention_bias", rope_style="interleaved"),
)
GLM_4 = ModelFamily(
    reads=GLM.reads,
    defaults=GLM.defaults,
    layer=LayerStyle(qkv_bias="attention_bias", rope_style="interleaved", post_norm=True),
)
GPT_OSS = ModelFamily(
    reads=_LAYER | WINDOW | {"attention_bias"},
    only=_WHOLE_HEADS,
    # Without its settings, the code scales positions by ones of its own.
    needs=(("rope_parameters", "rope_scaling"),),
    defaults={
        "rope_theta": 150000.0,
        "sliding_window_pattern": 2,
        # Of its weights outside of the experts; the files do not say.
        "torch_dtype": "bfloat16",
    },
    sinks=True,
    layer=LayerStyle(**_BIAS, experts=True),
)
LLAMA = ModelFamily(
    reads=_LAYER | {"attention_bias", "mlp_bias"},
    only=_WHOLE_HEADS,
    layer=LayerStyle(**_BIAS, mlp_bias="mlp_bias"),
    tensors=TensorNames(),
)
MISTRAL = ModelFamily(
    reads=_LAYER | {"sliding_window"},
    only=_WHOLE_HEADS,
    layer=LayerStyle(),
    tensors=TensorNames(),
)
MIXTRAL = ModelFamily(
    reads=_LAYER | {"sliding_window"},
    only=_WHOLE_HEADS,
    defaults={
        "rope_theta": 1000000.0,
    },
    layer=LayerStyle(experts=True),
)
PHI_3 = ModelFamily(
    reads=_PARTIAL | {"sliding_window"},
    # Every layer sees all keys.
    only={"full_attn_mod": (1,)},
    layer=LayerStyle(),
)
QWEN_2 = ModelFamily(
    reads=_QWEN,
    only=_WHOLE_HEADS,
    layer=LayerStyle(qkv_bias=True),
    tensors=TensorNames(),
)
QWEN_2_MOE = ModelFamily(
    reads=_LAYER,
    only=_WHOLE_HEADS | _NO_WINDOWS,
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    layer=LayerStyle(qkv_bias=True, experts=True),
)
QWEN_3 = ModelFamily(
    reads=_QWEN | {"attention_bias"},
    only=_WHOLE_HEADS,
    layer=LayerStyle(**_BIAS, qk_norm=True),
    tensors=TensorNames(),
)
QWEN_3_MOE = ModelFamily(
    reads=_LAYER | {"attention_bias"},
    only=_WHOLE_HEADS | _NO_WINDOWS,
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    layer=LayerStyle(**_BIAS, qk_norm=True, experts=True),
)

LAYERED = {
    "chatglm": CHATGLM,
    "gemma": GEMMA,
    "gemma2": GEMMA_2,
    "gemma3_text": GEMMA_3,
    "glm": GLM,
    "glm4": GLM_4,
    "gpt_oss": GPT_OSS,
    "llama": LLAMA,
    "mistral": MISTRAL,
    "mixtral": MIXTRAL,
    "phi3": PHI_3,
    "qwen2": QWEN_2,
    "qwen2_moe": QWEN_2_MOE,
    "qwen3": QWEN_3,
    "qwen3_moe": QWEN_3_MOE,
}
