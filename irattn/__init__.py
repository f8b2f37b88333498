"""irattn: attention kernels for AMD GPUs, generated, compiled, verified and shipped from Python.

Importing it is light: the compiler, the runtime and the template engine load on first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irattn.api import compile, load, render, verify
    from irattn.artifact import Artifact
    from irattn.errors import IrattnError
    from irattn.models import specs_from_config
    from irattn.runtime import Kernel
    from irattn.specs import (
        AttentionSpec,
        BlockPositionEmbeddingSpec,
        CacheAppendSpec,
        CacheWriteSpec,
        PackedAttentionSpec,
        PagedAttentionSpec,
        PagedUpdateAttentionSpec,
        PositionEmbeddingSpec,
        RopeSpec,
        Spec,
    )

_HOMES = {
    "Artifact": "irattn.artifact",
    "AttentionSpec": "irattn.specs",
    "BlockPositionEmbeddingSpec": "irattn.specs",
    "CacheAppendSpec": "irattn.specs",
    "CacheWriteSpec": "irattn.specs",
    "IrattnError": "irattn.errors",
    "Kernel": "irattn.runtime",
    "PackedAttentionSpec": "irattn.specs",
    "PagedAttentionSpec": "irattn.specs",
    "PositionEmbeddingSpec": "irattn.specs",
    "RopeSpec": "irattn.specs",
    "PagedUpdateAttentionSpec": "irattn.specs",
    "Spec": "irattn.specs",
    "compile": "irattn.api",
    "load": "irattn.api",
    "render": "irattn.api",
    "specs_from_config": "irattn.models",
    "verify": "irattn.api",
}

__all__ = [
    "Artifact",
    "AttentionSpec",
    "BlockPositionEmbeddingSpec",
    "CacheAppendSpec",
    "CacheWriteSpec",
    "IrattnError",
    "Kernel",
    "PackedAttentionSpec",
    "PagedAttentionSpec",
    "PagedUpdateAttentionSpec",
    "PositionEmbeddingSpec",
    "RopeSpec",
    "Spec",
    "compile",
    "load",
    "render",
    "specs_from_config",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'irattn' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
