"""How much there is to compile, and about how long that takes, said before it begins."""

import os
from collections.abc import Sized

import click

from irattn.cli.common import counted
from irattn.lab.executors import Executor

# Of a core for one artifact. On two Zen 4 cores that others used too, 63 base entries for the CPU
# took 74 s.
_SECONDS = 2


def say_work(work: Sized, executor: Executor) -> None:
    """Say on stderr how many artifacts were asked for without names, and how long they may take."""
    cores = executor.jobs if executor.is_elsewhere else min(executor.jobs, os.cpu_count() or 1)
    seconds = len(work) * _SECONDS / cores
    time = f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"
    click.echo(
        f"{counted(work, 'artifact')}: about {time} on {cores} "
        f"{'core' if cores == 1 else 'cores'}, less what is there already; give NAMES for fewer "
        "(`irattn list`)",
        err=True,
    )
