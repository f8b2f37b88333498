"""Tell how an entry is tuned: each step, and the table at the end."""

from collections.abc import Sequence
from typing import Any

import click

from irattn.cli.common import echo_table
from irattn.lab.tuning import Gain, Tried, TuningEntry, best_first, gains, tile_words

# Of the tiles that were thrown out, or rank lower, so many are shown.
_SHOWN = 12


def say_step(entry: TuningEntry, tiles: int, last: Tried) -> str:
    """Say on stderr what a tile came to; the words for the line of progress."""
    best = next(iter(best_first(entry.tried, entry.own_tile)), None)
    place = f"{len(entry.tried)} of {tiles}"
    said = _estimate(entry, last) if last.is_sound else f"{last.outcome}: {last.why}"
    if last.cases:
        said = f"ok in all {last.cases} cases"
    elif last is best and last.estimate is not None:
        said += ", the best so far"
    click.echo(f"{entry.name} for {entry.target}, {place}: {last.words}: {said:.160}", err=True)
    # What it takes comes before what it is: the line may be cut.
    so_far = f"; best so far {_estimate(entry, best)}, {best.words}" if best else ""
    return f"{entry.name} for {entry.target}: {place}{so_far}"


def print_entry(entry: TuningEntry, tiles: int) -> None:
    """The best tiles, what became of the others, and what was chosen."""
    ranked = best_first(entry.tried, entry.own_tile)
    click.echo(f"\n{entry.name} for {entry.target}: {len(entry.tried)} of {tiles} tiles tried")
    if not entry.tried:
        click.echo("  the tables' own stays: none was tried yet; run it again to go on\n")
        return
    for line in _how(entry):
        click.echo(f"  {line}")
    click.echo()
    shown = ranked[:_SHOWN]
    shown += [one for one in ranked[_SHOWN:] if one.tile == entry.own_tile]
    columns = _columns(entry)
    echo_table(
        [[cell(one) for cell in columns.values()] for one in shown],
        list(columns),
    )
    if len(ranked) > len(shown):
        click.echo(f"and {len(ranked) - len(shown)} more that rank lower")
    for outcome, count in _thrown_out(entry).items():
        click.echo(f"{count} thrown out: {outcome}")
    click.echo(f"\n{_verdict(entry)}\n")


def print_gains(entries: Sequence[TuningEntry]) -> None:
    """Print what entries gain by tiles of their own, where several could share one."""
    for gain in gains(entries):
        by = "measured" if gain.measured else "by the estimates"
        click.echo(
            f"{gain.target}: one tile for all {len(gain.names)}, the best of them "
            f"{tile_words(gain.tile)}: the tables' are {gain.own:.2f}x as fast, those chosen "
            f"{gain.chosen:.2f}x ({by}, geometric means){_work(gain)}"
        )


def _work(gain: Gain) -> str:
    if not (gain.own_work and gain.chosen_work):
        return ""
    return f"; they execute {gain.own_work:.2f}x and {gain.chosen_work:.2f}x its instructions"


def _how(entry: TuningEntry) -> list[str]:
    cut = entry.cut
    ran = [f"{name} {getattr(cut, name)}" for name in _CUT_FIELDS if hasattr(cut, name)]
    lines = [f"ranked by {entry.ranked_by}; verified on {', '.join(ran)}"]
    if entry.copies > 1:
        lines[0] += f", estimated for {entry.copies} of it side by side"
    if entry.device and entry.machine:
        lines.append(f"timed in turns on device {entry.device}: {_machine(entry.machine)}")
    return lines


_CUT_FIELDS = (
    *("batch", "num_q_heads", "num_kv_heads"),
    *("q_len", "kv_len", "q_tokens", "kv_tokens", "max_blocks"),
)


def _machine(machine: Any) -> str:
    devices = machine.get("devices")
    if devices:
        return ", ".join(devices)
    return f"{machine['processor']} ({machine['vectors']}), threads: {machine['threads']}"


def _columns(entry: TuningEntry) -> dict[str, Any]:
    own = entry.of(entry.own_tile)
    own_estimate, own_seconds = (own.estimate, own.seconds) if own else (None, None)
    columns: dict[str, Any] = {"": lambda one: _mark(entry, one)}
    for name in entry.own_tile:
        columns[name] = lambda one, name=name: one.tile[name]
    if any(one.estimate is not None for one in entry.tried):
        columns["estimate"] = lambda one: _estimate(entry, one)
        if any("apart" in one.figures for one in entry.tried):
            columns["apart"] = _apart
        columns["to the tables'"] = lambda one: _ratio(own_estimate, one.estimate)
    for title, figure in _FIGURES.items():
        if any(figure in one.figures for one in entry.tried):
            columns[title] = lambda one, figure=figure: one.figures.get(figure)
    columns["error"] = lambda one: "" if one.strain is None else f"{one.strain:.2f}"
    if entry.device:
        columns["measured ms"] = _measured
        columns["speed-up"] = lambda one: _ratio(own_seconds, one.seconds)
    return columns


_FIGURES = {
    "bound by": "bound_by",
    "VGPRs": "vgprs",
    "waves a SIMD": "waves_per_simd",
    "LDS bytes": "lds_bytes",
}


def _mark(entry: TuningEntry, one: Tried) -> str:
    marks = ["chosen"] if one.tile == entry.tile else []
    return " ".join([*marks, "(table)"] if one.tile == entry.own_tile else marks)


def _estimate(entry: TuningEntry, one: Tried) -> str:
    if one.estimate is None:
        return "runs"
    if entry.ranked_by.startswith("microseconds"):
        return f"{one.estimate:.1f} us"
    return f"{one.estimate / 1e6:.4g} M cycles"


def _apart(one: Tried) -> str:
    apart = one.figures.get("apart")
    return "" if apart is None else f"{apart:.1f} us"


def _ratio(before: float | None, after: float | None) -> str:
    return f"{before / after:.2f}x" if before and after else ""


def _measured(one: Tried) -> str:
    if not one.measured:
        return ""
    median, lower, upper = (one.measured[name] * 1e3 for name in ("median", "lower", "upper"))
    return f"{median:.3g} ({lower:.3g}-{upper:.3g})"


def _thrown_out(entry: TuningEntry) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in entry.tried:
        if not one.is_sound:
            counts[one.outcome] = counts.get(one.outcome, 0) + 1
    return counts


def _verdict(entry: TuningEntry) -> str:
    """The tile that was chosen, and what it is worth."""
    chosen, own = entry.of(entry.tile), entry.of(entry.own_tile)
    if entry.tile == entry.own_tile or chosen is None or own is None:
        return f"chosen: the tables' own, {tile_words(entry.own_tile)}: nothing better was found"
    gain = _ratio(own.seconds, chosen.seconds)
    how = "measured" if gain else f"by {entry.ranked_by}, not measured"
    gain = gain or _ratio(own.estimate, chosen.estimate)
    return f"chosen: {chosen.words}: {gain} as fast as the tables' own ({how})"
