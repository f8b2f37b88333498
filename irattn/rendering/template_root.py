"""Where the templates lie."""

from pathlib import Path


def template_root() -> Path:
    """The folder of all templates: in an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"
