"""`irattn targets`."""

from typing import Any

import click

from irattn import targets
from irattn.cli.common import echo_json, echo_table, json_option
from irattn.targets import Target


@click.command("targets")
@json_option
def targets_command(as_json: bool) -> None:
    """Show the targets, their other names and what they can do."""
    table = targets.all_targets()
    if as_json:
        echo_json([_to_dict(target) for target in table])
        return
    headers = ["target", "driver", "wave", "LDS", "matrix instructions", "also known as"]
    echo_table(map(_row, table), headers)


def _row(target: Target) -> tuple[Any, ...]:
    return (
        target.name,
        target.driver,
        target.wave_size or "",
        f"{target.lds_bytes // 1024} KB" if target.lds_bytes else "",
        ", ".join(target.matrix),
        ", ".join(target.aliases),
    )


def _to_dict(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        "aliases": list(target.aliases),
        "driver": target.driver,
        "wave_size": target.wave_size,
        "lds_bytes": target.lds_bytes,
        "matrix": {storage: instruction.name for storage, instruction in target.matrix.items()},
        "cpu_features": list(target.cpu_features),
        "formulation": target.formulation,
        "flags": list(target.flags),
    }
