"""`irattn run`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from irattn.cli.arrays import read_array, write_arrays
from irattn.cli.common import (
    echo_json,
    json_option,
    named_spec,
    set_option,
    store_option,
    target_option,
)
from irattn.cli.devices import device_option
from irattn.cli.renamed import RenamedOption
from irattn.compiling.artifact import is_artifact, read_artifact
from irattn.compiling.build import build
from irattn.compiling.bundles import is_bundle, read_bundle
from irattn.compiling.store import Store
from irattn.core.dtypes import dtype_name
from irattn.core.folders import check_new_file
from irattn.core.progress import step
from irattn.lab.inputs import random_tensors
from irattn.rendering import GraphRequest
from irattn.runtime import Kernel, load_artifact, load_variant
from irattn.runtime.costs import check_call
from irattn.runtime.machine import target_or_here
from irattn.specs import Spec


@click.command("run")
@click.argument("artifact_or_name")
@target_option("What to compile a catalogue name for.")
@click.option("--name", help="The entry of a bundle, where it has several.")
@device_option("Where to run; only auto falls back to the CPU.")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="NAME=FILE.npy",
    help="An input tensor, also NAME=FILE.npz[:ARRAY]; those not given are random.",
)
@click.option(
    "--seed",
    cls=RenamedOption,
    old_words=("--random",),
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of random inputs.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the output as .npy, several outputs as .npz (bf16 as its bits, dtype V2).",
)
@set_option
@store_option("--out")
@json_option
def run_command(
    artifact_or_name: str,
    target: str | None,
    name: str | None,
    device: str,
    inputs: tuple[str, ...],
    seed: int,
    output: Path | None,
    settings: tuple[str, ...],
    store: Path | None,
    as_json: bool,
) -> None:
    """Run an artifact's folder, a bundle or a catalogue NAME once and say what came out.

    A name may be a spec in JSON.
    """
    if output:
        check_new_file(output, "--output")
    load, spec, title = _loader(artifact_or_name, target, device, name, settings, store)
    given = dict(map(_read_input, inputs))
    if len(given) < len(inputs):
        raise click.UsageError("--input: a name is given twice")
    names = [tensor.name for tensor in spec.outputs]
    if output and len(names) > 1 and output.suffix != ".npz":
        raise click.UsageError(
            f"--output: {title} has the outputs {', '.join(names)}, which need a "
            f".npz file, got {output}"
        )
    with step(f"running {title}"):
        tensors = random_tensors(spec, seed) | given
        kernel = load(device)
        results: dict[str, Any] = dict(zip(names, kernel.outputs(**tensors), strict=True))
    if output:
        write_arrays(output, results)
    if as_json:
        echo_json(_to_dict(kernel, title, results, output))
        return
    for name, result in results.items():
        _report(name, result)
    click.echo(f"ran {kernel.artifact.target} code on device {kernel.driver}", err=True)


def _loader(
    word: str,
    target: str | None,
    device: str,
    name: str | None,
    settings: tuple[str, ...],
    store: Path | None,
) -> tuple[Callable[[str], Kernel], Spec, str]:
    """A loader of the kernel that a word stands for, on a device, with its spec and its name."""
    if name is not None and not is_bundle(word):
        raise click.UsageError("--name goes with a bundle")
    if is_bundle(word):
        if target is not None or settings or store:
            raise click.UsageError(
                "--target, --set and --store go with a catalogue name, not a bundle"
            )
        bundle = read_bundle(Path(word))
        entry = bundle.entry(name)
        spec = bundle.artifact(entry, bundle.entries[entry][0]).spec
        return partial(load_variant, bundle, entry), spec, entry
    if is_artifact(word):
        if target is not None or settings:
            raise click.UsageError("--target and --set go with a catalogue name, not an artifact")
        artifact = read_artifact(Path(word))
    else:
        changed, spec = named_spec(word, settings)
        check_call(spec)
        chosen = target_or_here(target, device)
        artifact = build(GraphRequest(spec, chosen), Store(store), name=changed)
    return partial(load_artifact, artifact, root=store), artifact.spec, artifact.manifest.name


def _read_input(entry: str) -> tuple[str, np.ndarray]:
    name, equals, source = entry.partition("=")
    if not equals:
        raise click.UsageError(f"--input: expected NAME=FILE.npy, got {entry!r}")
    return name, read_array(name, source)


def _report(name: str, result: np.ndarray) -> None:
    figures = _figures(result)
    shape = ", ".join(map(str, result.shape))
    click.echo(f"{name} {dtype_name(result.dtype)} [{shape}]")
    click.echo("  ".join(f"{figure} {value:.6g}" for figure, value in figures.items()))


def _to_dict(
    kernel: Kernel, title: str, results: dict[str, np.ndarray], output: Path | None
) -> dict[str, Any]:
    return {
        "name": title,
        "target": kernel.artifact.target,
        "device": kernel.driver,
        "outputs": [
            {
                "name": name,
                "dtype": dtype_name(result.dtype),
                "shape": list(result.shape),
                **_sayable(_figures(result)),
            }
            for name, result in results.items()
        ],
        "saved_to": str(output) if output else None,
    }


def _figures(result: np.ndarray) -> dict[str, float]:
    values = result.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return {"mean": values.mean(), "min": values.min(), "max": values.max()}


def _sayable(figures: dict[str, float]) -> dict[str, Any]:
    """JSON has no NaN and no infinity: null, and in words beside it."""
    odd = {figure: str(value) for figure, value in figures.items() if not np.isfinite(value)}
    numbers = {figure: None if figure in odd else float(value) for figure, value in figures.items()}
    return {**numbers, "not_finite": odd}
