"""The modules of irattn that a package has a copy of, with imports of their own."""

import re
from pathlib import Path

import irattn

# All that they import besides is Python's own library and PyTorch.
MODULES = (
    "core.errors",
    "binary.vmfb.formulas",
    "targets.architectures",
    "runtime.direct.addresses",
    "runtime.direct.call",
    "runtime.direct.capsules",
    "runtime.direct.code",
    "runtime.direct.cuda",
    "runtime.direct.driver",
    "runtime.direct.hip",
    "runtime.direct.laying",
    "runtime.direct.library",
    "runtime.direct.prepared",
    "runtime.direct.steps",
    "runtime.direct.torch_memory",
    "runtime.hub.dense",
    "runtime.hub.functions",
    "runtime.hub.kernels",
    "runtime.hub.paging",
    "runtime.hub.places",
    "runtime.hub.shaped",
    "runtime.hub.variants",
)
FUNCTIONS = ("flash_attn_func", "flash_attn_varlen_func", "flash_attn_with_kvcache")

_OWN_IMPORT = re.compile(r"^( *from )irattn\.", re.MULTILINE)


def sources(title: str) -> dict[str, str]:
    """By path in the package, its modules; `title` is the first line of its docstring."""
    made = {"__init__.py": _init(title)}
    for module in MODULES:
        path = Path(*module.split(".")).with_suffix(".py")
        for room in path.parents:
            made.setdefault((room / "__init__.py").as_posix(), "")
        text = (Path(irattn.__file__).parent / path).read_text(encoding="utf-8")
        # From a room within a package, each dot after the first is a room up.
        made[path.as_posix()] = _OWN_IMPORT.sub(rf"\1{'.' * len(path.parts)}", text)
    return made


def _init(title: str) -> str:
    imports = "".join(f"    {name},\n" for name in FUNCTIONS)
    names = "".join(f'    "{name}",\n' for name in FUNCTIONS)
    return (
        f'"""{title}"""\n\nfrom .runtime.hub.functions import (\n{imports})\n\n'
        f"__all__ = [\n{names}]\n"
    )
