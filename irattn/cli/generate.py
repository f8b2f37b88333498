"""`irattn generate`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from irattn.cli.chat import print_text, talk
from irattn.cli.common import counted, echo_json, json_option, store_option, target_option
from irattn.cli.devices import device_option
from irattn.cli.models import ignore_key_option
from irattn.cli.prompts import PromptedCommand, read_file, read_prompts
from irattn.cli.renamed import RenamedOption
from irattn.core.dtypes import FLOAT_NAMES
from irattn.core.progress import step
from irattn.generation import (
    Built,
    Conversation,
    Figures,
    Generator,
    Request,
    Sampling,
    Sizes,
    Token,
)
from irattn.generation.choice import GREEDY
from irattn.models import ignored_note
from irattn.specs.activation_formats import ACTIVATION_FORMATS
from irattn.specs.cache_elements import CACHE_DTYPES


@click.command("generate", cls=PromptedCommand, context_settings={"allow_extra_args": True})
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    help="Text to go on from; may be repeated. - reads standard input.",
)
@click.option(
    "--prompt-file",
    "prompt_files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File with a text to go on from, but for the end of its last line; after those of "
    "--prompt; may be repeated.",
)
@click.option(
    "--chat",
    is_flag=True,
    help="Talk with the model, by its folder's chat template: prompts are what the user says in "
    "turn, without one each line of standard input.",
)
@click.option("--system", help="What a chat's model is told first.")
@click.option(
    "--max-new-tokens",
    type=click.IntRange(1),
    help="Tokens after each prompt, unless the model ends its text before.  "
    "[default: generation_config.json's, or 64]",
)
@click.option(
    "--stop", multiple=True, help="Text that ends a text, and is left out; may be repeated."
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
    "--cache-dtype",
    type=click.Choice(CACHE_DTYPES),
    help="Storage type of keys and values, which are quantised: half of f16's bytes, with a scale "
    "for each token and head; int4 a quarter, with one for each 32 columns.  "
    "[default: --io-dtype's]",
)
@click.option(
    "--activation-format",
    type=click.Choice(ACTIVATION_FORMATS),
    help="Round what is multiplied with quantised weights of a GGUF file: faster on CPUs.  "
    "[default: not rounded]",
)
@click.option(
    "--temperature",
    type=click.FloatRange(0),
    help="Above 0, draw tokens by their likelihood; at 0 take the likeliest.  "
    "[default: generation_config.json's, or 0]",
)
@click.option(
    "--top-p",
    type=click.FloatRange(0, 1, min_open=True),
    help="Draw from the fewest tokens that are so likely together.",
)
@click.option("--top-k", type=click.IntRange(1), help="Draw from so many of the likeliest tokens.")
@click.option(
    "--min-p",
    type=click.FloatRange(0, 1),
    help="Draw from tokens that are so likely beside the likeliest.",
)
@click.option(
    "--repetition-penalty",
    type=click.FloatRange(0.01, 100),
    help="Above 1, tokens that are there already become less likely.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=Sampling.seed, show_default=True, help="Of draws."
)
@click.option(
    "--logprobs",
    type=click.IntRange(0),
    help="With --json: how likely each token was, and so many of the likeliest.",
)
@click.option(
    "--cascade/--no-cascade",
    default=True,
    help="Read once what sequences share, where that pays; without, no bit depends on who shares "
    "anything.  [default: --cascade]",
)
@click.option(
    "--widen-weights",
    is_flag=True,
    help="Make numbers of the storage type of all quantised weights.",
)
@ignore_key_option("Read")
@store_option("--out")
@json_option
def generate_command(
    model: Path,
    prompts: tuple[str, ...],
    prompt_files: tuple[Path, ...],
    chat: bool,
    system: str | None,
    max_new_tokens: int | None,
    stop: tuple[str, ...],
    temperature: float | None,
    top_p: float | None,
    top_k: int | None,
    min_p: float | None,
    repetition_penalty: float | None,
    seed: int,
    logprobs: int | None,
    store: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Generate text with the language model in MODEL, a folder or a GGUF file.

    A folder has config.json, tokenizer.json and *.safetensors, as Hugging Face keeps them; a
    MODEL.gguf has all of it. The likeliest token is taken each time, unless --temperature or
    generation_config.json says otherwise. What is compiled is kept, and serves other prompts. Texts
    go to stdout as they come, one after the other, each of several below its number; the rest goes
    to stderr.
    """
    _check_together(prompts or prompt_files, chat, system, as_json, logprobs)
    prompts = (*read_prompts(prompts), *map(read_file, prompt_files))
    generator = Generator(model, out=store, **options)
    for key in options["ignore_keys"]:
        click.echo(f"Note: {ignored_note(key)}", err=True)
    given = {
        **{"temperature": temperature, "top_p": top_p, "top_k": top_k, "min_p": min_p},
        **{"repetition_penalty": repetition_penalty, "seed": seed},
    }
    sampling = _sampling(generator.sampling, given)
    how: dict[str, Any] = {"sampling": sampling, "max_new_tokens": max_new_tokens, "stop": stop}
    if chat:
        talk(Conversation(generator, system=system, **how), prompts, _say_built)
        return
    requests = [
        generator.request(prompt, name=f"prompt {number}", logprobs=logprobs, **how)
        for number, prompt in enumerate(prompts, 1)
    ]
    built: list[Built] = []
    with step(f"loading {model}"):
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


def _check_together(
    has_prompts: Any, chat: bool, system: str | None, as_json: bool, logprobs: int | None
) -> None:
    """UsageError for options that have nothing to do without another, or beside it."""
    if not has_prompts and not chat:
        raise click.UsageError("--prompt: expected text to go on from, or --chat")
    if system is not None and not chat:
        raise click.UsageError("--system: has no effect without --chat")
    if chat and as_json:
        raise click.UsageError("--json: --chat speaks as it goes; leave one of them out")
    if logprobs is not None and not as_json:
        raise click.UsageError("--logprobs: has no effect without --json")


def _sampling(default: Sampling, given: Mapping[str, Any]) -> Sampling:
    """The folder's way to draw tokens, with what was given in its place."""
    sampling = replace(default, **{name: v for name, v in given.items() if v is not None})
    if default != GREEDY:
        says = ", ".join(f"{name} {value}" for name, value in asdict(sampling).items())
        click.echo(f"Note: generation_config.json: drawing tokens with {says}", err=True)
    return sampling


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
            print_text("".join(waiting[shown]))
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
    print_text(prompts[number], bold=True)


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
        f"prompts: {counted(figures.prompt_tokens, 'token')} in "
        f"{counted(figures.prefill_steps, 'step')}, "
        f"{figures.prefill_rate:,.1f} tokens/s{reused}; "
        f"the first new token after {figures.first_token_seconds:.3f} s",
        f"decoding: {counted(figures.decoded_tokens, 'token')} in "
        f"{counted(figures.decode_steps, 'step')}, "
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


def _likelihoods(request: Request) -> dict[str, Any]:
    """How likely the tokens of a request were, where that was asked for."""
    if request.logprobs is None:
        return {}
    return {"logprobs": [one._asdict() for one in request.likelihoods]}


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
                **_likelihoods(request),
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
