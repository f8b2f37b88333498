"""North Micro Vision's text (Compass): Command R's layers, whose kinds say if they rotate."""

from dataclasses import replace

from irattn.models.families.cohere import COHERE
from irattn.models.families.family import AXES, WINDOW, LayerStyle
from irattn.models.names import LAYERS
from irattn.models.values import Fields, section, texts, whole


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with the kinds of layers, all keys where it lacks them, and rotations.

    Kinds whose settings are null do not rotate.
    """
    kinds = texts(fields, "layer_types") or ["full_attention"] * (whole(fields, *LAYERS) or 0)
    settings = section(fields, "rope_parameters")
    rotates = [int(settings.get(kind, ()) is not None) for kind in kinds]
    return {**fields, "layer_types": kinds, "no_rope_layers": rotates}


assert isinstance(COHERE.layer, LayerStyle)
COHERE_COMPASS = replace(
    COHERE,
    reads=(COHERE.reads - {"head_dim"}) | AXES | WINDOW,
    # The code divides the width by the heads, whatever the file says.
    harmless=frozenset({"head_dim", "sliding_window_pattern"}),
    defaults={**COHERE.defaults, "rope_theta": 1e4},
    # Without them, no layer has a theta.
    needs=(("rope_parameters",), ("layer_types", *LAYERS)),
    layer=replace(COHERE.layer, rope_style="rotate_half", rotates_by_kind=True),
    as_read=_as_read,
)
