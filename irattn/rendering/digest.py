"""The digest of a request, known without rendering."""

import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path

from irattn.rendering.request import GraphRequest
from irattn.rendering.template_root import template_root

# The rooms whose code a text depends on.
_ROOMS = ("core", "rendering", "specs", "targets")


def request_digest(request: GraphRequest) -> str:
    """The digest of all that decides on a request's text: itself, and what renders it."""
    facts = {
        "spec": request.spec.to_dict(),
        "target": [request.target.name, request.target.identity],
        "said": [request.dialect, request.formulation],
        "tile": dict(request.tile) if request.tile else None,
        "renderer": _renderer(),
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@cache
def _renderer() -> str:
    """The digest of the templates, of the code around them, and of Jinja."""
    digest = hashlib.sha256(version("jinja2").encode())
    package = Path(__file__).resolve().parents[1]
    code = [file for room in _ROOMS for file in sorted((package / room).rglob("*.py"))]
    root = template_root()
    for folder, files in ((package, code), (root, sorted(root.rglob("*.j2")))):
        for file in files:
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()
