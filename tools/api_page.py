#!/usr/bin/env python3
"""Write `irattn/pages/api.md`: every public name of irattn, with its docstring."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import irattn
from irattn.specs import SPEC_NAMES

PAGE = Path(irattn.__file__).parent / "pages" / "api.md"

INTRODUCTION = """# API

Every name that `import irattn` offers, from its docstring. `python3 tools/api_page.py` writes this
page. [CONTRIBUTING.md](../../CONTRIBUTING.md#words) says what the words mean. The pages by task
show how the names go together: [run](run.md), [models](models.md), [prove](prove.md),
[ship](ship.md) and [tune](tune.md)."""

WIDTH = 100


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The page: functions, then classes, then specs, each in the order of the alphabet."""
    public = {name: getattr(irattn, name) for name in dir(irattn)}
    specs = {name: public[name] for name in sorted(SPEC_NAMES) if name != "Spec"}
    classes = {name: one for name, one in public.items() if inspect.isclass(one)}
    functions = {name: one for name, one in public.items() if inspect.isroutine(one)}
    masks = {name: getattr(irattn.masks, name) for name in irattn.masks.__all__}
    parts = [INTRODUCTION]
    parts += ["## Functions", *(described(*item) for item in functions.items())]
    parts += [f"## Masks\n\n### `masks`\n\n{inspect.getdoc(irattn.masks)}"]
    parts += [described(f"masks.{name}", one) for name, one in masks.items() if name != "causal"]
    parts += ["## Classes", *(a_class(*item) for item in classes.items() if item[0] not in specs)]
    parts += ["## Specs", *(described(*item) for item in specs.items())]
    return "\n\n".join(parts) + "\n"


def described(name: str, one: object) -> str:
    """A heading, how the name is called, and its docstring."""
    call = called(name, one)
    return f"### `{name}`\n\n```text\n{call}\n```\n\n{inspect.getdoc(one)}"


def a_class(name: str, one: type) -> str:
    lines = [
        f"- `{shown}`: {summary(member)}"
        for shown, member in members(one)
        if inspect.getdoc(member)
    ]
    return "\n\n".join([described(name, one), *(["\n".join(lines)] if lines else [])])


def members(one: type) -> Iterator[tuple[str, object]]:
    """The public methods and properties that a class has of its own, as they are used."""
    for name in vars(one):
        member = inspect.getattr_static(one, name)
        if name.startswith("_"):
            continue
        if isinstance(member, property | cached_property):
            yield name, member
        elif inspect.isroutine(member):
            yield called(name, getattr(one, name), width=None), member


def called(name: str, one: object, width: int | None = WIDTH) -> str:
    """How a name is called: parameters with defaults, and what is returned.

    Fields have their types; what else a parameter may be, the docstring says.
    """
    if inspect.isclass(one) and issubclass(one, Exception):
        return name
    signature = inspect.signature(one)
    of_fields = dataclasses.is_dataclass(one)
    listed = list(parameters(signature, of_fields))
    result = "" if inspect.isclass(one) else returned(signature)
    line = f"{name}({', '.join(listed)}){result}"
    if width is None or len(line) <= width:
        return line
    return "\n".join([f"{name}(", *(f"    {parameter}," for parameter in listed), f"){result}"])


def parameters(signature: inspect.Signature, with_types: bool) -> Iterator[str]:
    keywords = False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        keywords |= parameter.kind is parameter.VAR_POSITIONAL
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            keywords = True
            yield "*"
        if not with_types:
            parameter = parameter.replace(annotation=parameter.empty)
        yield short(str(parameter))


def returned(signature: inspect.Signature) -> str:
    if signature.return_annotation in (signature.empty, None):
        return ""
    return f" -> {short(inspect.formatannotation(signature.return_annotation))}".replace('"', "")


def short(text: str) -> str:
    """Types without the modules that they are in, functions without where they lie."""
    text = re.sub(r"<function .*>", "…", text)
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", text).replace("'", '"')


def summary(member: object) -> str:
    """The first paragraph of a docstring, in one line."""
    first, _, _ = (inspect.getdoc(member) or "").partition("\n\n")
    return " ".join(first.split())


if __name__ == "__main__":
    main()
