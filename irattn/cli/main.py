"""The group of commands, and its exit codes: 0 good, 1 failed, 2 wrong usage."""

import logging
import sys
from typing import Any

import click

from irattn.cli.baseline import baseline_command
from irattn.cli.bundle import bundle_command
from irattn.cli.compare import compare_command
from irattn.cli.compile import compile_command
from irattn.cli.doctor import doctor_command
from irattn.cli.export import export_command
from irattn.cli.inspect import inspect_command
from irattn.cli.list import list_command
from irattn.cli.matrix import matrix_command
from irattn.cli.opcodes import opcodes_command
from irattn.cli.render import render_command
from irattn.cli.repro import repro_command
from irattn.cli.run import run_command
from irattn.cli.targets import targets_command
from irattn.cli.verify import verify_command
from irattn.errors import IrattnError, UsageError


class _Group(click.Group):
    """Turns irattn's errors into a message and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except IrattnError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(2 if isinstance(error, UsageError) else 1)
        except MemoryError as error:
            click.echo(f"Error: this needs more memory than there is: {error}", err=True)
            sys.exit(1)
        except BrokenPipeError:
            # The reader, `head` say, has seen enough: click ends quietly.
            raise
        except OSError as error:
            # A folder that cannot be written, a file where a folder should be, a full disk.
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {where}{error.strerror or error}", err=True)
            sys.exit(1)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="irattn")
def main() -> None:
    """Attention kernels for AMD GPUs: generate, compile with IREE, run, verify, inspect, compare.

    Start with: irattn compile --target gfx1100
    """
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)


for command in (
    list_command,
    targets_command,
    render_command,
    compile_command,
    bundle_command,
    run_command,
    verify_command,
    inspect_command,
    compare_command,
    baseline_command,
    repro_command,
    export_command,
    matrix_command,
    opcodes_command,
    doctor_command,
):
    main.add_command(command)
