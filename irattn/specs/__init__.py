"""Specs: frozen, validated descriptions of graphs, one file per op family.

Every spec of a module in this package is an op; nothing else names it. A module's `CATALOGUE` gives
its named entries.
"""

import importlib
import pkgutil
from types import ModuleType
from typing import Any

from irattn.core.errors import SpecError, shown
from irattn.core.strict_json import loads, unique
from irattn.specs.base import Spec

__all__ = [
    "CATALOGUE",
    "SPEC_NAMES",
    "SPEC_TYPES",
    "Spec",
    "apply_settings",
    "parse_settings",
    "spec_from_dict",
    "spec_from_json",
]

_modules = [
    importlib.import_module(f"{__name__}.{module.name}")
    for module in pkgutil.iter_modules(__path__)
]


def _ops_in(module: ModuleType) -> dict[str, type[Spec]]:
    """The specs that a module defines, without those that others derive theirs from."""
    return {
        value.op: value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Spec)
        and value.__module__ == module.__name__
        and "op" in vars(value)
    }


# The spec of each op.
SPEC_TYPES: dict[str, type[Spec]] = {
    op: cls for module in _modules for op, cls in _ops_in(module).items()
}

# The named specs that ship, in the order of `irattn list`.
CATALOGUE: dict[str, Spec] = {
    name: spec for module in _modules for name, spec in getattr(module, "CATALOGUE", {}).items()
}

SPEC_NAMES = ["Spec", *(cls.__name__ for cls in SPEC_TYPES.values())]

globals().update({cls.__name__: cls for cls in SPEC_TYPES.values()})


def spec_from_dict(fields: object) -> Spec:
    """Build a spec from its JSON form; SpecError where it is not one."""
    op = fields.get("op") if isinstance(fields, dict) else type(fields).__name__
    if not isinstance(fields, dict) or not isinstance(op, str) or op not in SPEC_TYPES:
        raise SpecError(f"op: expected one of {', '.join(SPEC_TYPES)}, got {shown(op)}")
    rest = {name: value for name, value in fields.items() if name != "op"}
    return SPEC_TYPES[op].from_fields(rest)


def spec_from_json(text: str) -> Spec:
    """Build a spec from `Spec.to_json` text; SpecError where it does not parse."""
    try:
        fields = loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"spec: expected JSON, got text that does not parse: {error}") from error
    return spec_from_dict(fields)


def apply_settings(spec: Spec, settings: tuple[str, ...]) -> Spec:
    """Apply `field=value` settings, all at once so that their order does not matter.

    Settings for fields that other op families have are not accepted: SpecError names the fields
    of this one.
    """
    return spec.replace(**parse_settings(settings))


def parse_settings(settings: tuple[str, ...]) -> dict[str, Any]:
    """`field=value` settings by field; values are JSON (`100`, `null`) or bare words (`bf16`)."""
    changes: dict[str, Any] = {}
    for setting in settings:
        field, equals, value = setting.partition("=")
        if not (field and equals):
            raise SpecError(f"--set: expected field=value, got {shown(setting)}")
        if field in changes:
            raise SpecError(f"--set: {field} is given twice")
        try:
            changes[field] = loads(value)
        except (ValueError, RecursionError):
            changes[field] = value
    return changes
