"""nanochat: norms without weights, one of them behind the embedding; positions turn back."""

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

NANOCHAT = ModelFamily(
    reads=LAYER | {"attention_bias", "final_logit_softcapping"},
    only=WHOLE_HEADS,
    # Behind the rotation, which changes no length.
    layer=LayerStyle(**BIAS, qk_norm=True, qk_norm_weights=False, gated=False),
    tensors=TensorNames(
        embedding_norm="norm",
        has_norm_weights=False,
        turns_back=True,
        up="mlp.fc1",
        down="mlp.fc2",
    ),
)
