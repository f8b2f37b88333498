"""Tasks in processes of this machine."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cached_property
from typing import Any

from irattn.compiler import compile_mlir


class Local:
    """So many at a time."""

    is_elsewhere = False

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def compile(self, text: str, flags: tuple[str, ...], *, timeout: float | None = None) -> bytes:
        """The compiler is a process of its own."""
        return compile_mlir(text, flags, timeout=timeout)

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """In a process that is kept for the next one."""
        return self._pool.submit(function, *arguments)

    def close(self, *, at_once: bool) -> None:
        """Wait for what has begun, or end it."""
        if "_pool" not in vars(self):
            return
        if at_once:
            for child in multiprocessing.active_children():
                child.terminate()
        self._pool.shutdown(cancel_futures=True)

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        # Spawned, as IREE's threads do not survive a fork.
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.jobs, mp_context=spawn, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """At Ctrl-C without a traceback from each process, and when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A process waits for tasks on a pipe whose other end it has too: it never sees that end close.
    threading.Thread(target=_await_end, daemon=True).start()


def _await_end() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
