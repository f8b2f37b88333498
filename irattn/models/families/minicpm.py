"""MiniCPM 3: latent attention, and factors of embeddings, residuals and logits."""

import math

from irattn.models.families.common import LAYER, TIED, WHOLE_HEADS
from irattn.models.families.deepseek import LATENT_SIZES, latent_tensors
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.values import Fields, positive, whole


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with its factors by Granite's keys, and the columns of values."""
    own = dict(fields)
    width, count = whole(fields, "hidden_size"), whole(fields, "num_hidden_layers")
    heads = whole(fields, "num_attention_heads")
    own["embedding_multiplier"] = positive(fields, "scale_emb")
    depth, base = positive(fields, "scale_depth"), whole(fields, "dim_model_base")
    if depth and count:
        own["residual_multiplier"] = depth / math.sqrt(count)
    if base and width:
        own["logits_scaling"] = width / base
    if width and heads:
        own["v_head_dim"] = whole(fields, "v_head_dim") or width // heads
    return own


MINICPM_3 = ModelFamily(
    # The code has as many rotated columns as it says, whatever head_dim a file has.
    reads=(LAYER - {"head_dim"})
    | LATENT_SIZES
    | {"attention_bias", "dim_model_base", "mlp_bias", "scale_depth", "scale_emb"},
    only=WHOLE_HEADS,
    harmless=frozenset({"head_dim", "qk_head_dim"}),
    defaults=TIED,
    as_read=_as_read,
    layer=LayerStyle(mlp_bias="mlp_bias", residual_scale="residual_multiplier"),
    tensors=latent_tensors,
    latent=True,
)
