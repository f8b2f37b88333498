"""Refuse options given twice, of which click keeps the last in silence, and what is empty."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import click

from irattn.cli.renamed import RenamedOption, old_words_of


class CheckedGroup(click.Group):
    """Commands whose options are there once, and say something."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            _check(click.Context(command, ctx, name), rest)
        return name, command, rest


def _check(ctx: click.Context, args: list[str]) -> None:
    """UsageError for an option with one value that is there twice, and for what is empty.

    Unless help is asked. What is empty is a shell's variable that is not set; as a path it would be
    this folder.
    """
    try:
        values, _, given = ctx.command.make_parser(ctx).parse_args(list(args))
    except click.NoSuchOption as error:
        hidden = old_words_of(ctx.command)
        likely = [word for word in error.possibilities or () if word not in hidden]
        raise click.NoSuchOption(error.option_name, possibilities=likely, ctx=ctx) from error
    if any(one.is_eager for one in given):
        return
    _check_arguments(ctx, values)
    for one, times in Counter(given).items():
        if not isinstance(one, click.Option) or one.multiple or one.is_flag:
            continue
        option = max(one.opts, key=len)
        old = one.given_old(values) if isinstance(one, RenamedOption) else []
        if times > 1:
            also = f"; {', '.join(old)} is an old word for it" if old else ""
            raise click.UsageError(f"{option}: expected once, got it {times} times{also}", ctx)
        word = old[0] if old else str(one.name)
        if values[word] == "":
            raise click.UsageError(f"{option}: expected a value, got ''", ctx)


def _check_arguments(ctx: click.Context, values: Mapping[str, Any]) -> None:
    """UsageError for an argument that is empty."""
    for one in ctx.command.params:
        if isinstance(one, click.Argument):
            value = values.get(str(one.name))
            if value == "" or (isinstance(value, tuple) and "" in value):
                name = one.human_readable_name.removesuffix("...")
                raise click.UsageError(f"{name}: expected a value, got ''", ctx)
