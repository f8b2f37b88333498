"""`irattn render`."""

import click

from irattn import rendering
from irattn.cli.common import (
    dialect_option,
    echo_json,
    formulation_option,
    json_option,
    named_spec,
    set_option,
    target_option,
)
from irattn.runtime.machine import target_or_here


@click.command("render")
@click.argument("name")
@target_option("What it is rendered for.")
@dialect_option
@formulation_option
@set_option
@json_option
def render_command(
    name: str,
    target: str | None,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the MLIR of the catalogue entry NAME, which may be a spec in JSON."""
    name, spec = named_spec(name, settings)
    request = rendering.GraphRequest(spec, target_or_here(target), formulation, dialect)
    text = rendering.render(request)
    if not as_json:
        click.echo(text, nl=False)
        return
    echo_json(
        {
            "name": name,
            "spec": spec.to_dict(),
            "target": request.target.name,
            "formulation": request.formulation,
            "dialect": dialect,
            "mlir": text,
        }
    )
