"""GPT-2 and its kin: learned positions, layer norms and biases.

GPT-2's weights stand the other way round. GPT BigCode (StarCoder 1) has one KV head.
"""

from dataclasses import replace
from typing import Any

from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _names(fields: Fields) -> TensorNames:
    """BigCode's names: with a KV head for each query head, rows go by heads."""
    return TensorNames(**GPT_2_NAMES, is_grouped=not fields.get("multi_query"))


GPT_2_NAMES: dict[str, Any] = {
    "bases": ("transformer.", ""),
    "embedding": "wte",
    "positions": "wpe",
    "norm": "ln_f",
    "layer": "h.{number}.",
    "attention_norm": "ln_1",
    "qkv": ("attn.c_attn",),
    "output": "attn.c_proj",
    "mlp_norm": "ln_2",
    "up": "mlp.c_fc",
    "down": "mlp.c_proj",
}
GPT_2 = ModelFamily(
    reads=FILE
    | SIZES
    | {
        *("activation_function", "layer_norm_epsilon", "n_embd", "n_head", "n_inner", "n_layer"),
        *("n_positions", "scale_attn_weights"),
    },
    # A scale for each layer, which GPT-2's code has.
    only={"scale_attn_by_inverse_layer_idx": (False,)},
    harmless=ROTATION,
    defaults={**TIED, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5},
    layer=LayerStyle(
        **biases(True),
        **PLAIN,
        rotates=False,
    ),
    tensors=TensorNames(**GPT_2_NAMES, are_turned=True),
)
GPT_BIGCODE = replace(
    GPT_2,
    reads=GPT_2.reads | {"multi_query"},
    # What transformers writes beside `multi_query`.
    harmless=ROTATION | {"num_key_value_heads"},
    defaults={**TIED, "layer_norm_epsilon": 1e-5, "multi_query": True},
    only={"add_cross_attention": (False,)},
    tensors=_names,
)
GPT_NEO = ModelFamily(
    reads=FILE
    | SIZES
    | {
        *("activation_function", "attention_types", "intermediate_size", "layer_norm_epsilon"),
        *("n_embd", "n_head", "n_layer", "n_positions", "num_heads", "num_layers", "window_size"),
    },
    # What transformers writes beside `attention_types`.
    harmless=ROTATION | {"attention_layers"},
    defaults={
        **TIED,
        "attention_types": [[["global", "local"], 12]],
        "layer_norm_epsilon": 1e-5,
        # The code has no scale.
        "scale_attn_weights": False,
    },
    layer=LayerStyle(**PLAIN, output_bias=True, mlp_bias=True, rotates=False),
    tensors=TensorNames(
        **{
            **GPT_2_NAMES,
            "qkv": tuple(f"attn.attention.{name}_proj" for name in "qkv"),
            "output": "attn.attention.out_proj",
        }
    ),
)
