"""Spec to MLIR text. The only room that imports jinja2."""

from irattn.rendering.digest import request_digest
from irattn.rendering.plans import TileNumbers
from irattn.rendering.render import render, template_origin, template_origins
from irattn.rendering.request import DIALECTS, FORMULATIONS, GraphRequest
from irattn.rendering.template_root import template_root
from irattn.rendering.tiles import allowed_tiles, tile_numbers, vector_cycles

__all__ = [
    "DIALECTS",
    "FORMULATIONS",
    "GraphRequest",
    "TileNumbers",
    "allowed_tiles",
    "render",
    "request_digest",
    "template_origin",
    "template_origins",
    "template_root",
    "tile_numbers",
    "vector_cycles",
]
