"""Spec to MLIR text. The only room that imports jinja2."""

from irattn.rendering.render import (
    DIALECTS,
    FORMULATIONS,
    TileNumbers,
    allowed_tiles,
    check_sayable,
    formulation_of,
    render,
    template_origin,
    template_root,
    tile_numbers,
    vector_cycles,
)

__all__ = [
    "DIALECTS",
    "FORMULATIONS",
    "TileNumbers",
    "allowed_tiles",
    "check_sayable",
    "formulation_of",
    "render",
    "template_origin",
    "template_root",
    "tile_numbers",
    "vector_cycles",
]
