"""Why a model gets attention but no layer: what `decoder_layer` does not have of its structure."""

from irattn.core.errors import shown
from irattn.models.families import LAYERED, ModelFamily
from irattn.models.values import Fields, text


def attention_only(fields: Fields, family: ModelFamily, has_cache: bool) -> str | None:
    """Why a model gets attention but no layer, by the key that says so; None if it gets layers."""
    model_type = text(fields, "model_type")
    if not model_type:
        return "model_type: missing, so that its layers are not known: attention only"
    if family.structure:
        what = f"model_type: {model_type}: {family.structure}"
    elif not has_cache:
        what = f"model_type: {model_type}: attention without a cache"
    elif family.style_of(fields):
        what = _other_style(fields, family)
    else:
        known = ", ".join(LAYERED)
        return f"model_type: {model_type}: not one whose layers are known ({known}): attention only"
    return f"{what}, which decoder_layer does not have: attention only" if what else None


def _other_style(fields: Fields, family: ModelFamily) -> str:
    """The key of what the code of these families can do besides, and what it is."""
    if family.latent and fields.get("attention_bias"):
        return f"attention_bias: {shown(fields['attention_bias'])}: biases around latents"
    joined = "shared_expert_combination_strategy"
    if fields.get(joined) == "average" and fields.get("num_shared_experts"):
        return f"{joined}: average: a mean of what is shared and other experts"
    if fields.get("model_type") == "mpt" and not fields.get("alibi"):
        return f"alibi: {shown(fields.get('alibi'))}: positions that MPT's code has in other ways"
    key = "apply_residual_connection_post_layernorm"
    return f"{key}: {shown(fields[key])}: residuals from behind the norm" if fields.get(key) else ""
