"""The group of commands, and its exit codes: 0 good, 1 failed, 2 wrong usage."""

import logging
from typing import Any

import click

from irattn.cli.baseline import baseline_command
from irattn.cli.bench import bench_command
from irattn.cli.bundle import bundle_command
from irattn.cli.compare import compare_command
from irattn.cli.compile import compile_command
from irattn.cli.doctor import doctor_command
from irattn.cli.export import export_command
from irattn.cli.failures import asks_for_json, failures
from irattn.cli.generate import generate_command
from irattn.cli.inspect import inspect_command
from irattn.cli.interrupt import interruptible
from irattn.cli.list import list_command
from irattn.cli.matrix import matrix_command
from irattn.cli.opcodes import opcodes_command
from irattn.cli.progress import progress_line
from irattn.cli.render import render_command
from irattn.cli.repro import repro_command
from irattn.cli.run import run_command
from irattn.cli.targets import targets_command
from irattn.cli.verify import verify_command


class _Group(click.Group):
    """The commands, and what they do alike: how they fail and end, and say what they are at."""

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
    generate_command,
    verify_command,
    inspect_command,
    compare_command,
    baseline_command,
    bench_command,
    repro_command,
    export_command,
    matrix_command,
    opcodes_command,
    doctor_command,
):
    main.add_command(command)
