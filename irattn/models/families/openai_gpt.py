"""The first GPT: learned positions, and layer norms behind residuals, but none behind the last."""

from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.gpt2 import GPT_2_NAMES
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields

_ACTIVATION = "afn"


def _as_read(fields: Fields) -> Fields:
    """A file by the keys of others; the code's `gelu` is what others call `gelu_new`."""
    given = fields.get(_ACTIVATION)
    return {**fields, "activation_function": "gelu_new" if given == "gelu" else given}


OPENAI_GPT = ModelFamily(
    reads=FILE
    | SIZES
    | {_ACTIVATION, "layer_norm_epsilon", "n_embd", "n_head", "n_layer", "n_positions"},
    harmless=ROTATION,
    defaults=TIED,
    as_read=_as_read,
    layer=LayerStyle(
        **biases(True),
        **PLAIN,
        pre_norm=False,
        post_norm=True,
        norms_residual=True,
        rotates=False,
    ),
    tensors=TensorNames(
        **{
            **GPT_2_NAMES,
            **{"embedding": "tokens_embed", "positions": "positions_embed", "norm": ""},
            **{"post_norm": "ln_1", "mlp_post_norm": "ln_2"},
        },
        are_turned=True,
    ),
)
