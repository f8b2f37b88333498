"""The MLP of layers, and why layers are their attention half where they have another one."""

from typing import Any

from irattn.models.values import Fields, key_of, text, whole

# Activations by the names that files have for them, which are transformers'.
_ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_fast": "gelu_tanh",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}

_EXPERTS = frozenset({"gpt_oss", "mixtral", "qwen2_moe", "qwen3_moe"})

_SIZE = ("intermediate_size", "ffn_hidden_size")
# Gemma's code goes by the first where it is set.
_ACTIVATION = ("hidden_activation", "hidden_act")
_BIAS = {"chatglm": "add_bias_linear", "llama": "mlp_bias"}


def mlp_fields(fields: Fields) -> dict[str, Any]:
    """The fields of the layer that its MLP takes, gated in all models that get layers."""
    if half_because(fields):
        return {}
    return {
        "intermediate_size": whole(fields, *_SIZE),
        "activation": _ACTIVATIONS[_activation(fields)],
        "mlp_bias": bool(fields.get(_BIAS.get(fields["model_type"], ""))),
    }


def half_because(fields: Fields) -> str | None:
    """Why the layers of a model are their attention half, by key; None if they are whole."""
    model_type, activation = text(fields, "model_type"), _activation(fields)
    if model_type in _EXPERTS:
        why = f"model_type: {model_type}: a mixture of experts, which decoder_layer does not have"
    elif whole(fields, *_SIZE) is None:
        why = f"{_SIZE[0]}: missing, so that the MLP is not known"
    elif activation not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        why = f"{key_of(fields, *_ACTIVATION)}: {activation}: not one of {known}"
    else:
        return None
    return f"{why}: layers are their attention half"


def _activation(fields: Fields) -> str:
    return text(fields, key_of(fields, *_ACTIVATION)) or "silu"
