"""Why a model gets attention but no layer: what `decoder_layer` does not have of its structure."""

from irattn.core.errors import shown
from irattn.models.families import LAYERED, ModelFamily
from irattn.models.values import Fields, text

_LAYER_NORM = "LayerNorm"

# Where false, the MLP comes after attention, not beside it.
_PARALLEL_KEYS = ("parallel_attn", "use_parallel_residual")


def attention_only(fields: Fields, family: ModelFamily, has_cache: bool) -> str | None:
    """Why a model gets attention but no layer, by the key that says so; None if it gets layers."""
    model_type = text(fields, "model_type")
    if not model_type:
        return "model_type: missing, so that its layers are not known: attention only"
    if family.structure:
        what = f"model_type: {model_type}: {_structure(fields, family.structure)}"
    elif not has_cache:
        what = f"model_type: {model_type}: attention without a cache"
    elif family.style_of(fields):
        what = _other_style(fields)
    else:
        known = ", ".join(LAYERED)
        return f"model_type: {model_type}: not one whose layers are known ({known}): attention only"
    return f"{what}, which decoder_layer does not have: attention only" if what else None


def _structure(fields: Fields, structure: str) -> str:
    sequential = any(fields.get(key) is False for key in _PARALLEL_KEYS)
    return _LAYER_NORM if sequential else structure


def _other_style(fields: Fields) -> str:
    """ChatGLM's code can also norm with means, and add the residual after the norm."""
    if fields.get("rmsnorm") is False:
        return f"rmsnorm: False: {_LAYER_NORM}"
    key = "apply_residual_connection_post_layernorm"
    return f"{key}: {shown(fields[key])}: residuals from behind the norm" if fields.get(key) else ""
