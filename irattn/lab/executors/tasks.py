"""Tasks as they arrive at a worker of a cluster: code that runs over there."""

from collections.abc import Callable
from typing import Any

from irattn.binary.manifest import sha256
from irattn.compiling.compiler import compile_mlir
from irattn.core.errors import ExecutorError
from irattn.lab.executors.versions import Versions, versions


def run(expected: Versions, function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task; ExecutorError where this worker is not what the caller is."""
    if differences := expected.differences(versions()):
        raise ExecutorError(f"a worker was refused: it has {differences}")
    return function(*arguments)


def compile_here(text: str, flags: tuple[str, ...], timeout: float | None) -> tuple[bytes, str]:
    """A vmfb and its hash, taken before it travels."""
    vmfb = compile_mlir(text, flags, timeout=timeout)
    return vmfb, sha256(vmfb)
