"""`irattn generate`."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from irattn.cli.common import echo_json, json_option, store_option, target_option
from irattn.cli.devices import device_option
from irattn.cli.models import ignore_key_option
from irattn.cli.renamed import RenamedOption
from irattn.core.dtypes import FLOAT_NAMES
from irattn.core.progress import step
from irattn.generation import Built, Figures, Generator, Request, Sampling, Sizes, Token
from irattn.models import ignored_note


@click.command("generate")
@click.argument("model_folder", type=click.Path(path_type=Path))
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    required=True,
    help="Text to go on from; may be repeated. - reads standard input.",
)
@click.option(
    "--max-new-tokens",
    type=click.IntRange(1),
    default=64,
    show_default=True,
    help="Tokens after each prompt, unless the model ends its text before.",
)
@target_option("What to compile for.")
@device_option("Where to run; only auto falls back to the CPU.")
@click.option(
    "--batch",
    type=click.IntRange(1),
    default=Sizes.batch,
    show_default=True,
    help="Sequences of a step; others wait.",
)
@click.option(
    "--step-tokens",
    cls=RenamedOption,
    old_words=("--chunk",),
    type=click.IntRange(1),
    help="The most tokens of a step, of prompts and decodes.  [default: 512 on a GPU, else 256]",
)
@click.option(
    "--context",
    type=click.IntRange(1),
    help="The most tokens of a sequence.  [default: 2048, or all that the model has]",
)
@click.option(
    "--block-size",
    type=click.IntRange(1),
    default=Sizes.block_size,
    show_default=True,
    help="Tokens of a block of the cache.",
)
@click.option(
    "--num-blocks",
    type=click.IntRange(1),
    help="Blocks that all sequences share.  [default: enough for a batch of whole contexts]",
)
@click.option(
    "--io-dtype", type=click.Choice(FLOAT_NAMES), help="Storage type.  [default: the config's]"
)
@click.option(
    "--temperature",
    type=click.FloatRange(0),
    default=Sampling.temperature,
    show_default=True,
    help="Above 0, draw tokens by their likelihood; at 0 take the likeliest.",
)
@click.option(
    "--top-p",
    type=click.FloatRange(0, 1, min_open=True),
    default=Sampling.top_p,
    show_default=True,
    help="Draw from the fewest tokens that are so likely together.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=Sampling.seed, show_default=True, help="Of draws."
)
@ignore_key_option("")
@store_option("--out")
@json_option
def generate_command(
    model_folder: Path,
    prompts: tuple[str, ...],
    max_new_tokens: int,
    temperature: float,
    top_p: float,
    seed: int,
    store: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Generate text with the Llama, Mistral, Qwen 2 or Qwen 3 model in MODEL_FOLDER.

    The folder has config.json, tokenizer.json and *.safetensors, as Hugging Face keeps them. The
    likeliest token is taken each time, unless --temperature is given. What is compiled is kept, and
    serves other prompts. Texts go to stdout as they come, one after the other, each of several
    below its number; the rest goes to stderr.
    """
    prompts = _read_prompts(prompts)
    generator = Generator(model_folder, out=store, **options)
    for key in options["ignore_keys"]:
        click.echo(f"Note: {ignored_note(key)}", err=True)
    sampling = Sampling(temperature=temperature, top_p=top_p, seed=seed)
    requests = [
        generator.request(prompt, max_new_tokens, sampling, f"prompt {number}")
        for number, prompt in enumerate(prompts, 1)
    ]
    built: list[Built] = []
    with step(f"loading {model_folder}"):
        generator.load(built.append if as_json else _say_built, requests)
    if as_json:
        texts = [""] * len(prompts)
        with step("generating"):
            for token in generator.run(requests):
                texts[token.request] += token.text
        echo_json(_to_dict(generator, prompts, requests, texts, built))
        return
    _show(prompts, requests, generator.run(requests))
    _say_figures(generator.figures)
    places = _by_place(generator)
    for place, graphs in places.items():
        which = f": {', '.join(graphs)}" if len(places) > 1 else ""
        click.echo(f"ran {place}{which}", err=True)


