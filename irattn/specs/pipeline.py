"""Attention as a pipeline: the specs of its stages, in the order in which they run."""

from collections.abc import Iterator
from typing import Any

from irattn.core.errors import UsageError, shown
from irattn.specs.attention import AttentionSpec
from irattn.specs.base import Spec
from irattn.specs.feature_stages import (
    AlibiScoresSpec,
    BiasScoresSpec,
    MaskScoresSpec,
    SoftCapScoresSpec,
    SoftmaxWithSinksSpec,
    WindowMaskSpec,
)
from irattn.specs.logits import ALIGNMENTS
from irattn.specs.stages import (
    AttentionScoresSpec,
    CausalMaskSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    WeightedValuesSpec,
)

# The features that stages say; any other must have its default.
_SAYABLE = (
    *("io_dtype", "batch", "value_dim", "softmax_scale", "causal", "alignment"),
    *("window", "logits_soft_cap", "alibi", "bias", "keep_mask", "sinks"),
)


def stages_of(spec: Spec, name: str | None = None) -> list[Spec]:
    """The stages of an attention spec, in order; UsageError for what they cannot say."""
    name = name or spec.op
    if not isinstance(spec, AttentionSpec):
        raise UsageError(f"{name}: expected contiguous attention to take apart, got {spec.op}")
    if field := spec.first_beyond(_SAYABLE):
        raise UsageError(
            f"{field}: the stages of attention have no word for it, got "
            f"{shown(getattr(spec, field))}; they say {', '.join(_SAYABLE)}"
        )
    if spec.alignment not in ALIGNMENTS:
        raise UsageError(
            f"alignment: the stages of attention say {' and '.join(ALIGNMENTS)}, "
            f"got {shown(spec.alignment)}"
        )
    scores = {name: getattr(spec, name) for name in ("batch", "num_q_heads", "q_len", "kv_len")}
    product = {**scores, "num_kv_heads": spec.num_kv_heads, "io_dtype": spec.io_dtype}
    return [
        AttentionScoresSpec(**product, head_dim=spec.head_dim),
        ScaleScoresSpec(**scores, softmax_scale=spec.scale),
        *_changes(spec, scores),
        *_masks(spec, scores),
        SoftmaxWithSinksSpec(**scores) if spec.sinks else SoftmaxSpec(**scores),
        WeightedValuesSpec(**product, head_dim=spec.v_dim),
    ]


def _changes(spec: AttentionSpec, scores: dict[str, Any]) -> Iterator[Spec]:
    """The stages that change the scaled scores, in the order of AttentionFeatures."""
    if spec.logits_soft_cap is not None:
        yield SoftCapScoresSpec(**scores, logits_soft_cap=spec.logits_soft_cap)
    if spec.bias is not None:
        yield BiasScoresSpec(**scores, bias=spec.bias, io_dtype=spec.io_dtype)
    if spec.alibi:
        yield AlibiScoresSpec(**scores, alignment=spec.alignment)


def _masks(spec: AttentionSpec, scores: dict[str, Any]) -> Iterator[Spec]:
    """The stages that hide keys."""
    if spec.causal:
        yield CausalMaskSpec(**scores, alignment=spec.alignment)
    if spec.window is not None:
        yield WindowMaskSpec(**scores, alignment=spec.alignment, window=spec.window)
    if spec.keep_mask is not None:
        yield MaskScoresSpec(**scores, keep_mask=spec.keep_mask)
