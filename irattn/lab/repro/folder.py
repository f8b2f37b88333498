"""The folder of a reproduction: the graph, scripts, inputs, expected outputs, and what they are."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from irattn import targets
from irattn.binary.manifest import MLIR
from irattn.core.errors import RenderError
from irattn.core.folders import new_folder
from irattn.lab.repro import readme
from irattn.lab.repro.compilation import Compilation
from irattn.lab.tool_calls import (
    ToolCall,
    cpu_graph,
    function_flags,
    tool_call,
    write_expected,
    write_inputs,
)
from irattn.targets import Target

CPU_MLIR = "module-cpu.mlir"
DIAGNOSTICS = "diagnostics.txt"
README = "README.md"

# What the console scripts `iree-compile` and `iree-run-module` run.
_COMPILE = "iree.compiler.tools.scripts.iree_compile"
_RUN = "iree._runtime.scripts.iree_run_module"


def write_reproduction(
    compilation: Compilation, folder: Path, *, case: str | None = None, seed: int = 0
) -> None:
    """Write the folder, complete or not at all.

    `case` names the inputs, by default the spec's first random ones. UsageError for a case that
    the spec does not have, and for a folder that holds anything already.
    """
    call = None if compilation.diagnostics else tool_call(compilation.spec, case, seed)
    what = f"{compilation.name} for {compilation.target.name}"
    with new_folder(folder, "-o", what) as staging:
        _fill(staging, compilation, call)


def _fill(folder: Path, compilation: Compilation, call: ToolCall | None) -> None:
    (folder / MLIR).write_bytes(compilation.mlir.encode())
    scripts = {"compile.sh": _compile_script(MLIR, compilation.flags, "module.vmfb")}
    notes = ""
    if call:
        io_flags = [*write_inputs(call, folder), *write_expected(call, folder)]
        scripts["run.sh"] = _run_script(compilation, compilation.target, "module.vmfb", io_flags)
        if compilation.target.is_gpu:
            more, notes = _for_cpu(folder, compilation, io_flags)
            scripts |= more
        text = readme.of_a_run(compilation, call, scripts, notes)
    else:
        diagnostics = compilation.diagnostics or ""
        (folder / DIAGNOSTICS).write_text(diagnostics, encoding="utf-8")
        text = readme.of_a_failure(compilation, diagnostics, scripts)
    for name, script in scripts.items():
        (folder / name).write_text(script, encoding="utf-8")
        (folder / name).chmod(0o755)
    (folder / README).write_text(text, encoding="utf-8")


def _for_cpu(
    folder: Path, compilation: Compilation, io_flags: list[str]
) -> tuple[dict[str, str], str]:
    """Scripts that do the same on a CPU, and what is to be said about them."""
    try:
        text = cpu_graph(compilation.request)
    except RenderError as error:
        return {}, readme.without_cpu(str(error))
    cpu = targets.get("cpu")
    mlir = MLIR if text == compilation.mlir else CPU_MLIR
    if mlir != MLIR:
        (folder / mlir).write_bytes(text.encode())
    scripts = {
        "compile-cpu.sh": _compile_script(mlir, cpu.flags, "module-cpu.vmfb"),
        "run-cpu.sh": _run_script(compilation, cpu, "module-cpu.vmfb", io_flags),
    }
    return scripts, readme.with_cpu(mlir, is_same=mlir == MLIR)


def _compile_script(mlir: str, flags: Sequence[str], vmfb: str) -> str:
    return _script(_COMPILE, ["-", *flags, f"-o={vmfb}"], f" < {mlir}")


def _run_script(compilation: Compilation, target: Target, vmfb: str, io_flags: list[str]) -> str:
    function = function_flags(compilation.spec, target)
    # The numbers of the outputs are not what is looked for: the verdict is.
    quiet = "--output_max_element_count=16"
    return _script(_RUN, [f"--module={vmfb}", *function, *io_flags, quiet])


def _script(module: str, words: list[str], redirection: str = "") -> str:
    """A POSIX shell script of one command, one word a line, run in the script's own folder.

    The tool is called as a module: its console script may be on no PATH.
    """
    command = " \\\n  ".join([f'"${{PYTHON:-python3}}" -m {module}', *map(shlex.quote, words)])
    return f'#!/bin/sh\nset -eu\ncd "$(dirname "$0")"\n{command}{redirection}\n'
