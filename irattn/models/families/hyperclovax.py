"""HyperCLOVA X: Granite's factors, of which that of logits multiplies, and norms behind halves."""

from dataclasses import replace

from irattn.models.families.family import LayerStyle
from irattn.models.families.granite import GRANITE
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _as_read(fields: Fields) -> Fields:
    """The fields of a file, whose factor of logits is no divisor as Granite's."""
    own = dict(fields)
    own["logit_scale"] = own.pop("logits_scaling", None)
    return own


def _layer(fields: Fields) -> LayerStyle:
    assert isinstance(GRANITE.layer, LayerStyle)
    return replace(GRANITE.layer, post_norm=fields.get("use_post_norm") is not False)


HYPERCLOVA_X = replace(
    GRANITE,
    reads=GRANITE.reads | {"use_post_norm"},
    as_read=_as_read,
    layer=_layer,
    tensors=TensorNames(
        # The second is that of published files of its model that sees images.
        bases=("model.", "model.language_model.model.", "model.language_model."),
        post_norm="post_norm1",
        mlp_post_norm="post_norm2",
    ),
)
