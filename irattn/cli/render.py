"""`irattn render`."""

import click

from irattn import rendering, targets
from irattn.cli.common import (
    changed_name,
    dialect_option,
    echo_json,
    formulation_option,
    json_option,
    set_option,
)
from irattn.compiling import catalog
from irattn.specs import apply_settings


@click.command("render")
@click.argument("name")
@click.option("--target", default="gfx1100", show_default=True, help="What it is rendered for.")
@dialect_option
@formulation_option
@set_option
@json_option
def render_command(
    name: str,
    target: str,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the MLIR of the catalogue entry NAME."""
    spec = apply_settings(catalog.get(name), settings)
    request = rendering.GraphRequest(spec, targets.get(target), formulation, dialect)
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
