"""Several specs as functions of one module: the compiler starts and links once for all of them."""

from dataclasses import replace
from pathlib import Path

from irattn import build
from irattn.artifact import Artifact
from irattn.manifest import VMFB, sha256
from irattn.rendering import render
from irattn.specs import Spec
from irattn.targets import Target
from support.compiled_once import compiled_once


def compiled_together(graphs: list[tuple[Spec, str]], target: Target) -> list[Artifact]:
    """An artifact of each spec in its formulation, in memory; all hold the same program.

    They can be called and verified. Only their entry points tell them apart, so that no store would
    take them.
    """
    texts = [render(spec, target, formulation=formulation) for spec, formulation in graphs]
    vmfb = compiled_once(joined(texts), target.flags)
    artifacts = []
    for number, ((spec, formulation), text) in enumerate(zip(graphs, texts, strict=True)):
        manifest = build._manifest(spec, target, None, formulation, "linalg", text)
        manifest.sha256[VMFB] = sha256(vmfb)
        manifest = replace(manifest, entry_points=[numbered(number, spec.op)])
        artifacts.append(Artifact(manifest, text, vmfb, Path("joined")))
    return artifacts


def joined(texts: list[str]) -> str:
    """One module with the functions of all, each named by the number of its text as well."""
    from iree.compiler import ir

    with ir.Context(), ir.Location.unknown():
        together = ir.Module.create()
        for number, text in enumerate(texts):
            module = ir.Module.parse(text)
            for function in list(module.body.operations):
                name = ir.SymbolTable.get_symbol_name(function).value
                new = numbered(number, name)
                ir.SymbolTable.replace_all_symbol_uses(name, new, module.operation)
                ir.SymbolTable.set_symbol_name(function, new)
            for function in list(module.body.operations):
                together.body.append(function)
        return str(together)


def numbered(number: int, name: str) -> str:
    return f"{name}_{number}"
