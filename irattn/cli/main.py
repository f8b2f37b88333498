"""The group of commands, and its exit codes: 0 good, 1 failed, 2 wrong usage."""

import importlib
import logging
from typing import Any

import click

from irattn.cli.failures import asks_for_json, failures
from irattn.cli.given_options import CheckedGroup
from irattn.cli.interrupt import interruptible
from irattn.cli.progress import progress_line

# Each is `NAME_command` of the module of its name.
_COMMANDS = (
    "baseline",
    "bench",
    "bundle",
    "certify",
    "compare",
    "compile",
    "doctor",
    "export",
    "generate",
    "inspect",
    "list",
    "matrix",
    "opcodes",
    "render",
    "repro",
    "run",
    "targets",
    "tune",
    "verify",
)


class _Group(CheckedGroup):
    """The commands, and what they do alike: how they fail and end, and say what they are at.

    A command is imported when it is asked for: all of them take a second.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"irattn.cli.{cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        extra["obj"] = as_json = asks_for_json(args)
        with failures(as_json):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with interruptible(), failures(ctx.obj), progress_line():
            return super().invoke(ctx)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="irattn")
def main() -> None:
    """Attention kernels for AMD GPUs: generate, compile with IREE, run, verify, inspect, compare.

    Start with: irattn compile --target gfx1100 gqa_causal_tiny
    """
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
