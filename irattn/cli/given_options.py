"""Refuse options given twice, of which click keeps the last in silence, and those given nothing."""

from collections import Counter

import click


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
    """UsageError for an option with one value that is there twice or empty, unless help is asked.

    The empty one is a shell's variable that is not set; as a path it would be this folder.
    """
    values, _, given = ctx.command.make_parser(ctx).parse_args(list(args))
    if any(one.is_eager for one in given):
        return
    for one, times in Counter(given).items():
        if not isinstance(one, click.Option) or one.multiple or one.is_flag:
            continue
        option = max(one.opts, key=len)
        if times > 1:
            raise click.UsageError(f"{option}: expected once, got it {times} times", ctx)
        if values[one.name or ""] == "":
            raise click.UsageError(f"{option}: expected a value, got ''", ctx)
