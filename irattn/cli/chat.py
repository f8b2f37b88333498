"""A conversation with a model on a terminal: `irattn generate --chat`."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import click

from irattn.cli.interrupt import ctrl_c_calls
from irattn.core.progress import step
from irattn.generation import Built, Conversation


def talk(conversation: Conversation, turns: Sequence[str], report: Callable[[Built], None]) -> None:
    """Say the turns, or each line of standard input, and print what the model answers.

    Ctrl+C cuts an answer off, and ends the conversation where there is none; so does the end of
    the input.
    """
    # What is wrong with the template is said before anything is compiled.
    conversation.check()
    with step("loading the model"):
        conversation.load(report)
    for text in turns or _typed():
        with ctrl_c_calls(conversation.cut_off), closing(conversation.say(text)) as answer:
            if turns:
                print_text(f"> {text}\n", bold=True)
            for piece in answer:
                print_text(piece)
        if conversation.is_cut_off:
            click.echo(" (cut off)", err=True)
        click.echo()


def print_text(text: str, **style: Any) -> None:
    """Print what a model says, which may be anything, without what would move the cursor."""
    shown = "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)
    click.echo(click.style(shown, **style) if style else shown, nl=False)


def _typed() -> Iterator[str]:
    """The lines of standard input that have text, each after a prompt where one types them."""
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    while True:
        if is_terminal:
            click.echo(click.style("> ", bold=True), nl=False)
        try:
            line = sys.stdin.readline() if sys.stdin else ""
        except UnicodeDecodeError as error:
            raise click.UsageError(f"standard input: expected text in UTF-8: {error}") from error
        except KeyboardInterrupt:
            line = ""
        if not line:
            if is_terminal:
                click.echo()
            return
        if line.strip():
            yield line.rstrip("\r\n")
