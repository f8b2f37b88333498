#!/usr/bin/env python3
"""Say what the tables of tiles gain over one tile for all, by the evidence in `artifacts/`.

`python3 tools/gains.py` writes two tables into `artifacts/TUNING.md`: what they gain over the tile
that is best for all AMD GPUs together, and for each target over the one that is best for all of its
entries.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irattn import targets
from irattn.lab.tuning import Gain, Tried, TuningEntry, gains, read_tuning
from irattn.lab.tuning.gains import Key, best_for_all, cost_ratio, costs_of, instructions, key_of
from irattn.rendering import GraphRequest, tile_numbers

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "artifacts" / "TUNING.md"

# Tuned for each GPU.
PROMPTS = ("gqa_causal_base", "gqa_causal_long")
DECODES = ("gqa_decode_base", "gqa_paged_decode_base")

HEADER = f"{'':10}{'':15}{'one tile for all':22}{'model':>7}{'measured':>10}{'instructions':>14}"

Tile = tuple[int, ...]


def main() -> None:
    text = PAGE.read_text()
    PAGE.write_text(re.sub(r"(?s)(?<=<!-- gains -->\n).*(?=<!-- end of gains -->)", page(), text))


def page() -> str:
    """The part of the page."""
    files = sorted((ROOT / "artifacts").glob("*.tuning.json"))
    of_files = [[*entries(file)] for file in files]
    everywhere = [entry for of_one in of_files for entry in of_one]
    rows = [over_all_gpus(everywhere, names) for names in (PROMPTS, DECODES)]
    of_targets = [row(gain) for of_one in of_files for gain in gains(of_one)]
    return "\n".join(["```text", HEADER, *rows[0], *rows[1], "", HEADER, *of_targets, "```", ""])


def entries(file: Path) -> Iterator[TuningEntry]:
    """The entries of a file, with the tables' tiles of today."""
    for entry in read_tuning(file).entries:
        own = tile_numbers(GraphRequest(entry.spec, targets.get(entry.target)))
        yield replace(entry, own_tile=own)


def over_all_gpus(everywhere: Sequence[TuningEntry], names: tuple[str, ...]) -> list[str]:
    """A row for each target, of the entries with these names."""
    # NVIDIA's prompts are another kernel, with tiles of its own.
    alike = [one for one in everywhere if one.name in names and one.target.startswith("gfx")]
    best = best_for_all([costs_of(entry, time_of) for entry in alike])
    tile = tuple(dict(best).values())
    rows = []
    for target in dict.fromkeys(entry.target for entry in alike):
        of_one = [entry for entry in alike if entry.target == target]
        measured = all(entry.device for entry in of_one)
        fast = gained(of_one, best, time_of)
        work = None if measured else 1 / gained(of_one, best, instructions)
        rows.append(line(target, kind(of_one[0].own_tile), tile, fast, measured, work))
    return rows


def row(gain: Gain) -> str:
    what = f"{len(gain.names)} {kind(gain.tile)}"
    tile = tuple(gain.tile.values())
    return line(gain.target, what, tile, gain.own, gain.measured, gain.own_work)


def line(
    target: str, what: str, tile: Tile, fast: float, measured: bool, work: float | None
) -> str:
    """The columns of the page."""
    model, times = ("", f"{fast:.2f}x") if measured else (f"{fast:.2f}x", "")
    executed = f"{work:.2f}x" if work else ""
    return f"{target:10}{what:15}{tile!s:22}{model:>7}{times:>10}{executed:>14}".rstrip()


def kind(tile: Mapping[str, int]) -> str:
    """What work has such tiles."""
    if "part_keys" in tile:
        return "decodes"
    return "on tensors" if "row_waves" in tile else "prompts"


def gained(
    of_one: Sequence[TuningEntry], tile: Key, figure: Callable[[Tried], float | None]
) -> float:
    """How many times as much a tile takes as the tables' own."""
    costs = [costs_of(entry, figure) for entry in of_one]
    return cost_ratio(costs, tile, [key_of(entry.own_tile) for entry in of_one])


def time_of(one: Tried) -> float | None:
    """Measured, or else the model's."""
    return one.seconds or one.estimate


if __name__ == "__main__":
    main()
