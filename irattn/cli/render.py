"""`irattn render`."""

import click

from irattn import catalog, rendering, targets
from irattn.cli.common import dialect_option, formulation_option, set_option
from irattn.specs import apply_settings


@click.command("render")
@click.argument("name")
@click.option("--target", default="gfx1100", show_default=True, help="What it is rendered for.")
@dialect_option
@formulation_option
@set_option
def render_command(
    name: str, target: str, dialect: str, formulation: str | None, settings: tuple[str, ...]
) -> None:
    """Print the MLIR of the catalogue entry NAME."""
    spec = apply_settings(catalog.get(name), settings)
    text = rendering.render(spec, targets.get(target), formulation=formulation, dialect=dialect)
    click.echo(text, nl=False)
