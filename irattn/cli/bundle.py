"""`irattn bundle`."""

from pathlib import Path
from typing import Any

import click

from irattn.cli.common import (
    choose_specs,
    counted,
    echo_json,
    echo_table,
    executor_option,
    is_given,
    jobs_option,
    json_option,
    open_executor,
    set_option,
    size_option,
    store_option,
)
from irattn.cli.compile import build_all, check_whole
from irattn.cli.models import CONFIG_OPTIONS, ModelChoice, config_options, say_notes
from irattn.cli.work import say_work
from irattn.compiling.bundles import (
    SUFFIX,
    Bundle,
    bundle_targets,
    check_place,
    read_bundle,
    write_bundle,
)
from irattn.lab.executors import using
from irattn.rendering import GraphRequest
from irattn.runtime import Selection, select

_FILE = click.Path(dir_okay=False, path_type=Path)
_OPTIONS_OF_WRITING = (
    "output",
    "target_names",
    "cpu",
    "sizes",
    *CONFIG_OPTIONS,
    "settings",
    "store",
    "jobs",
    "executor_words",
)
_CPUS = ("x86-64-v3", "x86-64-v4", "cpu", "none")


@click.command("bundle")
@click.argument("names", nargs=-1)
@click.option("-o", "--output", type=_FILE, metavar=f"FILE{SUFFIX}", help="The bundle to write.")
@click.option(
    "--list", "listed", type=_FILE, metavar=f"FILE{SUFFIX}", help="List a bundle; write nothing."
)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    help="What to compile for, e.g. gfx1100; may be given several times, the preferred one first.",
)
@click.option(
    "--cpu",
    type=click.Choice(_CPUS),
    default=_CPUS[0],
    show_default=True,
    help="The CPU to fall back to; cpu is that of this machine.",
)
@size_option
@config_options
@set_option
@store_option("--out")
@jobs_option
@executor_option
@json_option
def bundle_command(
    names: tuple[str, ...],
    output: Path | None,
    listed: Path | None,
    target_names: tuple[str, ...],
    cpu: str,
    sizes: tuple[str, ...],
    choice: ModelChoice,
    settings: tuple[str, ...],
    store: Path | None,
    jobs: int,
    executor_words: str | None,
    as_json: bool,
) -> None:
    """Compile catalogue entries NAMES, or all, for several targets and a CPU, into one file.

    `irattn run`, `irattn verify` and irattn.load take the variant that runs on the machine. --list
    says which one that is here, and why not the others.
    """
    if listed:
        if names or is_given(*_OPTIONS_OF_WRITING):
            raise click.UsageError(
                "--list: a bundle is listed as it is: give no NAMES, and of the options only --json"
            )
        _print_listing(read_bundle(listed), as_json)
        return
    if output is None:
        raise click.UsageError(f"expected -o FILE{SUFFIX} to write, or --list FILE{SUFFIX} to read")
    chosen = bundle_targets(target_names, None if cpu == "none" else cpu)
    model = choice.read(settings)
    specs = choose_specs(names, settings, sizes, model)
    work = [(name, GraphRequest(spec, one)) for name, spec in specs.items() for one in chosen]
    say_notes(model, chosen)
    check_place(output)
    with using(open_executor(executor_words, jobs)) as executor:
        if not (names or model or as_json):
            say_work(work, executor)
        built, failed = build_all(work, executor, store, quiet=as_json)
    check_whole(failed, output)
    bundle = write_bundle(output, [one.artifact for one in built])
    if as_json:
        echo_json(_to_dict(bundle))
    else:
        entries = counted(specs, "entry", "entries")
        click.echo(f"{counted(built, 'artifact')} of {entries} in {output}")


def _print_listing(bundle: Bundle, as_json: bool) -> None:
    """Print entries and variants, each checked as it would be before it runs."""
    if as_json:
        echo_json(_to_dict(bundle))
        return
    rows = []
    for name in bundle.entries:
        selection = select(bundle, name)
        reasons = dict(selection.rejected)
        for target in bundle.entries[name]:
            size = len(bundle.artifact(name, target).vmfb)
            rows.append((name, target, str(size), reasons.get(target, "would run here")))
    echo_table(rows, ["name", "target", "bytes", "on this machine"])


def _to_dict(bundle: Bundle) -> dict[str, Any]:
    return {
        "path": str(bundle.path),
        "entries": {name: _entry_to_dict(bundle, select(bundle, name)) for name in bundle.entries},
    }


def _entry_to_dict(bundle: Bundle, selection: Selection) -> dict[str, Any]:
    artifacts = [bundle.artifact(selection.entry, t) for t in bundle.entries[selection.entry]]
    return {
        "spec": artifacts[0].spec.to_dict(),
        "variants": [
            {
                "target": artifact.target,
                "key": artifact.manifest.key,
                "bytes": len(artifact.vmfb),
                "sha256": artifact.manifest.sha256,
            }
            for artifact in artifacts
        ],
        "accepted": selection.accepted,
        "rejected": [{"target": target, "reason": reason} for target, reason in selection.rejected],
    }
