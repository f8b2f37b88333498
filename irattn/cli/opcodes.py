"""`irattn opcodes`."""

import textwrap

import click

from irattn import targets
from irattn.cli.common import echo_json, echo_table, json_option
from irattn.core.errors import UsageError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulator.measure.coverage import REPRESENTATIVES, Coverage, coverage

_INDENT = " " * 7


@click.command("opcodes")
@click.argument("target", required=False)
@json_option
def opcodes_command(target: str | None, as_json: bool) -> None:
    """Show which opcodes the emulator executes: of TARGET each, else counts for each family.

    Each opcode is tried with registers for operands; `irattn inspect` says whether a kernel runs.
    Pairs (VOPD) are left out. The tables for CDNA hold the opcodes of gfx942 and gfx950, whatever
    the chip.
    """
    names = [targets.get(target).name] if target else list(REPRESENTATIVES)
    for name in names:
        if problem := emulated_device.problem(targets.get(name)):
            raise UsageError(f"{name} {problem}")
    coverages = {name: coverage(name) for name in names}
    if as_json:
        echo_json(coverages)
    elif target:
        _print_all(coverages[names[0]])
    else:
        _print_counts(coverages)


def _print_counts(coverages: dict[str, Coverage]) -> None:
    encodings = sorted({encoding for one in coverages.values() for encoding in one})
    rows = [
        [encoding, *(_count(one.get(encoding, {})) for one in coverages.values())]
        for encoding in encodings
    ]
    echo_table(rows, ["encoding", *coverages])


def _count(opcodes: dict[str, bool]) -> str:
    return f"{sum(opcodes.values())} of {len(opcodes)}" if opcodes else "-"


def _print_all(coverage: Coverage) -> None:
    for encoding, opcodes in coverage.items():
        click.echo(f"{encoding}: {_count(opcodes)}")
        for word, is_executed in (("yes", True), ("no", False)):
            names = sorted(name for name, yes in opcodes.items() if yes == is_executed)
            if names:
                lines = textwrap.wrap(", ".join(names), 100 - len(_INDENT))
                click.echo(f"  {word:3}  " + f"\n{_INDENT}".join(lines))
