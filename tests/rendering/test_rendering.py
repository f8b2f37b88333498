"""The rendered MLIR: one golden per template branch, readable, parsed and verified by IREE.

`pytest --update-golden` writes them anew; review the diff.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from irattn import (
    AlibiScoresSpec,
    AttentionScoresSpec,
    AttentionSpec,
    BiasScoresSpec,
    BlockPositionEmbeddingSpec,
    CacheAppendSpec,
    CacheWriteSpec,
    CausalMaskSpec,
    DecoderLayerSpec,
    DrawnChoiceSpec,
    EmbeddingSpec,
    GatedDeltaRuleSpec,
    GreedyChoiceSpec,
    LayerNormSpec,
    LinearSpec,
    LmHeadSpec,
    MaskScoresSpec,
    MergeStatesSpec,
    MixtureOfExpertsSpec,
    MlpSpec,
    OutputProjectionSpec,
    PackedAttentionSpec,
    PackedPagedAttentionSpec,
    PackedPagedUpdateAttentionSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
    PositionEmbeddingSpec,
    QkvProjectionSpec,
    ReplicateKvSpec,
    RmsNormSpec,
    RopeSpec,
    ScaleScoresSpec,
    SelectiveScanSpec,
    SoftCapScoresSpec,
    SoftmaxSpec,
    SoftmaxWithSinksSpec,
    WeightedValuesSpec,
    WindowMaskSpec,
    targets,
)
from irattn.compiling import catalog
from irattn.compiling.compiler import DiagnosticsError, verify_mlir
from irattn.core.errors import RenderError
from irattn.rendering import GraphRequest, render, template_origin, template_origins
from irattn.rendering.aliases import with_own_aliases
from support.places import ROOT

GOLDENS = Path(__file__).parent / "goldens"

DENSE = AttentionSpec(num_q_heads=8, num_kv_heads=2, q_len=64, kv_len=128, head_dim=64)
ODD = DENSE.replace(q_len=33, kv_len=77, head_dim=80, value_dim=40)
CAUSAL = DENSE.replace(q_len=128, causal=True)
OF_GROUPS = CAUSAL.replace(num_q_heads=32, num_kv_heads=8, return_lse=True)
CHUNK = CAUSAL.replace(
    q_len=20, head_dim=80, layout="NHD", alignment="offsets", return_lse=True, batch=2
)
SHORT = DENSE.replace(q_len=40, kv_len=24, causal=True)
PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=8, num_kv_heads=2, q_len=64, head_dim=64, num_blocks=9, max_blocks=4
)
ROPE = RopeSpec(num_q_heads=8, num_kv_heads=2, q_len=64, head_dim=64, max_positions=4096)
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position": 1024}
POSITION = PositionEmbeddingSpec(q_len=64, hidden_size=256, max_positions=130)
BLOCK_POSITION = BlockPositionEmbeddingSpec(
    q_len=64, hidden_size=256, max_positions=65, max_block_positions=33
)
UPDATE = PagedUpdateAttentionSpec(
    batch=2, num_q_heads=8, num_kv_heads=2, q_len=64, head_dim=64, num_blocks=9, max_blocks=4
)
WRITE = CacheWriteSpec(num_tokens=20, num_kv_heads=2, head_dim=64, num_blocks=9)
APPEND = CacheAppendSpec(batch=2, num_kv_heads=2, head_dim=64, q_len=5, kv_len=77)

PACKED = PackedAttentionSpec(
    batch=3, num_q_heads=8, num_kv_heads=2, q_tokens=128, kv_tokens=128, head_dim=64, causal=True
)
PAGES_OF_MANY = {"batch": 4, "q_tokens": 50, "num_blocks": 99, "max_blocks": 40, "head_dim": 64}
PACKED_PAGED = PackedPagedAttentionSpec(num_q_heads=8, num_kv_heads=2, **PAGES_OF_MANY)
PACKED_UPDATE = PackedPagedUpdateAttentionSpec(num_q_heads=8, num_kv_heads=2, **PAGES_OF_MANY)
LAYER = DecoderLayerSpec(
    attention=PAGED.replace(batch=1, q_len=1), hidden_size=512, max_positions=64
)
EVERY_MASK = {"window": (5, None), "keep_mask": "bk", "return_lse": True}
EVERY_CHANGE = {"logits_soft_cap": 30.0, "bias": "hqk", "alibi": True, "sinks": True}
PLACED = {"ragged": True, "batch": 2, "alignment": "top_left", "causal": True, "return_lse": True}

SCORES = {"batch": 2, "num_q_heads": 8, "q_len": 40, "kv_len": 48}
PRODUCT = {**SCORES, "num_kv_heads": 2, "head_dim": 64}
HEADS = {"batch": 2, "num_q_heads": 8, "q_len": 40, "head_dim": 64}
QKV = QkvProjectionSpec(**HEADS, num_kv_heads=2, hidden_size=256)
OUTPUT = OutputProjectionSpec(**HEADS, hidden_size=256)
MLP = MlpSpec(batch=2, q_len=20, hidden_size=256, intermediate_size=384)
EMBEDDING = EmbeddingSpec(q_len=20, vocab_size=1000, hidden_size=256)
HEAD = LmHeadSpec(batch=2, q_len=20, hidden_size=256, vocab_size=1000)
CHOICE = GreedyChoiceSpec(batch=2, q_len=1, vocab_size=1000)

ROUNDED = LinearSpec(
    q_len=1,
    in_columns=256,
    out_columns=37,
    weight_format="q4_0",
    activation_format="int8",
)

EXPERTS = MixtureOfExpertsSpec(
    batch=2, q_len=40, hidden_size=64, intermediate_size=64, num_experts=4, experts_per_token=2
)
GROUPED_EXPERTS = EXPERTS.replace(
    io_dtype="f32",
    scores="sigmoid",
    has_choice_bias=True,
    has_bias=True,
    num_groups=2,
    shared_size=20,
    has_shared_gate=True,
    dynamic=("batch", "q_len"),
)

SCAN = SelectiveScanSpec(batch=2, q_tokens=9, channels=64, state_size=4)
ODD_SCAN = SCAN.replace(channels=37, state_size=3, io_dtype="f32", dynamic=("q_tokens",))

DELTA_RULE = GatedDeltaRuleSpec(
    batch=2,
    num_k_heads=2,
    num_v_heads=4,
    q_len=9,
    key_dim=64,
    value_dim=64,
    qk_l2_norm=True,
    ragged=True,
)
DELTA_CHANNELS = GatedDeltaRuleSpec(
    batch=2,
    num_v_heads=2,
    q_len=9,
    key_dim=20,
    value_dim=33,
    gate="channel",
    io_dtype="f32",
    layout="NHD",
    packed=True,
    dynamic=("batch", "q_len"),
)
DELTA_CHUNKS = DELTA_RULE.replace(q_len=40, key_dim=16, value_dim=16)
DELTA_PACKED_CHUNKS = DELTA_CHUNKS.replace(
    q_len=128,
    ragged=False,
    packed=True,
    layout="NHD",
    io_dtype="bf16",
    qk_l2_norm=False,
    dynamic=("batch", "q_len"),
)
UNCORRECTED = {"uncorrected": True, "num_k_heads": 1, "num_v_heads": 2}
UNCORRECTED_RULE = DELTA_RULE.replace(**UNCORRECTED)
UNCORRECTED_CHUNKS = DELTA_CHUNKS.replace(**UNCORRECTED)

EVERY_LENGTH = ("batch", "q_len", "kv_len")
EVERY_PAGED_SIZE = ("batch", "num_blocks", "max_blocks")
EVERY_PACKED_SIZE = ("batch", "q_tokens", "kv_tokens")
EVERY_PACKED_PAGED_SIZE = ("batch", "q_tokens", "num_blocks", "max_blocks")

FUSED = {"target": "gfx1100"}
DIES = {"target": "gfx950"}
PIECES = {"target": "gfx942"}
BLOCKED = {"target": "x86-64-v4"}
AVX2 = {"target": "x86-64-v3"}
# A processor with VNNI, tables of bytes and pairs of bf16, which no named target promises.
ZEN4_FEATURES = ("avx2", "f16c", "fma", "avx512f", "avx512bw", "avx512vl", "avx512vbmi")
ZEN4 = {
    "target": targets.Target(
        "znver4", "local", cpu_features=(*ZEN4_FEATURES, "avx512_vnni", "avx512_bf16")
    )
}
TORCH = {"target": "gfx1100", "dialect": "torch"}

ONE = {"target": "gfx1100"}

# Of which a wave has two tiles.
MANY_ROWS = {"head_dim": 128, "num_q_heads": 32, "q_len": 2048, "kv_len": 2048}

SLOPES, FLAGS = np.zeros(8, np.float16), np.zeros((128, 128), bool)
# Arrays read once for a row, for neighbouring keys and for each key, and all kinds of numbers.
FUNCTIONS = {
    "score_mod": lambda score, batch, head, query, key: (
        np.where(score > 0.5, np.tanh(score), score) + SLOPES[head] * (key - query)
    ),
    "mask_mod": lambda batch, head, query, key: (
        FLAGS[query, key] | FLAGS[key // 3, head] | ~(batch + key % 4 == 0)
    ),
}
# Of blocks, some end past the last key.
LISTED = CAUSAL.replace(
    kv_len=150,
    mask_mod=lambda batch, head, query, key: (query + key) % 5 != 2,
    mask_blocks=(64, 64),
)

CASES = {
    "fused_attention_full": (DENSE, FUSED),
    "fused_attention_causal": (CAUSAL, FUSED),
    "fused_attention_many_rows": (CAUSAL.replace(**MANY_ROWS), FUSED),
    "fused_attention_dies": (CAUSAL, DIES),
    "fused_attention_second_round": (
        CAUSAL.replace(num_q_heads=2, num_kv_heads=2, q_len=600, kv_len=600, head_dim=64),
        {"target": "gfx1103"},
    ),
    "fused_attention_swapped": (CAUSAL.replace(head_dim=128), DIES),
    "fused_attention_pieces": (CAUSAL, PIECES),
    "fused_attention_heads_of_a_group": (OF_GROUPS, PIECES),
    "fused_attention_padded": (ODD, FUSED),
    "fused_attention_padded_causal": (ODD.replace(causal=True), FUSED),
    "fused_attention_decode_f32": (CAUSAL.replace(q_len=1, kv_len=77, io_dtype="f32"), FUSED),
    "fused_attention_one_number": (
        DENSE.replace(
            batch=3, num_q_heads=2, q_len=1, io_dtype="f32", return_lse=True, dynamic=("batch",)
        ),
        FUSED,
    ),
    "fused_attention_masks": (CAUSAL.replace(**EVERY_MASK), FUSED),
    "fused_attention_changes": (ODD.replace(**EVERY_CHANGE, return_lse=True), FUSED),
    "fused_attention_bias_bf16": (CAUSAL.replace(io_dtype="bf16", bias="hqk", head_dim=128), FUSED),
    "fused_attention_alibi": (CAUSAL.replace(alibi=True, head_dim=128), FUSED),
    "fused_attention_ragged": (
        DENSE.replace(**PLACED, sinks=True, logits_soft_cap=30.0),
        FUSED,
    ),
    "fused_attention_split": (CAUSAL.replace(q_len=1, kv_len=512, return_lse=True), FUSED),
    "fused_attention_dynamic": (CAUSAL.replace(dynamic=("q_len", "kv_len")), FUSED),
    "fused_attention_dynamic_changes": (
        ODD.replace(**EVERY_CHANGE, return_lse=True, batch=2, dynamic=("batch", "kv_len")),
        FUSED,
    ),
    "fused_attention_functions": (CAUSAL.replace(**FUNCTIONS), FUSED),
    "fused_attention_tensors_functions": (CAUSAL.replace(**FUNCTIONS, io_dtype="f32"), FUSED),
    "fused_attention_listed": (LISTED, FUSED),
    "fused_attention_listed_nvidia": (LISTED, {"target": "sm_89"}),
    "blocked_attention_functions": (
        ODD.replace(**FUNCTIONS, q_len=65, mask_blocks=(64, 64)),
        BLOCKED,
    ),
    "blocked_attention_dynamic": (
        ODD.replace(**EVERY_CHANGE, return_lse=True, q_len=65, batch=2, dynamic=EVERY_LENGTH),
        BLOCKED,
    ),
    "fused_paged_attention_dynamic": (PAGED.replace(q_len=1, dynamic=EVERY_PAGED_SIZE), FUSED),
    "blocked_paged_attention_dynamic": (PAGED.replace(dynamic=EVERY_PAGED_SIZE), BLOCKED),
    "fused_attention_tokens_first": (CHUNK, FUSED),
    "blocked_attention_tokens_first": (CHUNK, BLOCKED),
    "fused_paged_attention_tokens_first": (PAGED.replace(layout="NHD", head_dim=80), FUSED),
    "blocked_paged_update_attention_tokens_first": (
        UPDATE.replace(layout="NHD", value_dim=32),
        BLOCKED,
    ),
    "blocked_packed_attention_offsets": (PACKED.replace(alignment="offsets"), BLOCKED),
    "fused_packed_attention": (PACKED, FUSED),
    "fused_packed_attention_levels": (
        PACKED.replace(num_q_heads=64, num_kv_heads=8, q_tokens=4096, kv_tokens=4096),
        {"target": "gfx942"},
    ),
    "fused_packed_attention_padded": (
        PACKED.replace(q_tokens=77, head_dim=80, **EVERY_CHANGE),
        FUSED,
    ),
    "fused_packed_attention_given": (
        PACKED.replace(q_tokens=77, **EVERY_CHANGE, keep_mask="q"),
        FUSED,
    ),
    "fused_paged_attention_split": (
        PAGED.replace(q_len=1, max_blocks=64, sinks=True, window=(99, None)),
        FUSED,
    ),
    "fused_paged_attention_masks": (PAGED.replace(**EVERY_MASK, ragged=True), FUSED),
    "fused_paged_attention_changes": (PAGED.replace(**EVERY_CHANGE, max_blocks=1), FUSED),
    "fused_paged_attention_tiled": (PAGED, FUSED),
    "fused_paged_attention_tiled_unit_dims": (PAGED.replace(batch=1, num_q_heads=2), FUSED),
    "fused_paged_attention_padded": (PAGED.replace(q_len=7, head_dim=80, max_blocks=1), FUSED),
    "fused_paged_attention_small_pages": (PAGED.replace(block_size=8), FUSED),
    "fused_paged_attention_decode": (PAGED.replace(q_len=1, io_dtype="bf16"), FUSED),
    "fused_paged_attention_without_tile": (PAGED, {"target": "cpu", "formulation": "fused"}),
    "blocked_attention_full_f32": (DENSE.replace(io_dtype="f32"), BLOCKED),
    "blocked_attention_causal": (CAUSAL.replace(io_dtype="bf16"), BLOCKED),
    "blocked_attention_fp8_tables": (
        DENSE.replace(q_len=1, io_dtype="bf16", cache_dtype="fp8_e4m3", cache_scale="tensor"),
        ZEN4,
    ),
    "blocked_paged_attention_pairs": (
        PAGED.replace(q_len=1, io_dtype="bf16", num_kv_heads=1),
        ZEN4,
    ),
    "blocked_attention_short_kv": (SHORT, BLOCKED),
    "blocked_attention_masks": (CAUSAL.replace(**EVERY_MASK), BLOCKED),
    "blocked_attention_changes": (ODD.replace(**EVERY_CHANGE, return_lse=True), BLOCKED),
    "blocked_attention_ragged": (DENSE.replace(**PLACED), BLOCKED),
    "fused_decoder_layer_decode": (LAYER, FUSED),
    "blocked_decoder_layer_norms": (
        LAYER.replace(q_len=16, qk_norm=True, post_norm=True, qkv_bias=True, output_bias=True),
        BLOCKED,
    ),
    "blocked_decoder_layer_masks": (
        LAYER.replace(bias="hk", keep_mask="qk", io_dtype="f32"),
        BLOCKED,
    ),
    "fused_decoder_layer_whole": (LAYER.replace(intermediate_size=768), FUSED),
    "blocked_decoder_layer_whole_norms": (
        LAYER.replace(q_len=16, intermediate_size=768, mlp_bias=True, post_norm=True),
        BLOCKED,
    ),
    "blocked_decoder_layer_joint_norms": (
        LAYER.replace(q_len=16, qk_norm=True, joint_qk_norm=True, pre_norm=False, post_norm=True),
        BLOCKED,
    ),
    "blocked_decoder_layer_clipped": (LAYER.replace(q_len=16, qkv_clip=8.0), BLOCKED),
    "blocked_decoder_layer_late_norms": (
        LAYER.replace(q_len=16, qk_norm=True, norms_after_rope=True),
        BLOCKED,
    ),
    "blocked_decoder_layer_mlp_norm": (
        LAYER.replace(q_len=16, intermediate_size=768, mlp_post_norm=True),
        BLOCKED,
    ),
    "blocked_decoder_layer_parallel": (
        LAYER.replace(
            q_len=16,
            intermediate_size=768,
            norm_kind="layer",
            norm_bias=True,
            parallel_mlp="shared_norm",
            residual_scale=0.25,
            temperature=0.1,
            temperature_tokens=8192,
        ),
        BLOCKED,
    ),
    "fused_decoder_layer_dynamic": (
        LAYER.replace(batch=2, qk_norm=True, dynamic=EVERY_PAGED_SIZE),
        FUSED,
    ),
    "blocked_decoder_layer_dynamic": (
        LAYER.replace(q_len=130, batch=2, intermediate_size=768, dynamic=("batch", "q_len")),
        BLOCKED,
    ),
    "fused_decoder_layer_packed": (
        LAYER.replace(attention=PACKED_PAGED.replace(dynamic=("batch", "q_tokens"))),
        {**AVX2, "formulation": "fused"},
    ),
    "mlp_dynamic": (MLP.replace(dynamic=("batch",), has_bias=True), ONE),
    "lm_head_dynamic": (HEAD.replace(dynamic=("batch", "q_len")), ONE),
    "output_projection_dynamic": (OUTPUT.replace(dynamic=("batch",)), BLOCKED),
    "qkv_projection_dynamic": (QKV.replace(batch=1, dynamic=("q_len",)), ONE),
    "rope_interleaved_dynamic": (
        ROPE.replace(batch=2, rope_style="interleaved", dynamic=("batch", "q_len")),
        FUSED,
    ),
    "blocked_embedding_dynamic": (
        EMBEDDING.replace(scale=16.0, hidden_size=33, dynamic=("q_len",)),
        BLOCKED,
    ),
    "embedding_dynamic": (EMBEDDING.replace(dynamic=("q_len",)), ONE),
    "mlp": (MLP, ONE),
    "mlp_bias_f32": (MLP.replace(has_bias=True, io_dtype="f32", activation="relu"), ONE),
    "mlp_plain_bias": (MLP.replace(gated=False, has_bias=True, activation="gelu"), ONE),
    "mlp_tiled": (MLP.replace(q_len=32, activation="gelu_tanh"), ONE),
    "embedding": (EMBEDDING, ONE),
    "embedding_scaled": (EMBEDDING.replace(scale=16.0), ONE),
    "embedding_scaled_f32": (EMBEDDING.replace(scale=16.0, io_dtype="f32"), ONE),
    "linear": (catalog.get("linear_tiny"), ONE),
    "linear_panels": (ROUNDED.replace(q_len=6), ZEN4),
    "linear_exact_panels": (
        ROUNDED.replace(activation_format=None, io_dtype="bf16", q_len=2, dynamic=("q_len",)),
        ZEN4,
    ),
    "linear_single_token": (ROUNDED.replace(weight_format="q4_k"), ZEN4),
    "linear_shared_words": (ROUNDED.replace(weight_format="q4_0"), ZEN4),
    "head_projection": (catalog.get("head_projection_tiny"), ONE),
    "head_projection_deep": (
        catalog.get("head_projection_tiny").replace(
            q_len=1, batch=9, out_columns=64, dynamic=("batch",)
        ),
        BLOCKED,
    ),
    "latent_projection": (catalog.get("latent_projection_tiny"), ONE),
    "blocked_decoder_layer_latent": (catalog.get("packed_latent_layer_tiny"), BLOCKED),
    "lm_head": (HEAD, ONE),
    "lm_head_soft_cap_f32": (HEAD.replace(logits_soft_cap=30.0, io_dtype="f32"), ONE),
    "lm_head_tiled": (HEAD.replace(q_len=32, vocab_size=1024), ONE),
    "greedy_choice_f32": (CHOICE.replace(io_dtype="f32"), ONE),
    "greedy_choice_dynamic": (CHOICE.replace(dynamic=("batch",)), ONE),
    "attention_backward": (
        catalog.get("attention_backward_tiny").replace(
            head_dim=136,
            io_dtype="bf16",
            bias="hk",
            keep_mask="bk",
            sinks=True,
            alibi=True,
            logits_soft_cap=2.0,
            **FUNCTIONS,
        ),
        FUSED,
    ),
    "drawn_choice": (DrawnChoiceSpec(batch=2, q_len=1, vocab_size=1000), FUSED),
    "blocked_drawn_choice_dynamic": (catalog.get("drawn_choice_f16_tiny"), AVX2),
    "fused_attention_tensors_dropout": (
        catalog.get("gqa_causal_tiny").replace(io_dtype="f32", dropout_p=0.25),
        FUSED,
    ),
    "attention_backward_lanes": (
        catalog.get("attention_backward_bf16_tiny").replace(
            **{"head_dim": 64, "logits_soft_cap": 2.0, "alibi": True, "keep_mask": "bq"},
            **{"bias": "hqk", "q_len": 260, "window": None},
        ),
        FUSED,
    ),
    "attention_backward_lanes_nvidia": (
        catalog.get("attention_backward_tiny").replace(head_dim=64, io_dtype="f16", sinks=True),
        {"target": "sm_89"},
    ),
    "packed_attention_backward": (
        catalog.get("packed_backward_tiny").replace(
            **{"window": (20, None), "keep_mask": "hqk", "dynamic": ("q_tokens", "kv_tokens")},
            **FUNCTIONS,
        ),
        {"target": "gfx942"},
    ),
    "packed_attention_backward_cpu": (
        catalog.get("packed_backward_tiny").replace(keep_mask="q", **FUNCTIONS),
        AVX2,
    ),
    "packed_attention_backward_chosen": (
        catalog.get("packed_backward_tiny").replace(dynamic=("q_tokens", "kv_tokens")),
        AVX2,
    ),
    "attention_backward_cpu": (
        catalog.get("attention_backward_bf16_tiny").replace(
            keep_mask="bk", alibi=True, logits_soft_cap=2.0
        ),
        AVX2,
    ),
    "gated_delta_rule": (DELTA_RULE, FUSED),
    "gated_delta_rule_packed_channels": (DELTA_CHANNELS, FUSED),
    "gated_delta_rule_chunks": (DELTA_CHUNKS, FUSED),
    "gated_delta_rule_packed_chunks": (DELTA_PACKED_CHUNKS, {"target": "gfx942"}),
    "gated_delta_rule_uncorrected": (UNCORRECTED_RULE, FUSED),
    "gated_delta_rule_uncorrected_chunks": (UNCORRECTED_CHUNKS, FUSED),
    "gated_delta_rule_cpu": (DELTA_RULE, BLOCKED),
    "gated_delta_rule_cpu_packed_channels": (DELTA_CHANNELS, AVX2),
    "gated_delta_rule_cpu_uncorrected": (UNCORRECTED_RULE, BLOCKED),
    "selective_scan": (SCAN, FUSED),
    "selective_scan_odd": (ODD_SCAN, {"target": "gfx942"}),
    "selective_scan_cpu": (SCAN, BLOCKED),
    "selective_scan_cpu_odd": (ODD_SCAN, AVX2),
    "gated_rms_norm": (catalog.get("gated_rms_norm_base"), ONE),
    "l2_norm": (catalog.get("l2_norm_base"), ONE),
    "short_convolution": (catalog.get("short_convolution_tiny"), ONE),
    "short_convolution_packed": (
        catalog.get("short_convolution_tiny").replace(ragged=False, packed=True),
        ONE,
    ),
    "short_convolution_dynamic": (
        catalog.get("short_convolution_base").replace(
            use_bias=True, silu=False, dynamic=("batch", "q_len")
        ),
        ONE,
    ),
    "mixture_of_experts": (EXPERTS, FUSED),
    "mixture_of_experts_gathered": (EXPERTS.replace(hidden_size=33), FUSED),
    "mixture_of_experts_preferred": (EXPERTS.replace(has_choice_bias=True), FUSED),
    "mixture_of_experts_mixed": (EXPERTS.replace(scores="sparse_mixer", jitter=0.01), FUSED),
    "mixture_of_experts_biased_logits": (
        EXPERTS.replace(scores="sigmoid", has_choice_bias=True, biases_logits=True),
        FUSED,
    ),
    "mixture_of_experts_grouped": (GROUPED_EXPERTS, FUSED),
    "mixture_of_experts_cpu": (EXPERTS.replace(batch=1, q_len=1), BLOCKED),
    "mixture_of_experts_cpu_grouped": (GROUPED_EXPERTS, AVX2),
    "block_mask": (catalog.get("block_mask_tiny"), ONE),
    "page_slots": (catalog.get("page_slots_tiny"), ONE),
    "page_slots_read_dynamic": (
        catalog.get("page_slots_base").replace(writes=False, blocks_per_page=2),
        ONE,
    ),
    "layer_norm": (LayerNormSpec(rows=3, columns=64), FUSED),
    "layer_norm_dynamic": (
        LayerNormSpec(rows=3, columns=64, has_bias=False, offset=1.0, dynamic=("rows",)),
        FUSED,
    ),
    "split_streams": (catalog.get("split_streams_tiny"), ONE),
    "join_streams_dynamic": (catalog.get("join_streams_tiny").replace(dynamic=("rows",)), ONE),
    "stream_coefficients": (catalog.get("stream_coefficients_tiny"), ONE),
    "mlp_sparse": (MLP.replace(sparsity=0.95), ONE),
    "mlp_xielu": (MLP.replace(activation="xielu", gated=False, has_bias=True), ONE),
    "blocked_decoder_layer_streams": (
        LAYER.replace(
            **{"intermediate_size": 192, "post_norm": True, "sparsity": 0.95, "laurel_rank": 8},
            **{"streams": {"num_streams": 4}, "shares_kv": True},
            layer_input={"width": 16, "vocab_size": 30, "known_tokens": 32},
        ),
        BLOCKED,
    ),
    "lm_head_scaled": (HEAD.replace(scale=0.25, logits_soft_cap=30.0), ONE),
    "rms_norm": (RmsNormSpec(rows=3, columns=64, offset=1.0), FUSED),
    "blocked_packed_attention": (PACKED.replace(**{**EVERY_MASK, "keep_mask": "k"}), BLOCKED),
    "blocked_packed_attention_dynamic": (PACKED.replace(dynamic=EVERY_PACKED_SIZE), BLOCKED),
    "fused_packed_paged_attention": (PACKED_PAGED, FUSED),
    "fused_packed_paged_attention_drafts": (
        PACKED_PAGED.replace(few_queries=16, return_lse=True),
        {"target": "sm_89"},
    ),
    "blocked_packed_paged_attention_dynamic": (
        PACKED_PAGED.replace(dynamic=EVERY_PACKED_PAGED_SIZE, window=(9, None), sinks=True),
        BLOCKED,
    ),
    "blocked_packed_paged_attention_wide": (
        PACKED_PAGED.replace(num_q_heads=64, return_lse=True, bias="hqk", alignment="offsets"),
        BLOCKED,
    ),
    "blocked_packed_paged_update_attention_tokens_first": (
        PACKED_UPDATE.replace(io_dtype="bf16", layout="NHD", num_kv_heads=8),
        BLOCKED,
    ),
    "blocked_paged_attention_changes": (PAGED.replace(**EVERY_CHANGE), BLOCKED),
    "blocked_paged_attention_prefill": (PAGED.replace(q_len=65), BLOCKED),
    "blocked_paged_attention_decode_f32": (PAGED.replace(q_len=1, io_dtype="f32"), BLOCKED),
    "cache_write": (WRITE, FUSED),
    "cache_write_joint": (WRITE.replace(joint_cache=True), FUSED),
    "cache_write_joint_tokens_first": (WRITE.replace(joint_cache=True, layout="NHD"), FUSED),
    "blocked_cache_write_joint": (WRITE.replace(joint_cache=True), BLOCKED),
    "cache_write_dynamic": (WRITE.replace(dynamic=("num_tokens", "num_blocks")), FUSED),
    "cache_append": (APPEND, FUSED),
    "blocked_cache_write_dynamic": (
        WRITE.replace(dynamic=("num_tokens", "num_blocks")),
        BLOCKED,
    ),
    "blocked_cache_append": (APPEND, BLOCKED),
    "fused_paged_update_attention_decode": (UPDATE.replace(q_len=1), FUSED),
    "fused_paged_update_attention_ragged": (UPDATE.replace(ragged=True, return_lse=True), FUSED),
    "blocked_paged_update_attention_prefill": (UPDATE.replace(q_len=65), BLOCKED),
    "torch_attention_full": (DENSE, TORCH),
    "torch_attention_causal": (CAUSAL, TORCH),
    "torch_attention_causal_offset": (DENSE.replace(causal=True), TORCH),
    "torch_attention_short_kv": (SHORT, TORCH),
    "torch_attention_top_left": (DENSE.replace(causal=True, alignment="top_left"), TORCH),
    "torch_attention_keep_mask": (DENSE.replace(causal=True, keep_mask="bk"), TORCH),
    "torch_attention_bias": (DENSE.replace(bias="hqk"), TORCH),
    "torch_attention_bias_and_masks": (CAUSAL.replace(bias="hqk", keep_mask="bk"), TORCH),
    "rope_rotate_half": (ROPE, FUSED),
    "rope_rotate_half_tables_dynamic": (ROPE.replace(dynamic=("q_len",)), BLOCKED),
    "rope_interleaved_tables": (ROPE.replace(rope_style="interleaved", rotary_dim=16), BLOCKED),
    "rope_rotate_half_partial": (ROPE.replace(rotary_dim=16, scaling=YARN), FUSED),
    "rope_rotate_half_padded": (ROPE.replace(rotary_dim=48, given_tables=True), FUSED),
    "rope_interleaved_f32": (ROPE.replace(rope_style="interleaved", io_dtype="f32"), FUSED),
    "rope_interleaved_partial": (
        ROPE.replace(rope_style="interleaved", rotary_dim=16, given_tables=True),
        FUSED,
    ),
    "position_embedding_f32": (POSITION.replace(io_dtype="f32"), FUSED),
    "position_embedding_offset": (POSITION.replace(offset=2), FUSED),
    "block_position_embedding": (BLOCK_POSITION, FUSED),
    "block_position_embedding_f32": (BLOCK_POSITION.replace(io_dtype="f32"), FUSED),
    "merge_states": (MergeStatesSpec(**HEADS), ONE),
    "merge_states_f32": (MergeStatesSpec(**HEADS, io_dtype="f32"), ONE),
    "attention_scores": (AttentionScoresSpec(**PRODUCT), ONE),
    "scale_scores": (ScaleScoresSpec(**SCORES, softmax_scale=0.125), ONE),
    "causal_mask": (CausalMaskSpec(**SCORES), ONE),
    "causal_mask_top_left": (CausalMaskSpec(**SCORES, alignment="top_left"), ONE),
    "softmax": (SoftmaxSpec(**SCORES), ONE),
    "soft_cap_scores": (SoftCapScoresSpec(**SCORES, logits_soft_cap=30.0), ONE),
    "bias_scores": (BiasScoresSpec(**SCORES, bias="hk"), ONE),
    "bias_scores_f32": (BiasScoresSpec(**SCORES, bias="bhqk", io_dtype="f32"), ONE),
    "alibi_scores": (AlibiScoresSpec(**SCORES), ONE),
    "window_mask": (WindowMaskSpec(**SCORES, window=(7, None)), ONE),
    "mask_scores": (MaskScoresSpec(**SCORES, keep_mask="bk"), ONE),
    "softmax_with_sinks": (SoftmaxWithSinksSpec(**SCORES), ONE),
    "weighted_values": (WeightedValuesSpec(**PRODUCT), ONE),
    "weighted_values_f32": (WeightedValuesSpec(**PRODUCT, io_dtype="f32"), ONE),
    "replicate_kv": (
        ReplicateKvSpec(num_q_heads=8, num_kv_heads=2, kv_len=48, head_dim=64),
        ONE,
    ),
    "qkv_projection": (QKV, ONE),
    "qkv_projection_bias": (QKV.replace(has_bias=True), ONE),
    "qkv_projection_bias_f32": (QKV.replace(has_bias=True, io_dtype="f32"), ONE),
    "qkv_projection_tiled": (
        QKV.replace(batch=1, q_len=64, head_dim=128, io_dtype="bf16", has_bias=True),
        ONE,
    ),
    "output_projection_tiled": (OUTPUT.replace(batch=1, q_len=64), ONE),
    "weighted_values_tiled": (
        WeightedValuesSpec(**{**PRODUCT, "q_len": 32, "kv_len": 64, "head_dim": 128}),
        ONE,
    ),
    "output_projection_f32": (OUTPUT.replace(io_dtype="f32"), ONE),
    "output_projection_bias": (OUTPUT.replace(has_bias=True), ONE),
    "qkv_projection_depth": (QKV.replace(has_bias=True, dynamic=("batch",)), BLOCKED),
    "output_projection_depth": (OUTPUT.replace(q_len=1, io_dtype="f32"), BLOCKED),
    "output_projection_many": (OUTPUT.replace(q_len=33, head_dim=512, io_dtype="f32"), AVX2),
    "mlp_depth": (MLP.replace(io_dtype="bf16"), BLOCKED),
    "lm_head_depth": (HEAD.replace(q_len=3), AVX2),
}


def rendered(case):
    spec, how = CASES[case]
    how = dict(how)
    target = how.pop("target")
    target = targets.get(target) if isinstance(target, str) else target
    return render(GraphRequest(spec, target, **how))


@pytest.mark.parametrize("case", CASES)
def test_golden(case, update_golden):
    path = GOLDENS / f"{case}.mlir"
    text = rendered(case)
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing; write it with pytest --update-golden"
    assert text == path.read_text(encoding="utf-8"), "differs; see pytest --update-golden"


@pytest.mark.parametrize("case", CASES)
def test_iree_parses_and_verifies(case):
    """The golden, which is what is rendered."""
    verify_mlir((GOLDENS / f"{case}.mlir").read_text(encoding="utf-8"))


def test_malformed_text_does_not_verify():
    with pytest.raises(DiagnosticsError):
        verify_mlir(rendered("fused_attention_masks").replace("f32, f32, !acc", "f32, !acc", 1))


def test_no_golden_without_a_case():
    assert {path.stem for path in GOLDENS.glob("*.mlir")} == set(CASES)


# All of the catalogue; that of tiny entries in the inner loop, too.
ENTRIES = [
    pytest.param(name, marks=[] if name.endswith("_tiny") else pytest.mark.slow)
    for name in catalog.names()
]


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("target", ["gfx1100", "gfx942", "cpu"])
def test_the_catalogue_renders_and_verifies(name, target):
    verify_mlir(render(GraphRequest(catalog.get(name), targets.get(target))))


@pytest.mark.parametrize(
    ("spec", "target"),
    [
        (CAUSAL.replace(io_dtype="f32"), "gfx1100"),
        (LAYER.replace(io_dtype="bf16"), "x86-64-v4"),
        # The last line of a macro calls one that says nothing.
        (catalog.get("block_mask_tiny"), "gfx942"),
        # A macro's end takes the end of its line with it, before a comment.
        (catalog.get("gated_delta_rule_decode_tiny"), "cpu"),
    ],
)
def test_lines_are_traced_to_their_template(spec, target):
    """Each line has what its template's line begins with, up to the first tag."""
    request = GraphRequest(spec, targets.get(target))
    lines, origins = render(request).splitlines(), template_origins(request)
    assert len(lines) == len(origins)
    templates = {
        path: (ROOT / "templates" / path).read_text().splitlines()
        for path in {origin.partition(":")[0] for origin in origins if origin}
    }
    wrong = []
    for line, origin in zip(lines, origins, strict=True):
        if line.strip():
            path, _, number = str(origin).partition(":")
            said = templates[path][int(number) - 1].strip()
            said = re.split(r"\{[{%]", said)[0].strip()
            # Aliases of parts have these' names before their own.
            if said not in re.sub(r"(?<=[!#])\w+?__", "", line):
                wrong.append((line, origin, said))
    assert not wrong
    assert template_origin(request, len(lines) + 1) is None


