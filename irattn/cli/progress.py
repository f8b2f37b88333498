"""The line of a terminal that shows what long work is at.

It stands below whatever else is printed, and is gone when the work is. Bars of libraries move only
when something is done; this one counts the seconds of a step too, of whichever room.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO

from irattn.cli.tables import is_terminal
from irattn.core import progress

# Shorter work shows nothing.
_DELAY_SECONDS = 0.5
_PERIOD_SECONDS = 0.1
_ERASE = "\r\x1b[K"


@contextmanager
def progress_line() -> Iterator[None]:
    """Show the steps of `irattn.core.progress` on stderr, if that is a terminal.

    What is printed meanwhile, by whomever, goes above the line.
    """
    terminal = sys.stderr
    if not is_terminal(terminal) or os.environ.get("TERM") == "dumb":
        yield
        return
    line = _Line(terminal)
    ended = threading.Event()
    follower = threading.Thread(target=_follow, args=(line, ended), daemon=True)
    with ExitStack() as stack:
        stack.enter_context(redirect_stderr(_Above(terminal, line)))
        if is_terminal(sys.stdout):
            stack.enter_context(redirect_stdout(_Above(sys.stdout, line)))
        follower.start()
        try:
            yield
        finally:
            ended.set()
            follower.join()
            line.erase()


class _Line:
    """The last line of a terminal; `lock` is held by whoever writes to the terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self.lock = threading.RLock()
        self.is_free = True
        self._terminal = terminal
        self._shown = ""

    def show(self, text: str) -> None:
        """Put a text where the last one stands, unless someone is in the middle of a line."""
        text = _fitted(text, _columns(self._terminal))
        with self.lock:
            if self.is_free and text != self._shown:
                self._write(_ERASE + text)
                self._shown = text

    def erase(self) -> None:
        with self.lock:
            if self._shown:
                self._write(_ERASE)
                self._shown = ""

    def _write(self, text: str) -> None:
        self._terminal.write(text)
        self._terminal.flush()


class _Above:
    """A stream to the terminal, which takes the line away before it writes."""

    def __init__(self, stream: TextIO, line: _Line) -> None:
        self._stream = stream
        self._line = line

    def write(self, text: str) -> int:
        with self._line.lock:
            self._line.erase()
            self._line.is_free = text.endswith("\n") if text else self._line.is_free
            return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _follow(line: _Line, ended: threading.Event) -> None:
    """Show what is being done, with the time since it began, until told that all has ended."""
    start = None
    while not ended.wait(_PERIOD_SECONDS):
        notes = progress.now()
        if not notes:
            start = None
            line.erase()
            continue
        start = start or time.monotonic()
        seconds = time.monotonic() - start
        if seconds >= _DELAY_SECONDS:
            line.show(f"{_clock(int(seconds))}  {'; '.join(notes)}")


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def _columns(terminal: TextIO) -> int:
    """The width of a terminal; one that does not know it says 0."""
    return os.get_terminal_size(terminal.fileno()).columns or 80


def _fitted(text: str, columns: int) -> str:
    """A text that takes no more than one line, whatever is in it, and leaves its last column."""
    plain = "".join(char if char.isprintable() else "?" for char in text)
    plain = plain.encode("ascii", "replace").decode()
    return plain if len(plain) < columns else f"{plain[: max(columns - 4, 0)]}..."
