"""What every spec means, in float64 NumPy. Knows nothing of templates."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irattn.reference.attention import attention
from irattn.reference.block_position_embedding import block_position_embedding
from irattn.reference.cache_append import cache_append
from irattn.reference.cache_write import cache_write
from irattn.reference.decoder_layer import decoder_layer
from irattn.reference.feature_stages import (
    alibi_scores,
    bias_scores,
    mask_scores,
    soft_cap_scores,
    softmax_with_sinks,
    window_mask,
)
from irattn.reference.merge_states import merge_states
from irattn.reference.packed_attention import packed_attention
from irattn.reference.paged_attention import paged_attention
from irattn.reference.paged_update_attention import paged_update_attention
from irattn.reference.position_embedding import position_embedding
from irattn.reference.projections import output_projection, qkv_projection
from irattn.reference.rms_norm import rms_norm
from irattn.reference.rope import rope
from irattn.reference.stages import (
    attention_scores,
    causal_mask,
    replicate_kv,
    scale_scores,
    softmax,
    weighted_values,
)
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

__all__ = ["reference"]

_MEANINGS: dict[str, Callable[[Any, Mapping[str, np.ndarray]], tuple[np.ndarray, ...]]] = {
    AttentionSpec.op: attention,
    PackedAttentionSpec.op: packed_attention,
    PagedAttentionSpec.op: paged_attention,
    RopeSpec.op: rope,
    RmsNormSpec.op: rms_norm,
    DecoderLayerSpec.op: decoder_layer,
    PositionEmbeddingSpec.op: position_embedding,
    BlockPositionEmbeddingSpec.op: block_position_embedding,
    CacheAppendSpec.op: cache_append,
    CacheWriteSpec.op: cache_write,
    PagedUpdateAttentionSpec.op: paged_update_attention,
    MergeStatesSpec.op: merge_states,
    AttentionScoresSpec.op: attention_scores,
    ScaleScoresSpec.op: scale_scores,
    SoftCapScoresSpec.op: soft_cap_scores,
    BiasScoresSpec.op: bias_scores,
    AlibiScoresSpec.op: alibi_scores,
    CausalMaskSpec.op: causal_mask,
    WindowMaskSpec.op: window_mask,
    MaskScoresSpec.op: mask_scores,
    SoftmaxSpec.op: softmax,
    SoftmaxWithSinksSpec.op: softmax_with_sinks,
    WeightedValuesSpec.op: weighted_values,
    ReplicateKvSpec.op: replicate_kv,
    QkvProjectionSpec.op: qkv_projection,
    OutputProjectionSpec.op: output_projection,
}


def reference(spec: Spec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The float64 outputs of a spec, in its order, for the tensors that it lists."""
    return _MEANINGS[spec.op](spec.of_call(tensors), tensors)
