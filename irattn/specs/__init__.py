"""Specs: frozen, validated descriptions of graphs, one file per op family."""

import json
from typing import Any

from irattn.errors import SpecError
from irattn.specs.attention import AttentionSpec
from irattn.specs.base import Spec
from irattn.specs.block_position_embedding import BlockPositionEmbeddingSpec
from irattn.specs.cache_append import CacheAppendSpec
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.feature_stages import (
    AlibiScoresSpec,
    BiasScoresSpec,
    MaskScoresSpec,
    SoftCapScoresSpec,
    SoftmaxWithSinksSpec,
    WindowMaskSpec,
)
from irattn.specs.merge_states import MergeStatesSpec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.specs.position_embedding import PositionEmbeddingSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope import RopeSpec
from irattn.specs.stages import (
    AttentionScoresSpec,
    CausalMaskSpec,
    ReplicateKvSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    WeightedValuesSpec,
)

__all__ = [
    "SPEC_TYPES",
    "AlibiScoresSpec",
    "AttentionScoresSpec",
    "AttentionSpec",
    "BiasScoresSpec",
    "BlockPositionEmbeddingSpec",
    "CacheAppendSpec",
    "CacheWriteSpec",
    "CausalMaskSpec",
    "DecoderLayerSpec",
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
    "SoftCapScoresSpec",
    "SoftmaxSpec",
    "SoftmaxWithSinksSpec",
    "Spec",
    "WeightedValuesSpec",
    "WindowMaskSpec",
    "apply_settings",
    "parse_settings",
    "spec_from_dict",
    "spec_from_json",
]

SPEC_TYPES: dict[str, type[Spec]] = {
    cls.op: cls
    for cls in (
        AttentionSpec,
        PackedAttentionSpec,
        PagedAttentionSpec,
        RopeSpec,
        PositionEmbeddingSpec,
        BlockPositionEmbeddingSpec,
        CacheWriteSpec,
        CacheAppendSpec,
        PagedUpdateAttentionSpec,
        DecoderLayerSpec,
        MergeStatesSpec,
        RmsNormSpec,
        AttentionScoresSpec,
        ScaleScoresSpec,
        SoftCapScoresSpec,
        BiasScoresSpec,
        AlibiScoresSpec,
        CausalMaskSpec,
        WindowMaskSpec,
        MaskScoresSpec,
        SoftmaxSpec,
        SoftmaxWithSinksSpec,
        WeightedValuesSpec,
        ReplicateKvSpec,
        QkvProjectionSpec,
        OutputProjectionSpec,
    )
}


def spec_from_dict(fields: object) -> Spec:
    """Build a spec from its JSON form; SpecError where it is not one."""
    if not isinstance(fields, dict) or str(fields.get("op")) not in SPEC_TYPES:
        got = fields.get("op") if isinstance(fields, dict) else type(fields).__name__
        raise SpecError(f"op: expected one of {', '.join(SPEC_TYPES)}, got {got!r}")
    rest = {name: value for name, value in fields.items() if name != "op"}
    return SPEC_TYPES[fields["op"]].from_fields(rest)


def spec_from_json(text: str) -> Spec:
    """Build a spec from `Spec.to_json` text; SpecError where it does not parse."""
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise SpecError(f"spec: expected JSON, got text that does not parse: {error}") from error
    return spec_from_dict(fields)


def apply_settings(spec: Spec, settings: tuple[str, ...]) -> Spec:
    """Apply `field=value` settings, all at once so that their order does not matter.

    Settings for fields that other op families have are not accepted: SpecError names the fields
    of this one.
    """
    return spec.replace(**parse_settings(settings))


def parse_settings(settings: tuple[str, ...]) -> dict[str, Any]:
    """`field=value` settings by field; values are JSON (`100`, `null`) or bare words (`bf16`)."""
    changes: dict[str, Any] = {}
    for setting in settings:
        field, equals, value = setting.partition("=")
        if not equals:
            raise SpecError(f"--set: expected field=value, got {setting!r}")
        if field in changes:
            raise SpecError(f"--set: {field} is given twice")
        try:
            changes[field] = json.loads(value)
        except json.JSONDecodeError:
            changes[field] = value
    return changes
