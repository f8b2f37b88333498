"""The named specs that ship: compiled by default, tested, and shown by `irattn list`.

A name is `<entry>_<size>`. Tiny entries are f32 and quick enough for every test; base entries have
the sizes of a current model in f16; long and xlong are whole prompts.
"""

import difflib
from collections.abc import Iterable
from typing import Any

from irattn.errors import CatalogueError
from irattn.specs import (
    AttentionScoresSpec,
    AttentionSpec,
    CausalMaskSpec,
    MergeStatesSpec,
    OutputProjectionSpec,
    PagedAttentionSpec,
    QkvProjectionSpec,
    ReplicateKvSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    Spec,
    WeightedValuesSpec,
)

SIZES = ("tiny", "base", "long", "xlong")


def _tiny(num_kv_heads: int, **fields: object) -> AttentionSpec:
    return _attention(4, num_kv_heads, 32, "f32", **{"q_len": 32, "kv_len": 32, **fields})


def _base(num_kv_heads: int, **fields: object) -> AttentionSpec:
    return _attention(32, num_kv_heads, 128, "f16", **{"q_len": 512, "kv_len": 512, **fields})


def _attention(
    num_q_heads: int, num_kv_heads: int, head_dim: int, io_dtype: str, **fields: object
) -> AttentionSpec:
    return AttentionSpec.from_fields(
        {
            "num_q_heads": num_q_heads,
            "num_kv_heads": num_kv_heads,
            "head_dim": head_dim,
            "io_dtype": io_dtype,
            **fields,
        }
    )


def _paged_tiny(q_len: int, **fields: Any) -> PagedAttentionSpec:
    return PagedAttentionSpec(
        **fields,
        batch=2,
        num_q_heads=4,
        num_kv_heads=2,
        q_len=q_len,
        head_dim=32,
        block_size=16,
        num_blocks=8,
        max_blocks=4,
        io_dtype="f32",
    )


def _paged_base(q_len: int, **fields: Any) -> PagedAttentionSpec:
    return PagedAttentionSpec(
        **fields,
        batch=4,
        num_q_heads=32,
        num_kv_heads=8,
        q_len=q_len,
        head_dim=128,
        block_size=16,
        num_blocks=512,
        max_blocks=128,
        io_dtype="f16",
    )


# Sizes that the parts of attention share with the attention entries.
_TINY_SCORES: dict[str, Any] = {"num_q_heads": 4, "q_len": 32, "kv_len": 32}
_BASE_SCORES: dict[str, Any] = {"num_q_heads": 32, "q_len": 512, "kv_len": 512}
_TINY_HEADS: dict[str, Any] = {"num_q_heads": 4, "head_dim": 32, "io_dtype": "f32"}
_BASE_HEADS: dict[str, Any] = {"num_q_heads": 32, "head_dim": 128, "io_dtype": "f16"}
_TINY_HIDDEN: dict[str, Any] = {**_TINY_HEADS, "hidden_size": 128}
_BASE_HIDDEN: dict[str, Any] = {**_BASE_HEADS, "hidden_size": 4096}

