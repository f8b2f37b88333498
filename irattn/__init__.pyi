"""The public names, for editors and type checkers: `__init__.py` loads each on first use.

`python3 tools/stub.py` writes this file.
"""

from irattn.api.figures import bench, tune
from irattn.api.kernels import bundle, compile, load, render, run_stages, verify
from irattn.api.proofs import certify, check_certificate, compare
from irattn.compiling.artifact import Artifact
from irattn.compiling.bundles import Bundle
from irattn.core.errors import IrattnError
from irattn.functional import (
    BlockMask,
    apply_rope,
    attention,
    block_mask,
    cascade_attention,
    gated_delta_rule,
    packed_paged_attention,
    paged_attention,
    short_convolution,
    sparse_paged_attention,
    tree_attention,
)
from irattn.generation import Generator
from irattn.kvcache import BlockAllocator, PagedCache, PageTable
from irattn.lab.certificates import Certificate
from irattn.lab.comparison import Comparison
from irattn.models import specs_from_config
from irattn.runtime import (
    DeviceArray,
    Kernel,
    Provider,
    Selection,
    Transfers,
    register_provider,
    transfers,
)
from irattn.runtime.kernel_cache import KernelCache
from irattn.specs import masks
from irattn.specs.attention import AttentionSpec
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.base import Spec
from irattn.specs.block_mask import BlockMaskSpec
from irattn.specs.block_position_embedding import BlockPositionEmbeddingSpec
from irattn.specs.cache_append import CacheAppendSpec
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.delta_layer import DeltaLayerSpec
from irattn.specs.drawn_choice import DrawnChoiceSpec
from irattn.specs.embedding import EmbeddingSpec
from irattn.specs.feature_stages import (
    AlibiScoresSpec,
    BiasScoresSpec,
    MaskScoresSpec,
    SoftCapScoresSpec,
    SoftmaxWithSinksSpec,
    WindowMaskSpec,
)
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.gated_rms_norm import GatedRmsNormSpec
from irattn.specs.greedy_choice import GreedyChoiceSpec
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.join_streams import JoinStreamsSpec
from irattn.specs.l2_norm import L2NormSpec
from irattn.specs.latent_projection import LatentProjectionSpec
from irattn.specs.layer_norm import LayerNormSpec
from irattn.specs.lightning_layer import LightningLayerSpec
from irattn.specs.linear import LinearSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.merge_states import MergeStatesSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.page_slots import PageSlotsSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.specs.position_embedding import PositionEmbeddingSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope import RopeSpec
from irattn.specs.selective_scan import SelectiveScanSpec
from irattn.specs.selective_scan_layer import SelectiveScanLayerSpec
from irattn.specs.short_convolution import ShortConvolutionSpec
from irattn.specs.split_streams import SplitStreamsSpec
from irattn.specs.stages import (
    AttentionScoresSpec,
    CausalMaskSpec,
    ReplicateKvSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    WeightedValuesSpec,
)
from irattn.specs.state_space_layer import StateSpaceLayerSpec
from irattn.specs.stream_coefficients import StreamCoefficientsSpec

__version__: str

__all__ = [
    "AlibiScoresSpec",
    "Artifact",
    "AttentionBackwardSpec",
    "AttentionScoresSpec",
    "AttentionSpec",
    "BiasScoresSpec",
    "BlockAllocator",
    "BlockMask",
    "BlockMaskSpec",
    "BlockPositionEmbeddingSpec",
    "Bundle",
    "CacheAppendSpec",
    "CacheWriteSpec",
    "CausalMaskSpec",
    "Certificate",
    "Comparison",
    "ConvolutionLayerSpec",
    "DecoderLayerSpec",
    "DeltaLayerSpec",
    "DeviceArray",
    "DrawnChoiceSpec",
    "EmbeddingSpec",
    "GatedDeltaRuleSpec",
    "GatedRmsNormSpec",
    "Generator",
    "GreedyChoiceSpec",
    "HeadProjectionSpec",
    "IrattnError",
    "JoinStreamsSpec",
    "Kernel",
    "KernelCache",
    "L2NormSpec",
    "LatentProjectionSpec",
    "LayerNormSpec",
    "LightningLayerSpec",
    "LinearSpec",
    "LmHeadSpec",
    "MaskScoresSpec",
    "MergeStatesSpec",
    "MixtureOfExpertsSpec",
    "MlpSpec",
    "OutputProjectionSpec",
    "PackedAttentionBackwardSpec",
    "PackedAttentionSpec",
    "PackedPagedAttentionSpec",
    "PackedPagedUpdateAttentionSpec",
    "PageSlotsSpec",
    "PageTable",
    "PagedAttentionSpec",
    "PagedCache",
    "PagedUpdateAttentionSpec",
    "PositionEmbeddingSpec",
    "Provider",
    "QkvProjectionSpec",
    "ReplicateKvSpec",
    "RmsNormSpec",
    "RopeSpec",
    "ScaleScoresSpec",
    "Selection",
    "SelectiveScanLayerSpec",
    "SelectiveScanSpec",
    "ShortConvolutionSpec",
    "SoftCapScoresSpec",
    "SoftmaxSpec",
    "SoftmaxWithSinksSpec",
    "Spec",
    "SplitStreamsSpec",
    "StateSpaceLayerSpec",
    "StreamCoefficientsSpec",
    "Transfers",
    "WeightedValuesSpec",
    "WindowMaskSpec",
    "apply_rope",
    "attention",
    "bench",
    "block_mask",
    "bundle",
    "cascade_attention",
    "certify",
    "check_certificate",
    "compare",
    "compile",
    "gated_delta_rule",
    "load",
    "masks",
    "packed_paged_attention",
    "paged_attention",
    "register_provider",
    "render",
    "run_stages",
    "short_convolution",
    "sparse_paged_attention",
    "specs_from_config",
    "transfers",
    "tree_attention",
    "tune",
    "verify",
]
