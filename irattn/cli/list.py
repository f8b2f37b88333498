"""`irattn list`."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

from irattn.cli.common import choose_specs, echo_json, json_option, size_option
from irattn.cli.tables import cut, table, terminal_width
from irattn.specs import Spec

_WIDTH = 100


@click.command("list")
@click.argument("names", nargs=-1)
@size_option
@json_option
def list_command(names: tuple[str, ...], sizes: tuple[str, ...], as_json: bool) -> None:
    """Show the catalogue, the named specs that ship, or all that the specs NAMES say."""
    if names and sizes:
        raise click.UsageError("--size chooses among all entries: give names or sizes, not both")
    specs = choose_specs(names, (), sizes)
    if as_json:
        echo_json([{"name": name, "spec": spec.to_dict()} for name, spec in specs.items()])
    elif names:
        click.echo("\n\n".join(_details(name, spec) for name, spec in specs.items()))
    else:
        rows = [(name, spec.op, spec.io_dtype, _inputs(spec)) for name, spec in specs.items()]
        for line in table(rows, ["name", "op", "dtype", "inputs"]).splitlines():
            click.echo(cut(line, terminal_width()))


def _inputs(spec: Spec) -> str:
    """The first input with its sizes, and how many more there are."""
    first, *others = spec.inputs
    words = f"{first.name} {'x'.join(map(str, first.largest_shape))}"
    return f"{words}, {len(others)} more" if others else words


def _details(name: str, spec: Spec) -> str:
    """The fields that say something, and each tensor."""
    facts = dict(_fields("spec", spec.to_dict()))
    for role, tensors in (("input", spec.inputs), ("output", spec.outputs)):
        facts |= {f"{role} {tensor.name}": str(tensor) for tensor in tensors}
    width = max(map(len, facts)) + 4
    lines = [name]
    for key, words in facts.items():
        lines += textwrap.wrap(
            words,
            min(terminal_width() or _WIDTH, _WIDTH),
            initial_indent=f"  {key}".ljust(width),
            subsequent_indent=" " * width,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def _fields(key: str, fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The plain fields in a line, then each of those that have fields of their own."""
    silent: Sequence[Any] = (None, False, [])
    told = {name: value for name, value in fields.items() if value not in silent}
    yield key, ", ".join(f"{n} {value}" for n, value in told.items() if not isinstance(value, dict))
    for name, value in told.items():
        if isinstance(value, dict):
            yield from _fields(name, value)
