"""Command A with experts: parallel as the dense ones, with MLPs in the first layers."""

from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.cohere import COHERE, COHERE_2
from irattn.models.families.common import TIED
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle, dense_first
from irattn.models.families.family import WINDOW, LayerStyle
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, texts, whole

_FULL, _SLIDING = "full_attention", "sliding_attention"
_PATTERN, _FIRST_PATTERN = "sliding_window_pattern", "prefix_dense_sliding_window_pattern"
_DENSE_SIZE = "prefix_dense_intermediate_size"


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with the kinds of layers that it lacks, and those that rotate.

    Those are layers with windows, and all with MLPs where by their pattern none has a window.
    """
    count = whole(fields, *LAYERS)
    size = whole(fields, _DENSE_SIZE) or whole(fields, "intermediate_size")
    own = {**fields, "intermediate_size_mlp": size}
    if count is None:
        return own
    dense = dense_first(fields, count)
    first = whole(fields, "first_k_dense_replace", least=0) or 0
    kinds = texts(fields, "layer_types") or _kinds(fields, min(first, count), count)
    all_dense_rotate = whole(fields, _FIRST_PATTERN) == 1
    own["layer_types"] = kinds
    own["no_rope_layers"] = [
        int(kind == _SLIDING or (is_dense and all_dense_rotate))
        for kind, is_dense in zip(kinds, dense, strict=False)
    ]
    return own


def _kinds(fields: Fields, first: int, count: int) -> list[str]:
    """The kinds of so many layers, the first of which have a pattern of their own."""
    patterns = [(first, whole(fields, _FIRST_PATTERN)), (count - first, whole(fields, _PATTERN))]
    return [
        _FULL if (number + 1) % (every or 1) == 0 else _SLIDING
        for layers, every in patterns
        for number in range(layers)
    ]


def _layer(fields: Fields) -> LayerStyle:
    """The layer, whose norm is one of Llama's where the file has its eps."""
    score = fields.get("expert_selection_fn")
    if score not in ("softmax", "sigmoid"):
        raise ConfigError(f"expert_selection_fn: expected softmax or sigmoid, got {shown(score)}")
    assert isinstance(COHERE.layer, LayerStyle)
    return replace(
        COHERE.layer,
        norm_kind="layer" if fields.get("rms_norm_eps") is None else "rms",
        experts=ExpertStyle(
            width="intermediate_size",
            scores=score,
            # Shares of the chosen logits are those that add up to 1.
            is_normalized=score == "softmax" or bool(fields.get("norm_topk_prob")),
            dense=dense_first,
        ),
    )


COHERE_2_MOE = replace(
    COHERE,
    reads=(COHERE.reads - {"rope_scaling"})
    | WINDOW
    | EXPERT_KEYS
    | {
        *("expert_selection_fn", "first_k_dense_replace", "mlp_layer_types", "rms_norm_eps"),
        *("num_shared_experts", "shared_expert_combination_strategy"),
        *(_PATTERN, _FIRST_PATTERN, _DENSE_SIZE),
    },
    only={
        **{key: value for key, value in COHERE_2.only.items() if key != "use_qk_norm"},
        # The code does not read these old settings, and goes without.
        "rope_scaling": (),
    },
    defaults=TIED,
    as_read=_as_read,
    layer=_layer,
    tensors=TensorNames(**SHARED_EXPERTS),
)
