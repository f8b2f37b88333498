"""`irattn list`."""

import click

from irattn import catalog
from irattn.cli.common import echo_json, json_option, size_option
from irattn.cli.tables import cut, table, terminal_width
from irattn.specs import Spec


@click.command("list")
@size_option
@json_option
def list_command(sizes: tuple[str, ...], as_json: bool) -> None:
    """Show the catalogue: the named specs that ship.

    Lines are cut at the width of a terminal, and nowhere else.
    """
    specs = {name: catalog.get(name) for name in catalog.names(sizes or catalog.SIZES)}
    if as_json:
        echo_json([{"name": name, "spec": spec.to_dict()} for name, spec in specs.items()])
        return
    rows = [(name, *_describe(spec)) for name, spec in specs.items()]
    for line in table(rows, ["name", "op", "dtype", "inputs"]).splitlines():
        click.echo(cut(line, terminal_width()))


def _describe(spec: Spec) -> tuple[str, str, str]:
    inputs = [f"{tensor.name} {'x'.join(map(str, tensor.largest_shape))}" for tensor in spec.inputs]
    return spec.op, spec.io_dtype, ", ".join(inputs)
