"""The MLP of layers, and why layers are their attention half where they have another one."""

from typing import Any

from irattn.core import numbers
from irattn.core.errors import ConfigError
from irattn.models.families import ExpertStyle, LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.names import ACTIVATION, EACH, EXPERTS, HIDDEN, INNER, ROUTED_SCALE, SHARED
from irattn.models.values import (
    Fields,
    by_keys,
    check_expert_count,
    flag,
    key_of,
    positive,
    text,
    whole,
)
from irattn.specs.experts import CLAMPED_SWIGLU, Experts
from irattn.specs.layer_input import LayerInput
from irattn.specs.layer_streams import HiddenStreams
from irattn.specs.mlp import XIELU

# Activations by the names that files have for them, which are transformers'.
_ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_fast": "gelu_tanh",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "relu2": "relu_squared",
    "silu": "silu",
    "swish": "silu",
}

# What the code makes of a file without a size, which only GPT-2's and Falcon's may lack.
_TIMES = 4

_WIDTH, _OWN_VOCAB = "hidden_size_per_layer_input", "vocab_size_per_layer_input"
_STREAMS, _ACTIVE = "altup_num_inputs", "altup_active_idx"
# Models have four.
_MOST_STREAMS = 1024
_STREAM_KEYS = {"streams.num_streams": _STREAMS, "streams.active": _ACTIVE}
_OF_STATE_LAYERS = ("intermediate_size", "activation", "experts")
# The keys of fields of experts that others bound.
_KEYS = {"num_groups": "n_group", "chosen_groups": "topk_group", "experts_per_token": EACH[0]}


def mlp_fields(fields: Fields, style: LayerStyle, kind: LayerKind | None = None) -> dict[str, Any]:
    """The fields of the layer that its MLP takes, or its experts where it has these.

    Gemma 4 can have twice the width in layers that share the keys and values of others.
    """
    if (kind and kind.own.is_missing) or half_because(fields, style, kind):
        return {}
    experts = None
    if style.experts and not (kind and kind.is_dense):
        experts = _experts(fields, style.experts)
    shared = {"parallel_mlp": style.parallel_mlp, "layer_input": _layer_input(fields, style)}
    if experts and not experts.has_router_input:
        return {"experts": experts, "mlp_post_norm": style.norms_experts, **shared}
    size = _size(fields, style, kind)
    if size and kind and kind.source is not None and fields.get("use_double_wide_mlp"):
        size *= 2
    return {
        "intermediate_size": size,
        "activation": _activation_of(fields, style),
        "gated": style.gated,
        "mlp_bias": flag(fields, style.mlp_bias),
        "experts": experts,
        "sparsity": kind.own.sparsity if kind else None,
        **shared,
        **(_stream_fields(fields) if style.has_streams else {}),
    }


def mlp_of_state_layer(fields: Fields, style: LayerStyle, kind: LayerKind) -> dict[str, Any]:
    """The fields of the MLP that a layer with states has."""
    mlp = mlp_fields(fields, style, kind)
    own = {name: mlp[name] for name in _OF_STATE_LAYERS if name in mlp}
    return {**own, "plain_mlp": not mlp.get("gated", True)}


def _stream_fields(fields: Fields) -> dict[str, Any]:
    """The hidden states beside one another, and the learned part of the residual."""
    streams = by_keys(
        HiddenStreams,
        _STREAM_KEYS,
        num_streams=_num_streams(fields),
        active=whole(fields, _ACTIVE, least=0) or 0,
        has_scale=bool(fields.get("altup_correct_scale")),
    )
    return {"streams": streams, "laurel_rank": whole(fields, "laurel_rank")}


def half_because(fields: Fields, style: LayerStyle, kind: LayerKind | None) -> str | None:
    """Why the layers of a model are their attention half, by key; None if they are whole."""
    activation = _activation(fields)
    if style.experts and (missing := _missing(fields, style.experts)):
        why = f"{missing}: missing, so that the experts are not known"
    elif _has_mlp(style) and _size(fields, style, kind) is None:
        why = f"{INNER[0]}: missing, so that the MLP is not known"
    elif activation not in (known_ones := _known(style)):
        known = ", ".join(known_ones)
        why = f"{key_of(fields, *ACTIVATION)}: {activation}: not one of {known}"
    else:
        return None
    return f"{why}: layers are their attention half"


def _has_mlp(style: LayerStyle) -> bool:
    return style.experts is None or style.experts.are_beside


