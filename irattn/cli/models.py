"""`--config`: a model on the command line, and what is said of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from irattn.cli.common import echo_table
from irattn.models import Model, model_from_config
from irattn.specs import parse_settings
from irattn.targets import Target

_SIZES = ("batch", "q_len", "kv_len", "num_blocks", "block_size")

_FLAGS = {"ignore_keys": "--ignore-key"}

# The options that go with `--config`, by the names of their parameters.
CONFIG_OPTIONS = ("config", *_SIZES, "bidirectional", "ignore_keys")


@dataclass(frozen=True)
class ModelChoice:
    """`--config` and those of the options that go with it that were given."""

    path: Path | None
    given: dict[str, Any]

    def read(self, settings: tuple[str, ...]) -> Model | None:
        """The model with its settings, or None without `--config`.

        A size means the same with `--set`, so that what is derived from it follows.
        """
        if self.path is None:
            if self.given:
                flags = ", ".join(_FLAGS.get(name) or _flag(name) for name in self.given)
                raise click.UsageError(f"{flags}: go with --config; else use --set")
            return None
        changes = parse_settings(settings)
        sizes = {name: changes.pop(name) for name in _SIZES if name in changes}
        for name in sizes.keys() & self.given.keys():
            raise click.UsageError(f"--set: {name} is given by {_flag(name)}, too")
        return model_from_config(self.path, **self.given, **sizes).replace(**changes)


def ignore_key_option(read: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--ignore-key`, which may be given several times; help begins with what is `read`."""
    return click.option(
        "--ignore-key",
        "ignore_keys",
        multiple=True,
        metavar="KEY",
        help=f"{read} the file as if KEY were not there; without model_type, keys mean what "
        "they mean to most models.",
    )


def config_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--config` and what goes with it, which the command gets as `choice`."""

    @wraps(command)
    def with_choice(
        config: Path | None, bidirectional: bool, ignore_keys: tuple[str, ...], **options: Any
    ) -> Any:
        sizes = {name: options.pop(name) for name in _SIZES}
        given = {name: size for name, size in sizes.items() if size is not None}
        if bidirectional:
            given["bidirectional"] = True
        if ignore_keys:
            given["ignore_keys"] = ignore_keys
        return command(choice=ModelChoice(config, given), **options)

    wrapped: Callable[..., Any] = with_choice
    for option in (
        ignore_key_option("With --config: read"),
        click.option(
            "--bidirectional", is_flag=True, help="With --config: attention both ways, no cache."
        ),
        _size("block_size", "tokens of a block of the cache.  [default: 16]"),
        _size("num_blocks", "blocks that all sequences share.  [default: enough for the batch]"),
        _size("kv_len", "KV tokens."),
        _size("q_len", "query tokens."),
        _size("batch", "batch size."),
        click.option(
            "--config",
            type=click.Path(exists=True, path_type=Path),
            help="A Hugging Face config.json, its folder, or a GGUF file: that model's "
            "attention, and its layers, MLP or experts among them. --set reaches the specs that "
            "have the field.",
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


def _size(name: str, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(_flag(name), type=click.IntRange(1), help=f"With --config: {what}")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def say_notes(model: Model | None, chosen: Iterable[Target]) -> list[str]:
    """Say on stderr what a model does not get, a line each; returns the lines."""
    if model is None:
        return []
    notes = [*model.notes, *_slow_f32(model, chosen)]
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    return notes


def _slow_f32(model: Model, chosen: Iterable[Target]) -> list[str]:
    """A note on targets that multiply no f32 matrices, where the file alone asks for f32."""
    slow = [target for target in chosen if target.is_gpu and "f32" not in target.matrix]
    if not slow or not model.f32_because:
        return []
    storage = "bf16" if all("bf16" in target.matrix for target in slow) else "f16"
    names = ", ".join(target.name for target in slow)
    return [
        f"{model.f32_because}: f32 kernels, without matrix instructions on {names}; "
        f"--set io_dtype={storage} gives kernels with them"
    ]


def echo_layers(model: Model) -> None:
    """Print which layers of the model each spec is for."""
    click.echo()
    rows = [(_ranges(layers), name) for name, layers in model.layers.items()]
    echo_table(rows, ["layers", "artifact"])


def _ranges(layers: tuple[int, ...] | None) -> str:
    """Numbers of layers, those that follow each other as a range: `0-4, 6-10`."""
    if layers is None:
        return "not known"
    starts = [number for number in layers if number - 1 not in layers]
    ends = [number for number in layers if number + 1 not in layers]
    pairs = zip(starts, ends, strict=True)
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in pairs)
