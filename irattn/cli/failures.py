"""How a command fails: a message on stderr, with --json an object on stdout, and an exit code."""

import errno
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from irattn.cli.common import echo_json
from irattn.core.errors import IrattnError, UsageError


def asks_for_json(words: Sequence[str]) -> bool:
    """Whether a command line asks for JSON, wherever else it may be at fault."""
    return "--json" in (words[: words.index("--")] if "--" in words else words)


@contextmanager
def failures(as_json: bool) -> Iterator[None]:
    """Say why a command fails and end it: with 2 for wrong usage, else with 1."""
    try:
        yield
    except (BrokenPipeError, click.Abort, click.exceptions.Exit):
        # The reader, `head` say, has seen enough; and ends that are no failures. click's business.
        raise
    except (IrattnError, click.ClickException, MemoryError, OSError) as error:
        if as_json:
            _echo_error(error)
        elif isinstance(error, click.ClickException):
            # With the command's usage.
            error.show()
        else:
            click.echo(f"Error: {_message(error)}", err=True)
        sys.exit(2 if isinstance(error, UsageError | click.UsageError) else 1)
    except Exception as error:
        # A fault of irattn's own, of which Python tells all.
        if as_json:
            _echo_error(error)
        raise


def of_one_task(error: Exception) -> IrattnError:
    """The error of one of many tasks, as it is told at the end: the others go on."""
    return error if isinstance(error, IrattnError) else IrattnError(_message(error))


def error_to_dict(error: Exception) -> dict[str, str]:
    """An error for JSON, alike whether it ends a command or one of its tasks."""
    kind = click.UsageError if isinstance(error, click.UsageError) else type(error)
    return {"type": kind.__name__, "message": _message(error)}


def _echo_error(error: Exception) -> None:
    try:
        echo_json({"error": error_to_dict(error)})
    except OSError:
        # What failed is writing there.
        click.echo(f"Error: {_message(error)}", err=True)


def _message(error: Exception) -> str:
    """An error's words; what files and command lines put into them must not steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in _words(error))


def _words(error: Exception) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return f"this needs more memory than there is: {error}"
    if isinstance(error, OSError):
        where = error.filename or ("standard output" if error.errno == errno.ENOSPC else None)
        return ": ".join(str(part) for part in (where, error.strerror or error) if part)
    return str(error)