def _read_prompts(words: Sequence[str]) -> tuple[str, ...]:
    """The prompts, where - stands for standard input; UsageError where there is nothing in it."""
    if words.count("-") > 1:
        raise click.UsageError("--prompt -: standard input is read once, got it twice")
    return tuple(_read_input() if word == "-" else word for word in words)


def _read_input() -> str:
    """All of standard input but for the end of its last line, which `echo` and editors add."""
    try:
        # Python has no stream where the shell closed it.
        text = sys.stdin.buffer.read().decode() if sys.stdin else ""
    except UnicodeDecodeError as error:
        raise click.UsageError(f"--prompt -: expected text in UTF-8: {error}") from error
    text = text.removesuffix("\n").removesuffix("\r")
    if not text:
        raise click.UsageError("--prompt -: expected text on standard input, got none")
    return text


def _show(prompts: Sequence[str], requests: Sequence[Request], tokens: Iterable[Token]) -> None:
    """Print prompts and texts in their order: the first that has not ended as it comes.

    One alone has nothing but itself around it; several have their numbers above them.
    """
    waiting = [[] for _ in prompts]  # type: list[list[str]]
    come, shown = [0] * len(prompts), 0
    _begin(0, prompts)
    for token in tokens:
        waiting[token.request].append(token.text)
        come[token.request] += 1
        while shown < len(prompts):
            _print("".join(waiting[shown]))
            waiting[shown].clear()
            # Several may end in one step, whose tokens come one by one.
            if requests[shown].ended is None or come[shown] < len(requests[shown].tokens):
                break
            click.echo()
            shown += 1
            if shown < len(prompts):
                click.echo()
                _begin(shown, prompts)


def _begin(number: int, prompts: Sequence[str]) -> None:
    if len(prompts) > 1:
        click.echo(f"[{number + 1}]")
    _print(prompts[number], bold=True)


def _print(text: str, **style: Any) -> None:
    """Print what a model says, which may be anything, without what would move the cursor."""
    shown = "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)
    click.echo(click.style(shown, **style) if style else shown, nl=False)


def _say_built(built: Built) -> None:
    """Say what was compiled; what is there already needs no word."""
    if built.outcome == "found":
        return
    click.echo(
        f"{built.outcome:8}  {built.seconds:7.2f} s  {built.artifact.target}  {built.name}",
        err=True,
    )


def _say_figures(figures: Figures) -> None:
    reused = f", {figures.reused_tokens} more reused" if figures.reused_tokens else ""
    lines = (
        f"prompts: {figures.prompt_tokens} tokens in {figures.prefill_steps} steps, "
        f"{figures.prefill_rate:,.1f} tokens/s{reused}",
        f"decoding: {figures.decoded_tokens} tokens in {figures.decode_steps} steps, "
        f"{figures.decode_rate:,.1f} tokens/s",
        f"copies for each of {figures.new_tokens} new tokens: "
        f"{figures.per_token('to_device'):.2f} to the device "
        f"({figures.per_token('bytes_to_device'):,.0f} bytes), "
        f"{figures.per_token('to_host'):.2f} to the host "
        f"({figures.per_token('bytes_to_host'):,.0f} bytes)",
    )
    for line in lines:
        click.echo(line, err=True)


def _by_place(generator: Generator) -> dict[str, list[str]]:
    """The graphs that ran at each place."""
    graphs: dict[str, list[str]] = {}
    for graph, place in generator.where.items():
        graphs.setdefault(place, []).append(graph)
    return graphs


def _to_dict(
    generator: Generator,
    prompts: Sequence[str],
    requests: Sequence[Request],
    texts: Sequence[str],
    built: Sequence[Built],
) -> dict[str, Any]:
    return {
        "prompts": [
            {
                "prompt": prompt,
                "prompt_tokens": list(request.prompt),
                "tokens": request.tokens,
                "text": text,
                "ended": request.ended,
            }
            for prompt, request, text in zip(prompts, requests, texts, strict=True)
        ],
        "figures": generator.figures.to_dict(),
        "graphs": [
            {
                "graph": one.name,
                "outcome": one.outcome,
                "seconds": round(one.seconds, 3),
                "path": str(one.artifact.path),
                "ran": generator.where[one.name],
            }
            for one in built
        ],
    }
