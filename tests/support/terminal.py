"""A command on a terminal that does not exist, held at places of one's choice."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

# A place is `module:attribute`. A held one waits for a line of stdin before each call; a stuck one
# keeps its thread in C for ever, where no signal reaches it.
_DRIVER = """
import ctypes, functools, importlib, json, signal, sys

def replace(place, before):
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = functools.reduce(getattr, owners, importlib.import_module(module))
    real = getattr(owner, name)

    def replaced(*args, **kwargs):
        before()
        return real(*args, **kwargs)

    setattr(owner, name, replaced)

def stick():
    library, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(64)
    library.pthread_mutex_lock(mutex)
    library.pthread_mutex_lock(mutex)

signal.signal(signal.SIGINT, signal.default_int_handler)
held, stuck, arguments = json.loads(sys.argv[1])
for place in held:
    replace(place, sys.stdin.readline)
for place in stuck:
    replace(place, stick)
from irattn.cli import main
main(arguments, prog_name="irattn")
"""

# What nothing here takes, unless it hangs.
_SECONDS = 300


class Terminal:
    """Runs a command whose stderr, and stdout unless it is piped, is a terminal."""

    def __init__(self, *arguments, held=(), stuck=(), columns=100, piped=False, **environment):
        self._seen = b""
        self._deadline = time.monotonic() + _SECONDS
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        given = json.dumps([held, stuck, [*map(str, arguments)]])
        self._child = subprocess.Popen(
            [sys.executable, "-c", _DRIVER, given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if piped else theirs,
            stderr=theirs,
            # A width that the environment has would be taken for the terminal's.
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns), **environment},
        )
        os.close(theirs)

    @property
    def drawn(self):
        """All that was ever written to the terminal."""
        return self._seen.decode()

    @property
    def screen(self):
        """What the terminal shows, line by line."""
        lines = []
        for line in self.drawn.replace("\r\n", "\n").split("\n"):
            shown, at = "", 0
            for part in re.findall(r"\r|\x1b\[K|[^\r\x1b]+", line):
                if part == "\r":
                    at = 0
                elif part == "\x1b[K":
                    shown = shown[:at]
                else:
                    shown = shown[:at] + part + shown[at + len(part) :]
                    at += len(part)
            lines.append(shown)
        return lines

    def until(self, text):
        """Go on reading until the screen has this text in one of its lines."""
        while not any(text in line for line in self.screen):
            assert self._read(), f"{text} is not on the screen:\n" + "\n".join(self.screen)

    def go_on(self):
        """Let one call of a held place begin."""
        self._child.stdin.write(b"\n")
        self._child.stdin.flush()

    def interrupt(self):
        """What Ctrl-C does."""
        self._child.send_signal(signal.SIGINT)

    def end(self):
        """Let all calls begin; the exit code, and what was written to a piped stdout."""
        self._child.stdin.close()
        while self._read():
            pass
        os.close(self._ours)
        piped = self._child.stdout.read().decode() if self._child.stdout else ""
        return self._child.wait(), piped

    def _read(self):
        """Whether there was more to read."""
        left = self._deadline - time.monotonic()
        if left <= 0 or not any(select.select([self._ours], [], [], left)):
            self._child.kill()
            raise AssertionError("the command hangs:\n" + "\n".join(self.screen))
        try:
            data = os.read(self._ours, 1 << 16)
        except OSError:
            # What Linux says when the other end is closed.
            return False
        self._seen += data
        return bool(data)
