"""Apertus: norms of heads, and an MLP without a gate whose activation has learned parameters."""

from collections.abc import Collection
from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields
from irattn.specs.mlp import XIELU

_ACTIVATION = "hidden_act"


def _as_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names in files that leave out what all layers have alike."""
    *factors, slope, edge = names.activation
    is_whole = any(name.endswith((slope, edge)) for name in there)
    return names if is_whole else replace(names, activation=tuple(factors))


def _with_its_activation(fields: Fields) -> Fields:
    """The fields; ConfigError for an activation beside which nothing reads the parameters."""
    if fields.get(_ACTIVATION) not in (None, XIELU):
        raise ConfigError(
            f"{_ACTIVATION}: expected {XIELU}, whose parameters the layers of this model_type "
            f"have, got {shown(fields[_ACTIVATION])}"
        )
    return fields


APERTUS = ModelFamily(
    reads=LAYER | {"attention_bias"},
    only=WHOLE_HEADS | {"mlp_bias": (False,), "post_norm": (False,), "qk_norm": (True,)},
    # Without its settings, the code scales positions by ones of its own.
    needs=(("rope_parameters", "rope_scaling"),),
    defaults={"rope_theta": 12000000.0},
    layer=LayerStyle(**BIAS, qk_norm=True, gated=False, learns_activation=True),
    tensors=TensorNames(
        attention_norm="attention_layernorm",
        mlp_norm="feedforward_layernorm",
        up="mlp.up_proj",
        activation=tuple(f"mlp.act_fn.{name}" for name in ("alpha_p", "alpha_n", "beta", "eps")),
        as_stored=_as_stored,
    ),
    as_read=_with_its_activation,
)
# Those of images have tokens of the embedding alone, behind the ones of the head.
APERTUS_1_5 = replace(APERTUS, reads=APERTUS.reads | {"output_vocab_size"})
