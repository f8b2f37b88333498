"""Experts of models: the keys that say how many there are, how wide, and how they are chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from irattn.core.errors import ConfigError, shown
from irattn.models.values import Fields, texts, whole

# Of a file, for each of so many layers whether it has an MLP where others have experts.
DenseLayers: TypeAlias = Callable[[Fields, int], list[bool]]

# Keys of any such model.
EXPERT_KEYS = frozenset(
    {
        *("moe_intermediate_size", "n_routed_experts", "norm_topk_prob", "num_experts"),
        *("num_experts_per_tok", "num_local_experts"),
    }
)
# What models of DeepSeek's kind have besides.
GROUP_KEYS = frozenset(
    {
        *("first_k_dense_replace", "n_group", "n_shared_experts", "routed_scaling_factor"),
        "topk_group",
    }
)
# Qwen's, which say which layers have experts.
SPARSE_KEYS = frozenset({"decoder_sparse_step", "mlp_only_layers"})

_MLPS, _STEP, _WITHOUT = ("mlp_layer_types", "decoder_sparse_step", "mlp_only_layers")
# DeepSeek's, and Trinity's.
_FIRST = ("first_k_dense_replace", "num_dense_layers")


def dense_first(fields: Fields, count: int) -> list[bool]:
    """DeepSeek's: those that `mlp_layer_types` says, else the first `first_k_dense_replace`."""
    listed = texts(fields, _MLPS)
    if not listed:
        first = whole(fields, *_FIRST, least=0) or 0
        return [number < first for number in range(count)]
    if len(listed) < count:
        raise ConfigError(
            f"{_MLPS}: expected a kind for each of the {count} layers, got {len(listed)}"
        )
    return [kind == "dense" for kind in listed[:count]]


def dense_between(fields: Fields, count: int) -> list[bool]:
    """Qwen's: all but the last of every `decoder_sparse_step`, and those of `mlp_only_layers`."""
    every, listed = whole(fields, _STEP) or 1, numbers_of(fields, _WITHOUT) or ()
    return [number in listed or (number + 1) % every != 0 for number in range(count)]


def numbers_of(fields: Fields, key: str) -> list[int] | None:
    """A list of numbers of layers, if it is set."""
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or any(type(number) is not int for number in value):
        raise ConfigError(f"{key}: expected a list of layers by their numbers, got {shown(value)}")
    return value


@dataclass(frozen=True, kw_only=True)
class ExpertStyle:
    """A model's experts as its code makes them: Experts, by the keys of its file.

    `width` is the key of an expert's size. `is_normalized` is fixed, or a key says it.
    `shared_size` is the key of the shared MLP's size; without, `n_shared_experts` says how many
    experts are shared. Without `has_groups` a file's groups have no effect. `is_clamped`: experts
    are GPT-OSS's, with its activation and biases. `has_shared`: one more expert is shared, of the
    same size. `scales_input`, `is_plain`, `sum_eps` and `biases_logits` are MixtureOfExpertsSpec's,
    as is what the key `jitter` says. `dense` tells the layers that have an MLP instead, if any do.
    `are_beside`: they stand beside an MLP, with scales and an input of the router's own (Gemma 4).
    """

    width: str = "moe_intermediate_size"
    scores: str = "softmax"
    is_normalized: str | bool = True
    has_choice_bias: bool = False
    shared_size: str | None = None
    has_shared_gate: bool = False
    has_groups: bool = True
    is_clamped: bool = False
    has_shared: bool = False
    scales_input: bool = False
    dense: DenseLayers | None = None
    are_beside: bool = False
    is_plain: bool = False
    sum_eps: float | None = None
    jitter: str | None = None
    biases_logits: bool = False


# Those of DeepSeek-V3, which many models took over.
DEEPSEEK_3_EXPERTS = ExpertStyle(
    scores="sigmoid", is_normalized="norm_topk_prob", has_choice_bias=True, dense=dense_first
)
