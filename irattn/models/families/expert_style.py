"""Experts of models: the keys that say how many there are, how wide, and how they are chosen."""

from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True)
class ExpertStyle:
    """A model's experts as its code makes them: Experts, by the keys of its file.

    `width` is the key of an expert's size. `is_normalized` is fixed, or a key says it.
    `shared_size` is the key of the shared MLP's size; without, `n_shared_experts` says how many
    experts are shared. Without `has_groups` a file's groups have no effect. `is_clamped`: experts
    are GPT-OSS's, with its activation and biases. `dense_first` is the key of how many layers have
    an MLP instead, from the first on; a list `mlp_layer_types` goes before it.
    """

    width: str = "moe_intermediate_size"
    scores: str = "softmax"
    is_normalized: str | bool = True
    has_choice_bias: bool = False
    shared_size: str | None = None
    has_shared_gate: bool = False
    has_groups: bool = True
    is_clamped: bool = False
    dense_first: str | None = None
