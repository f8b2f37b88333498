"""Vision transformers: how many tokens an image is."""

from irattn.errors import ConfigError, shown
from irattn.models.values import Fields, text, whole

# Tokens besides the patches: one for the class, and DeiT's second one for distillation.
_EXTRA_TOKENS = {
    "beit": 1,
    "clip_vision_model": 1,
    "deit": 2,
    "dinov2": 1,
    "dinov2_with_registers": 1,
    "siglip_vision_model": 0,
    "vit": 1,
}

VISION = frozenset(_EXTRA_TOKENS)


def image_tokens(fields: Fields) -> int | None:
    """Tokens of an image of the size that the file says; None where it says none."""
    model_type = text(fields, "model_type")
    if model_type not in VISION or not fields.get("image_size") or not fields.get("patch_size"):
        return None
    (height, width), (rows, columns) = _sides(fields, "image_size"), _sides(fields, "patch_size")
    patches = (height // rows) * (width // columns)
    if not patches:
        raise ConfigError(f"patch_size: expected at most the image_size, got {rows} x {columns}")
    registers = whole(fields, "num_register_tokens") or 0
    return patches + _EXTRA_TOKENS[model_type] + registers


def _sides(fields: Fields, key: str) -> tuple[int, int]:
    """Height and width: a number means a square."""
    value = fields[key]
    sides = value if isinstance(value, list) else [value, value]
    if len(sides) != 2 or any(type(side) is not int or side < 1 for side in sides):
        raise ConfigError(f"{key}: expected a whole number or two of them, got {shown(value)}")
    return sides[0], sides[1]
