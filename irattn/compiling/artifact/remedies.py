"""Suggest the command that makes an artifact again."""

import shlex
from pathlib import Path

from irattn.compiling import catalog
from irattn.core.errors import UsageError
from irattn.specs import apply_settings
from irattn.targets import get as get_target


def remedy(path: Path) -> str:
    """The way to make the artifact of a folder `<store>/<target>/<name>`, or of a bundle, again."""
    out, target, name = path.absolute().parent.parent, path.parent.name, path.name
    if out.suffix == ".irattn":
        return f"bundle it again: `irattn bundle -o {shlex.quote(str(out))} {name} --target …`"
    words = _compile_words(name, target)
    if words is None:
        return "compile it again"
    return f"compile it again: `{shlex.join([*words, '--store', str(out)])}`"


def _compile_words(name: str, target: str) -> list[str] | None:
    """The command line that an artifact's name stands for; None for one made from Python."""
    options: list[str] = []
    for suffix, option in (
        (".torch", ["--dialect", "torch"]),
        (".fused", ["--formulation", "fused"]),
        (".blocked", ["--formulation", "blocked"]),
    ):
        if name.endswith(suffix):
            name, options = name.removesuffix(suffix), option
    base, *settings = name.split("+")
    try:
        get_target(target)
        apply_settings(catalog.get(base), tuple(settings))
    except UsageError:
        return None
    sets = [word for setting in settings for word in ("--set", setting)]
    return ["irattn", "compile", base, "--target", target, *options, *sets]
