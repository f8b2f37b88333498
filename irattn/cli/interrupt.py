"""Ctrl-C ends a command soon, also while Python waits for compiled code or for other threads."""

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import click

# What a shell calls the end by SIGINT.
_STATUS = 128 + signal.SIGINT

# What a command is given to tidy up.
_PATIENCE_SECONDS = 1.0


@contextmanager
def interruptible() -> Iterator[None]:
    """End the process with status 130 at Ctrl-C: in good order, or else a second later.

    Python raises KeyboardInterrupt only once its main thread is back from what it called, which a
    launch or a compilation may keep for minutes.
    """
    with _watched():
        try:
            yield
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            sys.exit(_STATUS)


@contextmanager
def ctrl_c_calls(end: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C call a function, so that what is within ends by itself; a second one as ever."""

    def call(number: int, frame: FrameType | None) -> None:
        restore()
        end()

    def restore() -> None:
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(to_watcher, warn_on_full_buffer=False)

    # Nobody waits for the command to end.
    to_watcher = signal.set_wakeup_fd(-1)
    handler = signal.signal(signal.SIGINT, call)
    try:
        yield
    finally:
        restore()


@contextmanager
def _watched() -> Iterator[None]:
    """Have a thread told of signals when they come, where that can be had."""
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    signals, to_watcher = os.pipe()
    os.set_blocking(to_watcher, False)
    before = signal.set_wakeup_fd(to_watcher, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(signals,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(to_watcher)
        watcher.join()
        os.close(signals)


def _watch(signals: int) -> None:
    """Read the numbers of signals until there are no more to come."""
    while number := os.read(signals, 1):
        if number[0] != signal.SIGINT:
            continue
        is_readable, _, _ = select.select([signals], [], [], _PATIENCE_SECONDS)
        # Readable: the command has ended, or Ctrl-C came again.
        if is_readable and not os.read(signals, 1):
            return
        erased = b"\r\x1b[K" if os.isatty(2) else b""
        os.write(2, erased + b"\nAborted!\n")
        os._exit(_STATUS)