_SPECS: dict[str, Spec] = {
    "mha_full_tiny": _tiny(4),
    "mha_full_base": _base(32),
    "mha_causal_tiny": _tiny(4, causal=True),
    "mha_causal_base": _base(32, causal=True),
    "gqa_causal_tiny": _tiny(2, causal=True),
    "gqa_causal_base": _base(8, causal=True),
    "gqa_causal_long": _base(8, causal=True, q_len=2048, kv_len=2048),
    "gqa_causal_xlong": _base(8, causal=True, q_len=4096, kv_len=4096),
    "mqa_causal_tiny": _tiny(1, causal=True),
    "mqa_causal_base": _base(1, causal=True),
    "cross_gqa_tiny": _tiny(2, kv_len=20),
    "cross_gqa_base": _base(8, kv_len=1500),
    # More queries than keys: the first rows see no key.
    "gqa_short_kv_tiny": _tiny(2, causal=True, kv_len=20),
    "gqa_short_kv_base": _base(8, causal=True, kv_len=300),
    "gqa_decode_tiny": _tiny(2, causal=True, q_len=1),
    "gqa_decode_base": _base(8, causal=True, q_len=1),
    "gqa_paged_prefill_tiny": _paged_tiny(32),
    "gqa_paged_prefill_base": _paged_base(512),
    "gqa_paged_decode_tiny": _paged_tiny(1),
    "gqa_paged_decode_base": _paged_base(1),
    # Features by the models that made them known.
    "window_tiny": _tiny(2, causal=True, window=(7, None)),
    "window_base": _base(8, causal=True, window=(127, None)),
    "window_both_ways_tiny": _tiny(4, window=(5, 3)),
    "window_both_ways_base": _base(32, window=(64, 64)),
    "soft_cap_tiny": _tiny(2, causal=True, logits_soft_cap=2.0),
    "soft_cap_base": _base(8, causal=True, logits_soft_cap=50.0),
    "alibi_tiny": _tiny(4, causal=True, alibi=True),
    "alibi_base": _base(32, causal=True, alibi=True),
    "bias_tiny": _tiny(4, bias="hqk"),
    "bias_base": _base(32, bias="hqk"),
    "keep_mask_tiny": _tiny(4, batch=2, keep_mask="bk"),
    "keep_mask_base": _base(32, batch=4, keep_mask="bk"),
    "sinks_tiny": _tiny(2, causal=True, sinks=True, window=(7, None)),
    "sinks_base": _base(8, causal=True, sinks=True, window=(127, None)),
    "lse_tiny": _tiny(2, causal=True, return_lse=True),
    "lse_base": _base(8, causal=True, return_lse=True),
    "top_left_tiny": _tiny(2, causal=True, alignment="top_left", kv_len=48),
    "top_left_base": _base(8, causal=True, alignment="top_left", kv_len=1024),
    "ragged_tiny": _tiny(2, batch=2, causal=True, ragged=True),
    "ragged_base": _base(8, batch=4, causal=True, ragged=True),
    "paged_mixed_tiny": _paged_tiny(16, ragged=True),
    "paged_mixed_base": _paged_base(64, ragged=True),
    "paged_window_sinks_tiny": _paged_tiny(1, window=(7, None), sinks=True),
    "paged_window_sinks_base": _paged_base(1, window=(127, None), sinks=True),
    "paged_soft_cap_lse_tiny": _paged_tiny(1, logits_soft_cap=2.0, return_lse=True),
    "paged_soft_cap_lse_base": _paged_base(1, logits_soft_cap=50.0, return_lse=True),
    "merge_states_tiny": MergeStatesSpec(**_TINY_HEADS, batch=2, q_len=32),
    "merge_states_base": MergeStatesSpec(**_BASE_HEADS, batch=4, q_len=512),
    # The stages of attention, one by one; scores are f32 whatever the size.
    "attention_scores_tiny": AttentionScoresSpec(**_TINY_HEADS | _TINY_SCORES, num_kv_heads=2),
    "attention_scores_base": AttentionScoresSpec(**_BASE_HEADS | _BASE_SCORES, num_kv_heads=8),
    "scale_scores_tiny": ScaleScoresSpec(**_TINY_SCORES, softmax_scale=32**-0.5),
    "scale_scores_base": ScaleScoresSpec(**_BASE_SCORES, softmax_scale=128**-0.5),
    "causal_mask_tiny": CausalMaskSpec(**_TINY_SCORES),
    "causal_mask_base": CausalMaskSpec(**_BASE_SCORES),
    "softmax_tiny": SoftmaxSpec(**_TINY_SCORES),
    "softmax_base": SoftmaxSpec(**_BASE_SCORES),
    "weighted_values_tiny": WeightedValuesSpec(**_TINY_HEADS | _TINY_SCORES, num_kv_heads=2),
    "weighted_values_base": WeightedValuesSpec(**_BASE_HEADS | _BASE_SCORES, num_kv_heads=8),
    "replicate_kv_tiny": ReplicateKvSpec(**_TINY_HEADS, num_kv_heads=2, kv_len=32),
    "replicate_kv_base": ReplicateKvSpec(**_BASE_HEADS, num_kv_heads=8, kv_len=512),
    "qkv_projection_tiny": QkvProjectionSpec(**_TINY_HIDDEN, num_kv_heads=2, q_len=32),
    "qkv_projection_base": QkvProjectionSpec(**_BASE_HIDDEN, num_kv_heads=8, q_len=512),
    "qkv_projection_decode_tiny": QkvProjectionSpec(**_TINY_HIDDEN, num_kv_heads=2, q_len=1),
    "qkv_projection_decode_base": QkvProjectionSpec(**_BASE_HIDDEN, num_kv_heads=8, q_len=1),
    "output_projection_tiny": OutputProjectionSpec(**_TINY_HIDDEN, q_len=32),
    "output_projection_base": OutputProjectionSpec(**_BASE_HIDDEN, q_len=512),
}


def names(sizes: Iterable[str] = SIZES) -> list[str]:
    """The catalogue's names of these sizes, in catalogue order."""
    wanted = set(sizes)
    return [name for name in _SPECS if name.rpartition("_")[2] in wanted]


def get(name: str) -> Spec:
    """The spec of a name; CatalogueError with the nearest names where there is none."""
    if name not in _SPECS:
        near = difflib.get_close_matches(name, _SPECS, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}?" if near else "`irattn list` shows the names"
        raise CatalogueError(f"{name}: not in the catalogue; {hint}")
    return _SPECS[name]
