"""The named specs that ship: compiled by default, tested, and shown by `irattn list`.

A name is `<entry>_<size>`. Tiny entries are f32 and quick enough for every test; base entries have
the sizes of a current model in f16; long and xlong are whole prompts.
"""

import dataclasses
import difflib
from collections.abc import Iterable
from typing import Any

from irattn.errors import CatalogueError
from irattn.specs import (
    AlibiScoresSpec,
    AttentionScoresSpec,
    AttentionSpec,
    BiasScoresSpec,
    BlockPositionEmbeddingSpec,
    CacheAppendSpec,
    CacheWriteSpec,
    CausalMaskSpec,
    DecoderLayerSpec,
    MaskScoresSpec,
    MergeStatesSpec,
    OutputProjectionSpec,
    PackedAttentionSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
    PositionEmbeddingSpec,
    QkvProjectionSpec,
    ReplicateKvSpec,
    RmsNormSpec,
    RopeSpec,
    ScaleScoresSpec,
    SoftCapScoresSpec,
    SoftmaxSpec,
    SoftmaxWithSinksSpec,
    Spec,
    WeightedValuesSpec,
    WindowMaskSpec,
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


def _packed_tiny(**fields: Any) -> PackedAttentionSpec:
    return PackedAttentionSpec(
        **fields,
        batch=3,
        num_q_heads=4,
        num_kv_heads=2,
        q_tokens=40,
        kv_tokens=40,
        head_dim=32,
        io_dtype="f32",
    )


def _packed_base(**fields: Any) -> PackedAttentionSpec:
    return PackedAttentionSpec(
        **fields,
        batch=8,
        num_q_heads=32,
        num_kv_heads=8,
        q_tokens=1024,
        kv_tokens=1024,
        head_dim=128,
        io_dtype="f16",
    )


_HEADS_TINY: dict[str, Any] = {
    "batch": 2,
    "num_q_heads": 4,
    "num_kv_heads": 2,
    "head_dim": 32,
    "q_len": 32,
}
_HEADS_BASE: dict[str, Any] = {"num_q_heads": 32, "num_kv_heads": 8, "head_dim": 128, "q_len": 512}


def _rope_tiny(**fields: Any) -> RopeSpec:
    return RopeSpec(max_positions=4096, io_dtype="f32", **_HEADS_TINY, **fields)


def _rope_base(**fields: Any) -> RopeSpec:
    return RopeSpec(**_HEADS_BASE, **{"max_positions": 131072, **fields})


def _llama3(original_max_position: int) -> dict[str, Any]:
    """The scaling of Llama 3.1, as its configuration has it."""
    return {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position": original_max_position,
    }


def _updating(spec: PagedAttentionSpec) -> PagedUpdateAttentionSpec:
    """The spec that also writes the new tokens."""
    fields = {field.name: getattr(spec, field.name) for field in dataclasses.fields(spec)}
    return PagedUpdateAttentionSpec(**fields)


# Sizes that the parts of attention share with the attention entries.
_TINY_SCORES: dict[str, Any] = {"num_q_heads": 4, "q_len": 32, "kv_len": 32}
_BASE_SCORES: dict[str, Any] = {"num_q_heads": 32, "q_len": 512, "kv_len": 512}
_TINY_HEADS: dict[str, Any] = {"num_q_heads": 4, "head_dim": 32, "io_dtype": "f32"}
_BASE_HEADS: dict[str, Any] = {"num_q_heads": 32, "head_dim": 128, "io_dtype": "f16"}
_TINY_HIDDEN: dict[str, Any] = {**_TINY_HEADS, "hidden_size": 128}
_BASE_HIDDEN: dict[str, Any] = {**_BASE_HEADS, "hidden_size": 4096}


def _layer_tiny(q_len: int, **fields: Any) -> DecoderLayerSpec:
    return DecoderLayerSpec(
        **dataclasses.asdict(_paged_tiny(q_len))
        | {"hidden_size": 128, "max_positions": 64}
        | fields
    )


def _layer_base(q_len: int, **fields: Any) -> DecoderLayerSpec:
    """A layer of Llama 3.1 8B."""
    own = {"hidden_size": 4096, "max_positions": 131072, "theta": 500000.0, "norm_eps": 1e-5}
    return DecoderLayerSpec(
        **dataclasses.asdict(_paged_base(q_len)) | own | {"scaling": _llama3(8192)} | fields
    )


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
    "packed_causal_tiny": _packed_tiny(causal=True),
    "packed_causal_base": _packed_base(causal=True),
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
    # One artifact for all lengths up to these.
    "dynamic_causal_tiny": _tiny(2, causal=True, dynamic=["q_len", "kv_len"]),
    "dynamic_causal_base": _base(8, causal=True, dynamic=["q_len", "kv_len"]),
    "dynamic_paged_decode_tiny": _paged_tiny(1, dynamic=("batch", "num_blocks", "max_blocks")),
    "dynamic_paged_decode_base": _paged_base(1, dynamic=("batch", "num_blocks", "max_blocks")),
    "rope_tiny": _rope_tiny(),
    "rope_base": _rope_base(),
    # As in GLM-4: half of the columns.
    "rope_interleaved_tiny": _rope_tiny(rope_style="interleaved", rotary_dim=16),
    "rope_interleaved_base": _rope_base(rope_style="interleaved", rotary_dim=64),
    "rope_llama3_tiny": _rope_tiny(theta=500000.0, scaling=_llama3(512)),
    "rope_llama3_base": _rope_base(theta=500000.0, scaling=_llama3(8192)),
    # As in OPT, which leaves two rows of the table to padding.
    "position_embedding_tiny": PositionEmbeddingSpec(
        batch=2, q_len=32, hidden_size=128, max_positions=66, offset=2, io_dtype="f32"
    ),
    "position_embedding_base": PositionEmbeddingSpec(
        q_len=512, hidden_size=4096, max_positions=2050, offset=2
    ),
    "block_position_embedding_tiny": BlockPositionEmbeddingSpec(
        batch=2, q_len=32, hidden_size=128, max_positions=65, max_block_positions=65, io_dtype="f32"
    ),
    "block_position_embedding_base": BlockPositionEmbeddingSpec(
        q_len=512, hidden_size=4096, max_positions=1025, max_block_positions=1025
    ),
    # A cache of its own, or with attention: every sequence has blocks for a full context.
    "cache_write_tiny": CacheWriteSpec(
        num_tokens=20, num_kv_heads=2, head_dim=32, num_blocks=8, io_dtype="f32"
    ),
    "cache_write_base": CacheWriteSpec(
        num_tokens=512, num_kv_heads=8, head_dim=128, num_blocks=512
    ),
    "cache_append_tiny": CacheAppendSpec(
        batch=2, num_kv_heads=2, head_dim=32, q_len=5, kv_len=64, io_dtype="f32"
    ),
    "cache_append_base": CacheAppendSpec(
        batch=4, num_kv_heads=8, head_dim=128, q_len=128, kv_len=2048
    ),
    "paged_update_decode_tiny": _updating(_paged_tiny(1)),
    "paged_update_decode_base": _updating(_paged_base(1)),
    "paged_update_prefill_tiny": _updating(_paged_tiny(32)),
    "paged_update_prefill_base": _updating(_paged_base(512)),
    "paged_update_mixed_tiny": _updating(_paged_tiny(16, ragged=True)),
    "paged_update_mixed_base": _updating(_paged_base(64, ragged=True)),
    "rms_norm_tiny": RmsNormSpec(rows=32, columns=128, io_dtype="f32"),
    "rms_norm_base": RmsNormSpec(rows=512, columns=4096),
    # The attention half of a layer: Llama, and with the norms of Qwen 3 and Gemma 2.
    "layer_prefill_tiny": _layer_tiny(32),
    "layer_prefill_base": _layer_base(512),
    "layer_decode_tiny": _layer_tiny(1),
    "layer_decode_base": _layer_base(1),
    "layer_norms_tiny": _layer_tiny(16, qk_norm=True, post_norm=True, norm_offset=1.0),
    "layer_norms_base": _layer_base(64, qk_norm=True, post_norm=True, norm_offset=1.0),
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
    # What features add to them.
    "soft_cap_scores_tiny": SoftCapScoresSpec(**_TINY_SCORES, logits_soft_cap=2.0),
    "soft_cap_scores_base": SoftCapScoresSpec(**_BASE_SCORES, logits_soft_cap=50.0),
    "bias_scores_tiny": BiasScoresSpec(**_TINY_SCORES, bias="hqk", io_dtype="f32"),
    "bias_scores_base": BiasScoresSpec(**_BASE_SCORES, bias="hqk"),
    "alibi_scores_tiny": AlibiScoresSpec(**_TINY_SCORES),
    "alibi_scores_base": AlibiScoresSpec(**_BASE_SCORES),
    "window_mask_tiny": WindowMaskSpec(**_TINY_SCORES, window=(7, None)),
    "window_mask_base": WindowMaskSpec(**_BASE_SCORES, window=(127, None)),
    "mask_scores_tiny": MaskScoresSpec(**_TINY_SCORES, batch=2, keep_mask="bk"),
    "mask_scores_base": MaskScoresSpec(**_BASE_SCORES, batch=4, keep_mask="bk"),
    "softmax_with_sinks_tiny": SoftmaxWithSinksSpec(**_TINY_SCORES),
    "softmax_with_sinks_base": SoftmaxWithSinksSpec(**_BASE_SCORES),
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
