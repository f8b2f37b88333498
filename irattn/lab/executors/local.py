"""Tasks in processes of this machine."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from irattn.compiling.compiler import compile_mlir
from irattn.core.errors import ExecutorError

# A process may die for want of memory that another one has by then given back.
_ATTEMPTS = 2


class Local:
    """So many at a time."""

    is_elsewhere = False

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._is_closed = False
        # Of each thread, a pool of one: where a process dies, Python gives up all of its pool. So
        # does loky, whose processes also outlive a parent that was killed, and tell of Ctrl-C.
        self._processes: dict[int, ProcessPoolExecutor] = {}

    def compile(self, text: str, flags: tuple[str, ...], *, timeout: float | None = None) -> bytes:
        """The compiler is a process of its own."""
        return compile_mlir(text, flags, timeout=timeout)

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run a job in a process that is kept for the next one."""
        return self._threads.submit(self._run, name, function, arguments)

    def close(self, *, at_once: bool) -> None:
        """Wait for what has begun, or end it."""
        if "_threads" not in vars(self):
            return
        self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        if at_once:
            for child in multiprocessing.active_children():
                child.terminate()
        self._threads.shutdown()
        for process in self._processes.values():
            process.shutdown()

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.jobs)

    def _run(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """The result, from this thread's process, or from a new one where that died."""
        thread = threading.get_ident()
        for _ in range(_ATTEMPTS):
            process = self._processes.get(thread) or _process()
            self._processes[thread] = process
            try:
                with _without_interrupts():
                    future = process.submit(function, *arguments)
                return future.result()
            except BrokenProcessPool:
                del self._processes[thread]
                if self._is_closed:
                    break
        raise ExecutorError(
            f"{name}: the process that worked on it died, and the next one too; the system's log "
            "may tell why, as for want of memory"
        )


def _process() -> ProcessPoolExecutor:
    # Spawned, as IREE's threads do not survive a fork.
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=spawn, initializer=_end_with_parent)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Have a process that begins here see no Ctrl-C before `_end_with_parent`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """At Ctrl-C without a traceback from each process, and when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # A process waits for tasks on a pipe whose other end it has too: it never sees that end close.
    threading.Thread(target=_await_end, daemon=True).start()


def _await_end() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
