"""Options with a new word: the old ones are hidden, mean the same, and say what the new one is.

They go with the release after the one that brought the new word.
"""

from collections.abc import Mapping
from typing import Any

import click


class RenamedOption(click.Option):
    """An option that is found under `old_words`, too; its value and its help know the new alone."""

    def __init__(self, *args: Any, old_words: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.old_words = old_words

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        for word in self.old_words:
            # Their place of their own tells them from the new word.
            parser.add_option(obj=self, opts=[word], dest=word, action="store")

    def given_old(self, parsed: Mapping[str, Any]) -> list[str]:
        """The old words that a command line has."""
        return [word for word in self.old_words if word in parsed]

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        given = {str(self.name): opts[word] for word in self.given_old(opts)}
        if given and not ctx.resilient_parsing:
            new = max(self.opts, key=len)
            for word in self.given_old(opts):
                click.echo(f"Note: {word} is called {new} now; the old word will go", err=True)
        return super().consume_value(ctx, {**opts, **given})


def old_words_of(command: click.Command) -> set[str]:
    """The words of a command's options that nobody should be told of."""
    options = [one for one in command.params if isinstance(one, RenamedOption)]
    return {word for option in options for word in option.old_words}
