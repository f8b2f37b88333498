"""The keys that most decoders read, their biases, and what their code takes for granted."""

from typing import Any

from irattn.models.families.family import DECODER, ROPE, WINDOW

# A file that rotates a part of each head says how much.
PARTIAL = DECODER | ROPE | {"hidden_act", "intermediate_size", "rms_norm_eps"}
LAYER = PARTIAL - {"partial_rotary_factor"}
LISTED = LAYER | WINDOW

# Code that rotates whole heads.
WHOLE_HEADS: dict[str, Any] = {"partial_rotary_factor": (1, 1.0)}
# Layers with windows alternate in a way of their own.
NO_WINDOWS: dict[str, Any] = {"use_sliding_window": (False,)}
# The code has one activation for MLPs and convolutions, and the convolutions of layers are silu's.
SILU: dict[str, Any] = {"hidden_act": ("silu", "swish")}
# The code shares the weight of the embedding with the head where a file does not say.
TIED: dict[str, Any] = {"tie_word_embeddings": True}

BIAS: dict[str, Any] = {"qkv_bias": "attention_bias", "output_bias": "attention_bias"}
# GPT-2's kind: layer norms with biases, and an MLP without a gate.
PLAIN: dict[str, Any] = {"norm_kind": "layer", "norm_bias": True, "gated": False}


def biases(key: str | bool) -> dict[str, Any]:
    """The fields of a LayerStyle where one key, or the code, says if projections have biases."""
    return {"qkv_bias": key, "output_bias": key, "mlp_bias": key}
