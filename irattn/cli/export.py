"""`irattn export`."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import click

from irattn.binary.exporting import write_export
from irattn.binary.manifest import VMFB
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
    store_option,
)
from irattn.cli.compile import build_all, check_whole
from irattn.cli.renamed import RenamedOption
from irattn.compiling.artifact import read_artifact
from irattn.lab.certificates.reading import certificates_in, read_certificate
from irattn.lab.executors import Executor, using
from irattn.rendering import GraphRequest
from irattn.runtime.hub_package import (
    Certified,
    HubSpec,
    hub_specs,
    package_name,
    write_package,
)
from irattn.runtime.machine import target_or_here

_FOLDER = click.Path(file_okay=False, path_type=Path)
_OPTIONS_OF_TORCH = (
    "target_names",
    "settings",
    "certificates",
    "store",
    "jobs",
    "executor_words",
)


@click.command("export")
@click.argument("names", nargs=-1, metavar="ARTIFACT | NAMES")
@click.option(
    "-o",
    "--output",
    "folder",
    cls=RenamedOption,
    old_words=("--hsaco",),
    type=_FOLDER,
    help="The folder to write for hosts that use HIP or CUDA, new or empty.",
)
@click.option(
    "--torch",
    "torch_folder",
    type=_FOLDER,
    metavar="FOLDER",
    help="The package to write for PyTorch, a folder that is new or empty.",
)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    help="With --torch: a GPU to compile for, e.g. gfx1100; may be given several times.",
)
@set_option
@click.option(
    "--certificates",
    type=click.Path(exists=True, path_type=Path),
    metavar="FOLDER",
    help="With --torch: certificates of `irattn certify`; those of its kernels go along.",
)
@store_option()
@jobs_option
@executor_option
@json_option
def export_command(
    names: tuple[str, ...],
    folder: Path | None,
    torch_folder: Path | None,
    target_names: tuple[str, ...],
    settings: tuple[str, ...],
    certificates: Path | None,
    store: Path | None,
    jobs: int,
    executor_words: str | None,
    as_json: bool,
) -> None:
    """Write machine code for hosts that do without IREE.

    With -o, that of an ARTIFACT's folder for hosts that use HIP or, where it is for an NVIDIA GPU,
    CUDA's driver: code, launch.json, which says how to launch it, and C source that does, with
    examples in C and Rust. README.md in it tells how to build and run them.

    With --torch, attention with the heads and features of catalogue entries NAMES, for each
    --target, as a package of Hugging Face `kernels`: FlashAttention's functions for PyTorch.
    """
    if (folder is None) == (torch_folder is None):
        raise click.UsageError("expected -o FOLDER for HIP or CUDA, or --torch FOLDER for PyTorch")
    if folder is not None:
        _export_artifact(names, folder, as_json)
    elif torch_folder is not None:
        specs = {
            one: hub_spec
            for name, spec in choose_specs(names or _no_names(), settings).items()
            for one, hub_spec in hub_specs(name, spec).items()
        }
        with using(open_executor(executor_words, jobs)) as executor:
            work = _work(specs, target_names)
            _export_package(specs, work, torch_folder, certificates, store, executor, as_json)


def _export_artifact(names: tuple[str, ...], folder: Path, as_json: bool) -> None:
    if len(names) != 1:
        raise click.UsageError(f"expected one ARTIFACT with -o, got {len(names)}")
    if is_given(*_OPTIONS_OF_TORCH):
        raise click.UsageError(
            "-o: an artifact is exported as it is: give its folder alone; other options go with "
            "--torch, or say what `irattn compile` makes"
        )
    plan = write_export(read_artifact(Path(names[0])), folder)
    files = sorted(path.name for path in folder.iterdir())
    if as_json:
        echo_json({"path": str(folder), "name": plan.name, "gfx": plan.gfx, "files": files})
        return
    counts = f"{counted(plan.kernels, 'kernel')}, {counted(plan.steps, 'step')}"
    click.echo(f"{folder}: {plan.name} for {plan.gfx}, {counts}")
    for file in files:
        click.echo(f"  {file}  {(folder / file).stat().st_size}")


def _no_names() -> tuple[str, ...]:
    raise click.UsageError("--torch: expected NAMES of catalogue entries of attention")


def _work(
    specs: Mapping[str, HubSpec], target_names: tuple[str, ...]
) -> list[tuple[str, GraphRequest]]:
    targets = dict.fromkeys(target_or_here(name) for name in target_names or [None])
    for target in targets:
        if target.driver not in ("hip", "cuda"):
            raise click.UsageError(
                f"--target: expected GPUs with --torch, e.g. gfx1100, got {target.name}"
            )
    return [(name, GraphRequest(one.spec, t)) for name, one in specs.items() for t in targets]


def _export_package(
    specs: Mapping[str, HubSpec],
    work: list[tuple[str, GraphRequest]],
    folder: Path,
    certificates: Path | None,
    store: Path | None,
    executor: Executor,
    as_json: bool,
) -> None:
    name = package_name(folder)
    known = _certified(certificates) if certificates else {}
    built, failed = build_all(work, executor, store, quiet=as_json)
    check_whole(failed, folder)
    artifacts = [one.artifact for one in built]
    files = write_package(specs, artifacts, folder, known)
    certified = [one for one in artifacts if one.manifest.sha256[VMFB] in known]
    if as_json:
        echo_json({"path": str(folder), "name": name, "kernels": [*specs], "files": [*files]})
        return
    told = f"{counted(artifacts, 'kernel')}, {counted(certified, 'certificate')}"
    click.echo(f"{folder}: package {name}, {told}, {sum(files.values())} bytes")


def _certified(place: Path) -> dict[str, list[Certified]]:
    """Certificates that hold, by the hash of the module that each is of."""
    found = defaultdict(list)
    for path in certificates_in(place) if place.is_dir() else [place]:
        certificate = read_certificate(path)
        if certificate.holds:
            one = Certified(path.name, path.read_bytes(), certificate.summary)
            found[certificate.subjects[VMFB]].append(one)
    return found
