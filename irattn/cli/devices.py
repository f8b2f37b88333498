"""`--device`, with a hint for what others call devices."""

from collections.abc import Callable
from typing import Any

import click

from irattn.cli.common import Command
from irattn.runtime import device_hint, device_names


class _Device(click.Choice[str]):
    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return super().get_invalid_choice_message(value, ctx).rstrip(".") + device_hint(value)


def device_option(what: str, *names: str) -> Callable[[Command], Command]:
    """Where a command runs; `names` are those it can take, if not all."""
    return click.option(
        "--device",
        type=_Device(names or device_names()),
        default="auto",
        show_default=True,
        help=what,
    )
