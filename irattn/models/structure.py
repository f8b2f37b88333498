"""Why a model gets attention but no layer: what `decoder_layer` does not have of its structure."""

from irattn.errors import shown
from irattn.models.layer import STYLES
from irattn.models.values import Fields, text

_LAYER_NORM = "LayerNorm"
_PARALLEL = "a parallel residual and LayerNorm"
_THREE_AXES = "rotary positions along three axes (mrope)"

_OTHERS = {
    **dict.fromkeys(("bloom", "gpt2", "gpt_bigcode", "gpt_neo", "mpt"), _LAYER_NORM),
    **dict.fromkeys(("olmo", "opt", "starcoder2", "whisper", "xglm"), _LAYER_NORM),
    **dict.fromkeys(("codegen", "cohere", "cohere2", "falcon", "gpt_neox", "gptj"), _PARALLEL),
    **dict.fromkeys(("phi", "RefinedWeb", "RefinedWebModel", "stablelm"), _PARALLEL),
    **dict.fromkeys(("granite", "granitemoe", "minicpm"), "scaled residuals"),
    **dict.fromkeys(("olmo2", "olmo3"), "norms over all heads at once"),
    **dict.fromkeys(("qwen2_vl", "qwen2_vl_text", "qwen2_5_vl"), _THREE_AXES),
    **dict.fromkeys(("qwen2_5_vl_text", "qwen3_vl_text", "qwen3_vl_moe_text"), _THREE_AXES),
}

# Where false, the MLP comes after attention, not beside it.
_PARALLEL_KEYS = ("parallel_attn", "use_parallel_residual")


def attention_only(fields: Fields, has_cache: bool) -> str | None:
    """Why a model gets attention but no layer, by the key that says so; None if it gets layers."""
    model_type = text(fields, "model_type")
    if not model_type:
        return "model_type: missing, so that its layers are not known: attention only"
    if model_type in _OTHERS:
        what = f"model_type: {model_type}: {_structure(fields, model_type)}"
    elif not has_cache:
        what = f"model_type: {model_type}: attention without a cache"
    elif model_type in STYLES:
        what = _other_style(fields)
    else:
        known = ", ".join(STYLES)
        return f"model_type: {model_type}: not one whose layers are known ({known}): attention only"
    return f"{what}, which decoder_layer does not have: attention only" if what else None


def _structure(fields: Fields, model_type: str) -> str:
    structure = _OTHERS[model_type]
    sequential = any(fields.get(key) is False for key in _PARALLEL_KEYS)
    return _LAYER_NORM if structure == _PARALLEL and sequential else structure


def _other_style(fields: Fields) -> str:
    """ChatGLM's code can also norm with means, and add the residual after the norm."""
    if fields.get("rmsnorm") is False:
        return f"rmsnorm: False: {_LAYER_NORM}"
    key = "apply_residual_connection_post_layernorm"
    return f"{key}: {shown(fields[key])}: residuals from behind the norm" if fields.get(key) else ""
