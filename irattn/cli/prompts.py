"""Prompts of `irattn generate`: words, files and standard input."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from irattn.core.errors import shown


class PromptedCommand(click.Command):
    """A command that says what texts are for which no option is given; it allows extra arguments,
    as click calls them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what is left beside the command's arguments."""
        left = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            raise click.UsageError(f"{shown(ctx.args[0])}: expected --prompt before a text", ctx)
        return left


def read_prompts(words: Sequence[str]) -> tuple[str, ...]:
    """The prompts, where - stands for standard input; UsageError where there is nothing in it."""
    if words.count("-") > 1:
        raise click.UsageError("--prompt -: standard input is read once, got it twice")
    return tuple(_read_input() if word == "-" else word for word in words)


def read_file(path: Path) -> str:
    """The text of a file; UsageError where there is none."""
    return _text_of(path.read_bytes(), f"--prompt-file {path}", "in it")


def _read_input() -> str:
    """The text on standard input."""
    # Python has no stream where the shell closed it.
    given = sys.stdin.buffer.read() if sys.stdin else b""
    return _text_of(given, "--prompt -", "on standard input")


def _text_of(given: bytes, option: str, place: str) -> str:
    """All of a text but for the end of its last line, which `echo` and editors add.

    It comes as bytes, of which Python would change the ends of lines.
    """
    try:
        text = given.decode()
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{option}: expected text in UTF-8: {error}") from error
    text = text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")
    if not text:
        raise click.UsageError(f"{option}: expected text {place}, got none")
    return text
