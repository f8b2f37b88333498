"""In which order heads and tokens lie, in FlashInfer's and vLLM's words."""

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import AnySize

LAYOUTS = ("HND", "NHD")


def check_layout(layout: object) -> None:
    """Refuse anything but the known layouts."""
    if layout not in LAYOUTS:
        raise SpecError(
            "layout: expected HND (heads before tokens) or NHD (tokens before heads), "
            f"got {shown(layout)}"
        )


def laid_out(layout: str, heads: int, tokens: AnySize) -> tuple[AnySize, AnySize]:
    """Both axes in the order of the layout."""
    return (heads, tokens) if layout == "HND" else (tokens, heads)
