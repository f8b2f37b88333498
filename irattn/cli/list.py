"""`irattn list`."""

import click

from irattn import catalog
from irattn.cli.common import echo_json, echo_table, json_option, size_option
from irattn.specs import Spec


@click.command("list")
@size_option
@json_option
def list_command(sizes: tuple[str, ...], as_json: bool) -> None:
    """Show the catalogue: the named specs that ship."""
    specs = {name: catalog.get(name) for name in catalog.names(sizes or catalog.SIZES)}
    if as_json:
        echo_json([{"name": name, "spec": spec.to_dict()} for name, spec in specs.items()])
        return
    headers = ["name", "op", "dtype", "inputs"]
    echo_table(((name, *_describe(spec)) for name, spec in specs.items()), headers)


def _describe(spec: Spec) -> tuple[str, str, str]:
    shown = [f"{t.name} {'x'.join(map(str, map(int, t.shape)))}" for t in spec.inputs[:3]]
    more = ", …" if len(spec.inputs) > len(shown) else ""
    return spec.op, spec.io_dtype, ", ".join(shown) + more
