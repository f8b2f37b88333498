"""Executors by the words that users name them with."""

import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Protocol

from irattn.core.errors import UsageError, shown
from irattn.lab.executors.dask import SCHEME, Dask
from irattn.lab.executors.local import Local
from irattn.targets import Target

_LOCAL = re.compile(r"local:([1-9][0-9]{0,4})")
# A name or an IPv4 address, or one of IPv6 in brackets, as in a URL.
_CLUSTER = re.compile(re.escape(SCHEME) + r"((?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):([1-9][0-9]{0,4}))")
_LAST_PORT = 65535


class Executor(Protocol):
    """Runs tasks: `jobs` is how many are worth having under way at a time."""

    jobs: int
    # Whether tasks run on other machines, or may.
    is_elsewhere: bool

    def compile(self, text: str, flags: tuple[str, ...], *, timeout: float | None = None) -> bytes:
        """The result of `compile_mlir`, made by the executor; waits for it."""

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run a function of an importable module on values that pickle; `name` is for people.

        The result, or the error that it raises, comes by the future.
        """

    def close(self, *, at_once: bool) -> None:
        """End it; `at_once` gives up what has not ended."""


def executor_of(words: str) -> Executor:
    """The executor `local:N` or `dask://HOST:PORT`; UsageError, or ExecutorError if not there."""
    # From Python it may be anything.
    given = words if isinstance(words, str) else ""
    if local := _LOCAL.fullmatch(given):
        return Local(int(local[1]))
    cluster = _CLUSTER.fullmatch(given)
    if cluster and int(cluster[2]) <= _LAST_PORT:
        return Dask(cluster[1])
    raise UsageError(
        f"executor: expected local:N or dask://HOST:PORT, as local:2 or {SCHEME}127.0.0.1:8786, "
        f"got {shown(words)}"
    )


def check_same_everywhere(executor: Executor, chosen: Iterable[Target]) -> None:
    """Refuse a target that is another one on each machine."""
    for target in chosen:
        if executor.is_elsewhere and target.identity is not None:
            raise UsageError(
                f"executor: {target.name} means the machine that compiles; name a processor, as "
                "x86-64-v3"
            )


@contextmanager
def using(executor: Executor) -> Iterator[Executor]:
    """Close it at the end; at once where an error or Ctrl-C comes first."""
    try:
        yield executor
    except BaseException:
        executor.close(at_once=True)
        raise
    executor.close(at_once=False)
