"""`irattn tune`."""

from collections.abc import Mapping
from pathlib import Path

import click

from irattn import targets
from irattn.cli.common import (
    choose_specs,
    counted,
    echo_json,
    executor_option,
    is_given,
    jobs_option,
    json_option,
    open_executor,
    set_option,
    size_option,
    store_option,
)
from irattn.cli.confirmed import confirm_file
from irattn.cli.devices import device_option
from irattn.cli.models import CONFIG_OPTIONS, ModelChoice, config_options, say_notes
from irattn.cli.repeat import command_line, say_repeats
from irattn.cli.tuned import print_entry, print_gains, say_step
from irattn.core.errors import RenderError, UsageError
from irattn.core.progress import step
from irattn.lab.benchmark import DEVICES
from irattn.lab.executors import check_same_everywhere, using
from irattn.lab.tuning import (
    LEAST_TOKENS,
    Budget,
    NotTuned,
    Trials,
    TuningEntry,
    TuningSession,
    budget_of,
    tile_words,
    tiles_in_order,
    tune_each,
)
from irattn.specs import Spec
from irattn.targets import Target


@click.command("tune")
@click.argument("names", nargs=-1)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    help="What to tune for, e.g. gfx1100 or cpu; may be given several times.",
)
@click.option(
    "--confirm",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Tune nothing: measure on a device here what a tuning file ranks, and write a report.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The tuning file, in which other specs and targets stay; or the report of --confirm.  "
    "[default: tuning.json, or FILE.report.json beside the tuning file]",
)
@device_option(
    "Where the best tiles are timed; auto is the target's own, where it is there.", *DEVICES
)
@click.option(
    "--budget",
    metavar="N|TIME",
    help="Try so many tiles of a spec, or begin new ones for so long, all specs together: 40, 90s, "
    "10m, 2h.  [default: all]",
)
@click.option(
    "--tokens",
    type=click.IntRange(LEAST_TOKENS),
    default=LEAST_TOKENS,
    show_default=True,
    help="Queries and keys that tiles are run on, at most; 2048 keys on CPUs, and of few queries.",
)
@size_option
@config_options
@set_option
@store_option("--out")
@jobs_option
@executor_option
@json_option
def tune_command(
    names: tuple[str, ...],
    target_names: tuple[str, ...],
    confirm: Path | None,
    output: Path | None,
    device: str,
    budget: str | None,
    tokens: int,
    sizes: tuple[str, ...],
    choice: ModelChoice,
    settings: tuple[str, ...],
    store: Path | None,
    jobs: int,
    executor_words: str | None,
    as_json: bool,
) -> None:
    """Choose the tiles of attention entries NAMES with evidence, and write a tuning file.

    Every tile that the graph's plan allows is compiled, and thrown out if it fails, spills
    registers or does not fit; run on a cut of the spec and compared with the float64 reference; and
    ranked: for AMD GPUs by the emulator's model, for CPUs by the vector cycles that its steps take.
    The best are verified on every case of inputs, and timed in turns where the device is here.
    `irattn compile --tuning FILE` uses what is found.

    The file is written after each tile. Run again, after Ctrl-C or with a larger budget, tuning
    goes on where it stopped.

    --confirm measures the tiles of a file, all of its entries or those of NAMES and --target, on a
    device that is here, and says how well the order of their estimates agrees with their times.
    --budget N is then how many tiles of each.
    """
    allowed = budget_of(budget)
    if confirm:
        _check_confirm(allowed)
        how = (device, allowed.tiles, output, store, as_json)
        return confirm_file(confirm, names, target_names, *how)
    if not (names or sizes or choice.path):
        raise click.UsageError("expected NAMES of attention entries, --size or --config")
    if not target_names:
        raise click.UsageError("expected --target, what to tune for, or --confirm FILE")
    output = output or Path("tuning.json")
    model = choice.read(settings)
    chosen = list(dict.fromkeys(targets.get(name) for name in target_names))
    work = _work(choose_specs(names, settings, sizes, model), chosen, is_strict=bool(names))
    say_notes(model, chosen)
    with using(open_executor(executor_words, jobs)) as executor, step() as note:
        check_same_everywhere(executor, chosen)
        session = TuningSession(
            path=output,
            executor=executor,
            device=device,
            tokens=tokens,
            budget=allowed,
            command=command_line(),
            root=store,
            tell=lambda *told: note(say_step(*told)),
        )
        entries, failed = _tune(session, work, quiet=as_json)
    if as_json:
        listed = [one.to_dict() for one in entries]
        echo_json({"path": str(output), "entries": listed, "failed": failed})
    else:
        print_gains(entries)
        if entries:
            click.echo(f"{counted(entries, 'entry', 'entries')} in {output}: ", nl=False)
            click.echo(f"irattn compile … --tuning {output} uses what was found")
    if failed:
        for line in failed:
            click.echo(f"Error: {line}", err=True)
        say_repeats([command_line()])
        raise click.exceptions.Exit(1)


def _tune(
    session: TuningSession, work: list[tuple[str, Spec, Target]], *, quiet: bool
) -> tuple[list[TuningEntry], list[str]]:
    """The entries, each printed when it is done, and what stopped others, or some of their tiles.

    What stops the only one is raised.
    """
    entries, failed = [], []
    for outcome in tune_each(session, work):
        if isinstance(outcome, NotTuned):
            if len(work) == 1 or isinstance(outcome.error, UsageError):
                raise outcome.error
            failed.append(f"{outcome.name} for {outcome.target.name}: {outcome.error}")
            continue
        entry, trials = outcome.entry, outcome.trials
        entries.append(entry)
        failed += _failures(entry, trials)
        if not quiet:
            print_entry(entry, len(trials.tiles))
    return entries, failed


def _check_confirm(allowed: Budget) -> None:
    """Refuse what says how to search."""
    if allowed.seconds is not None:
        raise click.UsageError("--confirm: --budget counts tiles, as 12")
    if is_given("tokens", "sizes", *CONFIG_OPTIONS, "settings", "jobs", "executor_words"):
        raise click.UsageError(
            "--confirm measures a file as it is: of the options only --target, --device, --budget, "
            "--output, --store and --json go with it"
        )


def _work(
    specs: Mapping[str, Spec], chosen: list[Target], *, is_strict: bool
) -> list[tuple[str, Spec, Target]]:
    """The jobs with tiles to choose; RenderError for a named entry that has none."""
    work = []
    for target in chosen:
        for name, spec in specs.items():
            try:
                tiles_in_order(spec, target)
            except RenderError as error:
                if is_strict:
                    raise RenderError(f"{name}: {error}") from error
                continue
            work.append((name, spec, target))
    if not work:
        raise click.UsageError("none of these has tiles to choose: only graphs of attention have")
    return work


def _failures(entry: TuningEntry, trials: Trials) -> list[str]:
    """The failures of tiles that are not to blame for them."""
    return [
        f"{entry.name} for {entry.target}, {tile_words(trials.tiles[number])}: {error}"
        for number, error in trials.failures.items()
    ]