def _layer_input(fields: Fields, style: LayerStyle) -> LayerInput | None:
    """The layer's own embedding of tokens, of fewer than the model has in Gemma 3n alone."""
    width = whole(fields, _WIDTH, least=0) if style.has_layer_input else None
    if not width:
        return None
    known, own = whole(fields, "vocab_size") or 1, whole(fields, _OWN_VOCAB)
    if own is None or (own < known and not style.has_streams):
        raise ConfigError(f"{_OWN_VOCAB}: expected at least the vocab_size = {known}, got {own}")
    return LayerInput(
        width=width,
        vocab_size=own,
        activation=_ACTIVATIONS[_activation(fields)],
        known_tokens=known if own < known else None,
    )


def _missing(fields: Fields, style: ExpertStyle) -> str | None:
    """A key that says how many experts there are, or of what size, and that a file lacks."""
    needed = ((EXPERTS[0], whole(fields, *EXPERTS)), (key_of(fields, *EACH), whole(fields, *EACH)))
    sizes = (*needed, (style.width, whole(fields, style.width)))
    return next((key for key, value in sizes if value is None), None)


def _num_streams(fields: Fields) -> int:
    """The number of hidden states of a token, each of which has tensors of its own."""
    count = whole(fields, _STREAMS, least=2) or 1
    if count > _MOST_STREAMS:
        raise ConfigError(f"{_STREAMS}: expected at most {_MOST_STREAMS}, got {count}")
    return count


def _experts(fields: Fields, style: ExpertStyle) -> Experts:
    """The experts of a layer, whose keys are all there; ConfigError where they do not fit."""
    check_expert_count(fields)
    return by_keys(Experts, _KEYS, **_fields_of_experts(fields, style))


def _fields_of_experts(fields: Fields, style: ExpertStyle) -> dict[str, Any]:
    width = whole(fields, style.width) or 1
    activation = _ACTIVATIONS[_activation(fields)]
    return dict(
        num_experts=whole(fields, *EXPERTS) or 1,
        experts_per_token=whole(fields, *EACH) or 1,
        intermediate_size=width,
        activation=CLAMPED_SWIGLU if style.is_clamped else activation,
        has_bias=style.is_clamped,
        has_router_bias=style.is_clamped,
        scores=style.scores,
        is_normalized=flag(fields, style.is_normalized),
        has_choice_bias=style.has_choice_bias,
        num_groups=(style.has_groups and whole(fields, "n_group")) or 1,
        chosen_groups=(style.has_groups and whole(fields, "topk_group")) or 1,
        routed_scale=positive(fields, *ROUTED_SCALE) or 1.0,
        shared_size=_shared_size(fields, style, width),
        has_shared_gate=style.has_shared_gate,
        scales_input=style.scales_input,
        is_plain=style.is_plain,
        has_router_input=style.are_beside,
        has_expert_scales=style.are_beside,
        jitter=None if style.jitter is None else _jitter(fields, style.jitter),
        sum_eps=style.sum_eps if flag(fields, style.is_normalized) else None,
        biases_logits=style.biases_logits,
    )


def _jitter(fields: Fields, key: str) -> float:
    """How near logits must be to count beside others, which may be not at all."""
    return numbers.real(key, fields.get(key) or 0.0, 0, 1e3, error=ConfigError)


def _shared_size(fields: Fields, style: ExpertStyle, width: int) -> int | None:
    if style.shared_size:
        return whole(fields, style.shared_size, least=0) or None
    if style.has_shared:
        return width
    count = whole(fields, *SHARED, least=0)
    return count * width if count else None


def _size(fields: Fields, style: LayerStyle, kind: LayerKind | None) -> int | None:
    if kind and kind.own.size:
        return kind.own.size
    # Llama 4's and Granite 4's first: their intermediate_size is that of experts.
    given = whole(fields, "intermediate_size_mlp", "shared_intermediate_size", *INNER)
    width = whole(fields, *HIDDEN)
    return given or (None if style.gated or width is None else _TIMES * width)


def _known(style: LayerStyle) -> dict[str, str]:
    """The activations that a layer may have, by files' names."""
    return {**_ACTIVATIONS, XIELU: XIELU} if style.learns_activation else _ACTIVATIONS


def _activation_of(fields: Fields, style: LayerStyle) -> str:
    known = _known(style)[_activation(fields)]
    return style.gelu if known == "gelu" else known


def _activation(fields: Fields) -> str:
    return text(fields, key_of(fields, *ACTIVATION)) or "silu"
