"""How many places name each macro of the templates."""

from collections import Counter
from collections.abc import Iterator

from jinja2 import nodes

from irattn.rendering.environment import environment
from support.places import ROOT

TEMPLATES = ROOT / "templates"

# A template, and a macro of it.
Macro = tuple[str, str]


def places_of_macros() -> Counter[Macro]:
    """The places that name each macro: those that call it, or choose it to be called."""
    trees = dict(_trees())
    counts = Counter(
        {
            (name, found.name): 0
            for name, tree in trees.items()
            for found in tree.find_all(nodes.Macro)
        }
    )
    for template, tree in trees.items():
        counts.update(macro for macro in _named(template, tree) if macro in counts)
    return counts


def _trees() -> Iterator[tuple[str, nodes.Template]]:
    for path in sorted(TEMPLATES.rglob("*.j2")):
        text = path.read_text(encoding="utf-8")
        yield path.relative_to(TEMPLATES).as_posix(), environment(None, False).parse(text)


def _named(template: str, tree: nodes.Template) -> Iterator[Macro]:
    """What may be a macro: a name of the template's own, or one that it takes from another."""
    taken, modules = _imports(tree)
    parents = [one.template.value for one in tree.find_all(nodes.Extends) if _is_said(one)]
    for name in tree.find_all(nodes.Name):
        if name.ctx == "load":
            yield taken.get(name.name, (template, name.name))
            yield from ((parent, name.name) for parent in parents if name.name not in taken)
    # A name may stand for either of two modules.
    for value in tree.find_all(nodes.Getattr):
        if isinstance(value.node, nodes.Name):
            yield from ((module, value.attr) for module in modules)


def _imports(tree: nodes.Template) -> tuple[dict[str, Macro], list[str]]:
    """The macros that a template imports, by its own names for them, and whole modules."""
    taken = {}
    for found in tree.find_all(nodes.FromImport):
        for name in found.names:
            theirs, own = (name, name) if isinstance(name, str) else name
            taken[own] = (found.template.value, theirs)
    return taken, [found.template.value for found in tree.find_all(nodes.Import)]


def _is_said(found: nodes.Extends) -> bool:
    """Whether a template names its parent itself, and no plan does."""
    return isinstance(found.template, nodes.Const)
