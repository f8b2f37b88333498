"""Spec to MLIR text. The only room that imports jinja2."""

from irattn.rendering.render import (
    DIALECTS,
    FORMULATIONS,
    check_sayable,
    formulation_of,
    render,
    template_origin,
    template_root,
)

__all__ = [
    "DIALECTS",
    "FORMULATIONS",
    "check_sayable",
    "formulation_of",
    "render",
    "template_origin",
    "template_root",
]
