"""The command that is running, as words for a shell: whole, or for one of its many tasks."""

import shlex
from collections.abc import Sequence
from typing import Any

import click

from irattn.cli.common import is_given, named_spec


def command_line(**instead: Any) -> str:
    """The running command with what was given to it, but for parameters given here.

    None leaves one out, as does an empty tuple.
    """
    context = click.get_current_context()
    words = [*_names(context)]
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in instead:
            words += _words(parameter, instead[name])
        elif is_given(name):
            words += _words(parameter, context.params[name])
    return shlex.join(words)


def one_task(name: str, target: str | None = None, **instead: Any) -> str:
    """The running command for one of the entries, and targets, that it is about.

    Entries of a model have no names of their own: what is there already takes no time.
    """
    if target is not None:
        instead["target_names"] = (target,)
    if not is_given("config"):
        instead |= {"names": (_word_of(name),), "sizes": ()}
    return command_line(**instead)


def _word_of(name: str) -> str:
    """The word that stands for an entry: its spec in JSON, or its name without the settings."""
    given = click.get_current_context().params
    for word in given["names"]:
        if word.startswith("{") and named_spec(word, given["settings"])[0] == name:
            return str(word)
    return name.partition("+")[0]


def say_repeats(commands: Sequence[str]) -> None:
    """Say on stderr, at the end, how to do again what failed."""
    for command in dict.fromkeys(commands):
        click.echo(f"again: {command}", err=True)


def _names(context: click.Context) -> list[str]:
    """`irattn`, the command, and the one below it if there is one."""
    if context.parent is None:
        return ["irattn"]
    return [*_names(context.parent), str(context.info_name)]


def _words(parameter: click.Parameter, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    values = [value] if not isinstance(value, tuple) else list(value)
    if isinstance(parameter, click.Argument):
        return [str(one) for one in values]
    option = max(parameter.opts, key=len)
    if value is True:
        return [option]
    return [word for one in values for word in (option, str(one))]
