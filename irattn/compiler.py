"""MLIR text to VM bytecode. The only room that imports iree.compiler."""

import re
from dataclasses import dataclass
from importlib.metadata import version

PACKAGE = "iree-base-compiler"

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


def command_line(flags: tuple[str, ...]) -> str:
    """The shell command that compiles `module.mlir` to `module.vmfb` with these flags."""
    return " ".join(["iree-compile", "-", *flags, "-o module.vmfb", "< module.mlir"])


def _diagnose(text: str) -> DiagnosticsError:
    located = _ERROR_LINE.search(text)
    if located:
        return DiagnosticsError(text, located.group(2), int(located.group(1)))
    found = _ANY_ERROR.search(text)
    return DiagnosticsError(text, found.group(1) if found else "the compiler crashed", None)
