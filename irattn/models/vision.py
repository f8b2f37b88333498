"""Vision transformers: how many tokens an image is."""

from irattn.core.errors import ConfigError, shown
from irattn.models.values import Fields, whole


def image_tokens(fields: Fields, extra_tokens: int | None) -> int | None:
    """Tokens of an image of the size that the file says; None where it says none.

    `extra_tokens` are those besides patches and registers, None of a model that sees no images.
    """
    if extra_tokens is None or not fields.get("image_size") or not fields.get("patch_size"):
        return None
    (height, width), (rows, columns) = _sides(fields, "image_size"), _sides(fields, "patch_size")
    patches = (height // rows) * (width // columns)
    if not patches:
        raise ConfigError(f"patch_size: expected at most the image_size, got {rows} x {columns}")
    registers = whole(fields, "num_register_tokens") or 0
    return patches + extra_tokens + registers


def _sides(fields: Fields, key: str) -> tuple[int, int]:
    """Height and width: a number means a square."""
    value = fields[key]
    sides = value if isinstance(value, list) else [value, value]
    if len(sides) != 2 or any(type(side) is not int or side < 1 for side in sides):
        raise ConfigError(f"{key}: expected a whole number or two of them, got {shown(value)}")
    return sides[0], sides[1]
