"""Refuse options given twice that a command takes once: click keeps the last in silence."""

from collections import Counter

import click


class OnceGroup(click.Group):
    """Commands that refuse options given twice."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            _check_once(click.Context(command, ctx, name), rest)
        return name, command, rest


def _check_once(ctx: click.Context, args: list[str]) -> None:
    """UsageError for an option with a value that is there twice, unless help is asked for."""
    _, _, given = ctx.command.make_parser(ctx).parse_args(list(args))
    if any(one.is_eager for one in given):
        return
    for one, times in Counter(given).items():
        if times > 1 and isinstance(one, click.Option) and not (one.multiple or one.is_flag):
            option = max(one.opts, key=len)
            raise click.UsageError(f"{option}: expected once, got it {times} times", ctx)
