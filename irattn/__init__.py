"""irattn: attention kernels for AMD GPUs, generated, compiled, verified and shipped from Python.

Importing it is light: the compiler, the runtime and the template engine load on first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irattn.api import bundle, compare, compile, load, render, run_stages, verify
    from irattn.artifact import Artifact
    from irattn.bundles import Bundle
    from irattn.comparison import Comparison
    from irattn.errors import IrattnError
    from irattn.models import specs_from_config
    from irattn.runtime import Kernel, Selection
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

_HOMES = {
    "Artifact": "irattn.artifact",
    "AlibiScoresSpec": "irattn.specs",
    "BiasScoresSpec": "irattn.specs",
    "MaskScoresSpec": "irattn.specs",
    "SoftCapScoresSpec": "irattn.specs",
    "SoftmaxWithSinksSpec": "irattn.specs",
    "WindowMaskSpec": "irattn.specs",
    "AttentionScoresSpec": "irattn.specs",
    "AttentionSpec": "irattn.specs",
    "BlockPositionEmbeddingSpec": "irattn.specs",
    "Bundle": "irattn.bundles",
    "CacheAppendSpec": "irattn.specs",
    "CacheWriteSpec": "irattn.specs",
    "CausalMaskSpec": "irattn.specs",
    "Comparison": "irattn.comparison",
    "IrattnError": "irattn.errors",
    "Kernel": "irattn.runtime",
    "MergeStatesSpec": "irattn.specs",
    "RmsNormSpec": "irattn.specs",
    "DecoderLayerSpec": "irattn.specs",
    "OutputProjectionSpec": "irattn.specs",
    "PackedAttentionSpec": "irattn.specs",
    "PagedAttentionSpec": "irattn.specs",
    "PagedUpdateAttentionSpec": "irattn.specs",
    "PositionEmbeddingSpec": "irattn.specs",
    "QkvProjectionSpec": "irattn.specs",
    "ReplicateKvSpec": "irattn.specs",
    "RopeSpec": "irattn.specs",
    "ScaleScoresSpec": "irattn.specs",
    "Selection": "irattn.runtime",
    "SoftmaxSpec": "irattn.specs",
    "Spec": "irattn.specs",
    "WeightedValuesSpec": "irattn.specs",
    "bundle": "irattn.api",
    "compare": "irattn.api",
    "compile": "irattn.api",
    "load": "irattn.api",
    "render": "irattn.api",
    "run_stages": "irattn.api",
    "specs_from_config": "irattn.models",
    "verify": "irattn.api",
}

__all__ = [
    "AlibiScoresSpec",
    "Artifact",
    "AttentionScoresSpec",
    "AttentionSpec",
    "BiasScoresSpec",
    "BlockPositionEmbeddingSpec",
    "Bundle",
    "CacheAppendSpec",
    "CacheWriteSpec",
    "CausalMaskSpec",
    "Comparison",
    "DecoderLayerSpec",
    "IrattnError",
    "Kernel",
    "MaskScoresSpec",
    "MergeStatesSpec",
    "OutputProjectionSpec",
    "PackedAttentionSpec",
    "PagedAttentionSpec",
    "PagedUpdateAttentionSpec",
    "PositionEmbeddingSpec",
    "QkvProjectionSpec",
    "ReplicateKvSpec",
    "RmsNormSpec",
    "RopeSpec",
    "ScaleScoresSpec",
    "Selection",
    "SoftCapScoresSpec",
    "SoftmaxSpec",
    "SoftmaxWithSinksSpec",
    "Spec",
    "WeightedValuesSpec",
    "WindowMaskSpec",
    "bundle",
    "compare",
    "compile",
    "load",
    "render",
    "run_stages",
    "specs_from_config",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'irattn' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
