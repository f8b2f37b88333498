"""Phi 3.5 with experts: layer norms, and two experts whose weights are apart (SparseMixer)."""

from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.mistral import MIXTRAL_TENSORS
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, rope_type, section


def _as_read(fields: Fields) -> Fields:
    """The fields of a file, whose factors of cosines are those of longrope alone."""
    for name in ("rope_parameters", "rope_scaling"):
        rope = section(fields, name)
        kind = rope_type(rope)
        if kind not in (None, "default", "longrope", "su"):
            raise ConfigError(f"{name}: expected a type of default or longrope, got {shown(kind)}")
    return fields


def _tensors(fields: Fields) -> TensorNames:
    return replace(MIXTRAL_TENSORS, has_head_bias=bool(fields.get("lm_head_bias")))


PHI_MOE = ModelFamily(
    reads=LAYER
    | {
        *("attention_bias", "lm_head_bias", "long_mscale", "num_local_experts"),
        *("original_max_position_embeddings", "router_jitter_noise", "short_mscale"),
        "sliding_window",
    },
    # The code takes two, whatever a file says.
    only=WHOLE_HEADS | {"num_experts_per_tok": (2,)},
    defaults={"num_experts_per_tok": 2, "rope_theta": 1e6},
    as_read=_as_read,
    layer=LayerStyle(
        **BIAS,
        norm_kind="layer",
        norm_bias=True,
        experts=ExpertStyle(
            width="intermediate_size", scores="sparse_mixer", jitter="router_jitter_noise"
        ),
    ),
    tensors=_tensors,
)
