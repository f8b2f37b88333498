"""`irattn render`."""

import click

from irattn import rendering
from irattn.cli.common import (
    changed_name,
    dialect_option,
    echo_json,
    formulation_option,
    json_option,
    set_option,
    target_option,
)
from irattn.compiling import catalog
from irattn.runtime.machine import target_or_here
from irattn.specs import apply_settings


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
    """Print the MLIR of the catalogue entry NAME."""
    spec = apply_settings(catalog.get(name), settings)
    request = rendering.GraphRequest(spec, target_or_here(target), formulation, dialect)
    text = rendering.render(request)
    if not as_json:
        click.echo(text, nl=False)
        return
    echo_json(
        {
            "name": changed_name(name, settings),
            "spec": spec.to_dict(),
            "target": request.target.name,
            "formulation": request.formulation,
            "dialect": dialect,
            "mlir": text,
        }
    )