def test_parts_of_drafts_are_alike_on_nvidia():
    """Two of the 2,112 keys of each of 8 sequences make the workgroups: 1,088 and 1,024."""
    spec = PackedPagedAttentionSpec(
        num_q_heads=32, num_kv_heads=8, head_dim=128, io_dtype="f16", batch=8, q_tokens=512,
        block_size=16, num_blocks=1056, max_blocks=132, few_queries=64,
    )  # fmt: skip
    text = render(GraphRequest(spec, targets.get("sm_89")))
    assert "tensor<8x2x2048xf32>" in text
    assert "-> (n ceildiv 128 * 64, 64)>(%context_len)" in text
    # Waves of decodes share a part in whole steps.
    text = render(GraphRequest(spec.replace(few_queries=None), targets.get("sm_89")))
    assert "%part_keys = arith.constant 256 : index" in text


def test_what_cannot_be_said_is_refused():
    with pytest.raises(RenderError, match="torch has no word for paged_attention"):
        render(GraphRequest(PAGED, targets.get("gfx1100"), dialect="torch"))
    with pytest.raises(RenderError, match="window: torch's scaled_dot_product_attention has no w"):
        render(
            GraphRequest(CAUSAL.replace(window=(5, None)), targets.get("gfx1100"), dialect="torch")
        )
    with pytest.raises(RenderError, match="formulation: expected fused or blocked, got 'eager'"):
        render(GraphRequest(DENSE, targets.get("gfx1100"), formulation="eager"))
    with pytest.raises(RenderError, match="dialect: expected linalg or torch, got 'tosa'"):
        render(GraphRequest(DENSE, targets.get("gfx1100"), dialect="tosa"))


