"""Every command of the tree that does something itself, by the words that name it."""

import click

from irattn.cli import main


def _leaves(command, *path):
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from _leaves(command.get_command(context, name), *path, name)


COMMANDS = dict(_leaves(main))
