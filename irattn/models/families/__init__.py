"""The model types that irattn knows: what each reads of a file, and what it fills in."""

from irattn.models.families.decoders import DECODERS
from irattn.models.families.defaults import CLASS_DEFAULTS
from irattn.models.families.encoders import ENCODERS
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily, Wrapper
from irattn.models.families.generic import GENERIC
from irattn.models.families.layered import LAYERED
from irattn.models.families.tensor_names import TensorNames
from irattn.models.families.wrappers import WRAPPERS

__all__ = [
    "CLASS_DEFAULTS",
    "FAMILIES",
    "GENERIC",
    "LAYERED",
    "WRAPPERS",
    "ExpertStyle",
    "LayerStyle",
    "ModelFamily",
    "TensorNames",
    "Wrapper",
]

FAMILIES: dict[str, ModelFamily] = {**LAYERED, **DECODERS, **ENCODERS}
