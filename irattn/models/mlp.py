"""The MLP of layers, and why layers are their attention half where they have another one."""

from typing import Any

from irattn.models.families import LayerStyle
from irattn.models.names import ACTIVATION, HIDDEN, INNER
from irattn.models.values import Fields, flag, key_of, text, whole

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

# What the code makes of a file without a size, which only GPT-2's and Falcon's may lack.
_TIMES = 4


def mlp_fields(fields: Fields, style: LayerStyle, shares_kv: bool = False) -> dict[str, Any]:
    """The fields of the layer that its MLP takes.

    Gemma 4 can have twice the width in layers that share the keys and values of others.
    """
    if half_because(fields, style):
        return {}
    size = _size(fields, style)
    if size and shares_kv and fields.get("use_double_wide_mlp"):
        size *= 2
    return {
        "intermediate_size": size,
        "activation": _ACTIVATIONS[_activation(fields)],
        "gated": style.gated,
        "mlp_bias": flag(fields, style.mlp_bias),
        "parallel_mlp": style.parallel_mlp,
    }


def half_because(fields: Fields, style: LayerStyle) -> str | None:
    """Why the layers of a model are their attention half, by key; None if they are whole."""
    model_type, activation = text(fields, "model_type"), _activation(fields)
    if style.experts:
        why = f"model_type: {model_type}: a mixture of experts, which decoder_layer does not have"
    elif _size(fields, style) is None:
        why = f"{INNER[0]}: missing, so that the MLP is not known"
    elif activation not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        why = f"{key_of(fields, *ACTIVATION)}: {activation}: not one of {known}"
    else:
        return None
    return f"{why}: layers are their attention half"


def _size(fields: Fields, style: LayerStyle) -> int | None:
    # Llama 4's first: its intermediate_size is that of experts.
    given = whole(fields, "intermediate_size_mlp", *INNER)
    width = whole(fields, *HIDDEN)
    return given or (None if style.gated or width is None else _TIMES * width)


def _activation(fields: Fields) -> str:
    return text(fields, key_of(fields, *ACTIVATION)) or "silu"
