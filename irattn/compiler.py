"""MLIR text to VM bytecode. The only room that imports iree.compiler."""

import re
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

PACKAGE = "iree-base-compiler"

_TILE_ATTRIBUTES = ("lowering_config", "compilation_info", "decomposition_config")

_ERROR_LINE = re.compile(r"^<stdin>:(\d+):\d+: error: (.*)$", re.MULTILINE)
_ANY_ERROR = re.compile(r"error: (.*)$", re.MULTILINE)


def compiler_version() -> str:
    """Version of the installed compiler package."""
    return version(PACKAGE)


@dataclass
class DiagnosticsError(Exception):
    """What the compiler said when it failed: everything, the first error, and its line if known."""

    text: str
    first_error: str
    line: int | None


def compile_mlir(text: str, flags: tuple[str, ...]) -> bytes:
    """Compile MLIR text in a child process; raises DiagnosticsError when the compiler fails.

    The text travels through standard input: with a file, the path would end up in the bytes.
    """
    from iree.compiler import tools
    from iree.compiler.tools.binaries import CompilerToolError

    try:
        return bytes(tools.compile_str(text, extra_args=list(flags)))
    except CompilerToolError as error:
        raise _diagnose(str(error)) from error


def verify_mlir(text: str) -> None:
    """Parse and verify MLIR text in this process; DiagnosticsError where it is malformed."""
    from iree.compiler import ir

    with ir.Context() as context:
        try:
            ir.Module.parse(text, context=context).operation.verify()
        except ir.MLIRError as error:
            raise DiagnosticsError(str(error), str(error).splitlines()[0], None) from error


def retiled(text: str, pattern: str) -> str:
    """MLIR text without the tiles that are made for its target, and with those of `pattern`.

    `pattern` is the same graph for another target: the n-th attention gets the tile of the n-th
    attention there, or none. DiagnosticsError for malformed text.
    """
    from iree.compiler import ir

    with ir.Context() as context:
        try:
            module, other = (ir.Module.parse(source, context=context) for source in (text, pattern))
        except ir.MLIRError as error:
            raise DiagnosticsError(str(error), str(error).splitlines()[0], None) from error
        for op in _operations(module):
            for name in _TILE_ATTRIBUTES:
                if name in op.attributes:
                    del op.attributes[name]
        pairs = zip(
            *([*filter(_is_attention, _operations(m))] for m in (module, other)), strict=False
        )
        for op, like in pairs:
            if "compilation_info" in like.attributes:
                op.attributes["compilation_info"] = like.attributes["compilation_info"]
        return str(module)


def command_line(flags: tuple[str, ...]) -> str:
    """The shell command that compiles `module.mlir` to `module.vmfb` with these flags."""
    return " ".join(["iree-compile", "-", *flags, "-o module.vmfb", "< module.mlir"])


def _operations(module: Any) -> list[Any]:
    """Every operation of a module, in order."""
    from iree.compiler import ir

    found = []

    def visit(op: Any) -> Any:
        found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _is_attention(op: Any) -> bool:
    return bool(op.name.endswith("attention"))


def _diagnose(text: str) -> DiagnosticsError:
    located = _ERROR_LINE.search(text)
    if located:
        return DiagnosticsError(text, located.group(2), int(located.group(1)))
    found = _ANY_ERROR.search(text)
    return DiagnosticsError(text, found.group(1) if found else "the compiler crashed", None)
