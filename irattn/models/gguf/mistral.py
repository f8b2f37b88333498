"""The architecture of GGUF files of Ministral 3, and of Mistral Small 3, which is Llama's code."""

from typing import Any

from irattn.core.errors import ConfigError
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.architecture import NAMES, Architecture
from irattn.models.gguf.heads import usual_fields
from irattn.models.gguf.said import Said

_TEMPERATURE, _SHARE = "attention.temperature_scale", "rope.scaling.yarn_log_multiplier"


def _fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads and the rotation, whose settings have Ministral's temperature of queries, too."""
    fields = usual_fields(said, file, layers)
    temperature, scaling = said.positive(_TEMPERATURE), fields.pop("rope_scaling", None)
    if temperature is None:
        return {**fields, "model_type": "llama", **({"rope_scaling": scaling} if scaling else {})}
    if scaling is None or scaling["rope_type"] != "yarn":
        raise ConfigError(f"{said.named('rope.scaling.type')}: expected yarn beside {_TEMPERATURE}")
    own = {"rope_theta": fields["rope_theta"], "llama_4_scaling_beta": temperature}
    if share := said.positive(_SHARE):
        own |= {"mscale": 1.0, "mscale_all_dim": share}
    return {**fields, "rope_parameters": {**scaling, **own}}


MISTRAL_3 = Architecture(
    model_type="ministral3",
    tensors=NAMES,
    silent=(_TEMPERATURE, _SHARE),
    made=_fields,
    turns_neighbours=True,
)
