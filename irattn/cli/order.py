"""Print how the order of workgroups tells on a launch."""

from collections.abc import Sequence
from typing import Any

import click

from irattn.cli.common import echo_table
from irattn.lab.emulator.measure.order import DispatchOrder

_HEADS = (
    *("dispatch", "workgroups", "places", "room in a place", "cycles of one", "last done"),
    "with the heaviest first",
)


def print_order(launches: Sequence[tuple[str, DispatchOrder]]) -> None:
    """A table of the dispatches, by their names, on which the order tells."""
    uneven = [(name, order) for name, order in launches if order.tells]
    if not uneven:
        return
    click.echo(
        "\nworkgroups begin in the order of the grid, where there is room; when the last place is "
        "done, against the mean of all:"
    )
    echo_table([[name, *_row(order)] for name, order in uneven], _HEADS)


def _row(order: DispatchOrder) -> list[Any]:
    places = order.places
    return [
        order.workgroups,
        places.dies * places.of_die,
        places.room,
        f"{order.work.least} to {order.work.most}",
        f"{order.over_mean:.2f}x",
        f"{order.sorted_over_mean:.2f}x",
    ]
