"""Bamba: state-space steps of Mamba 2 between layers with attention."""

from irattn.core.errors import ConfigError
from irattn.models.families.common import BIAS, PARTIAL
from irattn.models.families.expert_style import numbers_of
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.mamba import STATE_SPACE_KEYS, check_steps, with_head_size
from irattn.models.families.state_tensor_names import StateSpaceNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, whole

_ATTENDING = "attn_layer_indices"


def _as_read(fields: Fields) -> Fields:
    """Bamba's file by the keys of others: the kind of each layer, and the sizes that it lacks."""
    check_steps(fields)
    # Half of each head is rotated, whatever the file says.
    own = {**with_head_size(fields), "partial_rotary_factor": 0.5}
    count = whole(fields, "num_hidden_layers")
    if count is not None:
        attending = numbers_of(fields, _ATTENDING) or []
        if not any(0 <= number < count for number in attending):
            raise ConfigError(
                f"{_ATTENDING}: expected a layer with attention among the {count}, got {attending}"
            )
        own["layer_types"] = [
            "full_attention" if number in attending else "state_space" for number in range(count)
        ]
    return own


BAMBA = ModelFamily(
    reads=PARTIAL | STATE_SPACE_KEYS | {"attention_bias", _ATTENDING},
    only={"mlp_bias": (False,)},
    # How the code cuts prompts, and a loss.
    harmless=frozenset({"mamba_chunk_size", "z_loss_coefficient"}),
    needs=((_ATTENDING,), ("num_hidden_layers",)),
    layer=LayerStyle(**BIAS),
    tensors=TensorNames(
        norm="final_layernorm",
        mlp_norm="pre_ff_layernorm",
        gate_up=("feed_forward.gate_proj", "feed_forward.up_proj"),
        down="feed_forward.down_proj",
        state_space=StateSpaceNames(),
    ),
    as_read=_as_read,
)
