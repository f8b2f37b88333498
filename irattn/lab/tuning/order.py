"""In which order tiles are tried: the tables' own first, then its neighbours, then those afar."""

import math
from collections.abc import Mapping

from irattn.rendering import GraphRequest, allowed_tiles, tile_numbers
from irattn.specs import Spec
from irattn.targets import Target


def tiles_in_order(spec: Spec, target: Target) -> list[dict[str, int]]:
    """Every tile that may be chosen, the same for the same spec and target.

    RenderError for a spec that has none.
    """
    request = GraphRequest(spec, target)
    own = tile_numbers(request)
    others = [tile for tile in allowed_tiles(request) if tile != own]
    return [own, *sorted(others, key=lambda tile: (_doublings(own, tile), *tile.values()))]


def _doublings(own: Mapping[str, int], tile: Mapping[str, int]) -> float:
    """How often numbers are doubled or halved from one tile to the other."""
    return sum(abs(math.log2(tile[name] / number)) for name, number in own.items())
