"""The fused graph of contiguous keys and values."""

from dataclasses import dataclass

from irattn.rendering.fused.plan import Fused
from irattn.specs.attention import AttentionSpec


@dataclass(frozen=True)
class FusedAttention(Fused):
    """Rows of queries and of keys are numbered by batch, head and token."""

    spec: AttentionSpec