def test_a_part_has_aliases_of_its_own():
    text = (
        "!query = tensor<4xf16>\n"
        "#rows = affine_map<(m) -> (m)>\n"
        "!inner__query = tensor<2xf16>\n"
        "%y = f(%x#1) {maps = [#rows, #inner__rows]} : !query, tensor<4x!item>, !torch.int, "
        "#iree_gpu.pipeline<TileAndFuse>, !llvm.ptr<3>\n"
    )
    assert with_own_aliases(text, "rope") == (
        "!rope__query = tensor<4xf16>\n"
        "#rope__rows = affine_map<(m) -> (m)>\n"
        "!inner__query = tensor<2xf16>\n"
        "%y = f(%x#1) {maps = [#rope__rows, #inner__rows]} : !rope__query, tensor<4x!item>, "
        "!torch.int, #iree_gpu.pipeline<TileAndFuse>, !llvm.ptr<3>\n"
    )


@pytest.mark.parametrize("name", ["gqa_decode_base", "mha_full_base"])
def test_lines_are_traced_where_templates_have_comments_and_loops(name):
    request = GraphRequest(catalog.get(name), targets.get("gfx1100"))
    lines = render(request).splitlines()
    assert template_origin(request, len(lines)) is not None
    assert template_origin(request, len(lines) + 1) is None


@pytest.mark.slow
@pytest.mark.parametrize("target", ["cpu", "gfx1100"])
@pytest.mark.parametrize("name", catalog.names(["tiny"]))
def test_every_template_can_be_traced(name, target):
    request = GraphRequest(catalog.get(name), targets.get(target))
    lines, origins = render(request).splitlines(), template_origins(request)
    assert len(lines) == len(origins)
    assert all(origin for line, origin in zip(lines, origins, strict=True) if line.strip())
