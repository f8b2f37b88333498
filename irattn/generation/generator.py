"""Text from a model's folder or file: what `irattn generate` does, for Python."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Generator as Tokens
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.several import Built
from irattn.core.dtypes import float_name
from irattn.core.errors import ArgumentError, DeviceError, shown
from irattn.generation.artifacts import build_all
from irattn.generation.batch import Batch
from irattn.generation.cascades import Cascade
from irattn.generation.chat import ChatTemplate
from irattn.generation.choice import Sampling
from irattn.generation.figures import Figures
from irattn.generation.gguf_model import model_at
from irattn.generation.graphs import Phase
from irattn.generation.model import DeviceModel
from irattn.generation.model_graphs import graphs_of
from irattn.generation.parameters import parameters_of
from irattn.generation.requests import Request, request_of
from irattn.generation.sizes import Sizes
from irattn.generation.texts import StopTexts, TextStream, Tokenizer
from irattn.generation.weights import Weights
from irattn.kvcache.cascade import LEAST_BYTES_OF_CPUS, LEAST_BYTES_OF_GPUS
from irattn.runtime import GPU_DRIVERS, auto_device
from irattn.runtime.costs import check_memory
from irattn.runtime.loading import check_device, check_device_arrays, misfit, why_not
from irattn.runtime.machine import target_or_here
from irattn.specs import Spec
from irattn.targets import Target

logger = logging.getLogger("irattn")

# Tokens of a step on a CPU, which reads all weights in each. With 8 layers of width 512 on two
# Zen 4 cores, prompts of 256 tokens take 0.83 of the time that chunks of 64 take.
_CPU_STEP = 256

# New tokens of a text, unless it is said otherwise.
_NEW_TOKENS = 64

# Text as it comes, which ends where it is closed.
Pieces: TypeAlias = Tokens[str, None, None]

# Text, or the ids of its tokens.
Prompt = str | Sequence[int]


class Token(NamedTuple):
    """A new token: of which request, counted from 0, its id, and the text that is new with it."""

    request: int
    token: int
    text: str


@dataclass(frozen=True)
class Generated:
    """The tokens that a prompt got, and their text; `ended` is as in Request."""

    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    text: str
    ended: str


class Generator:
    """A language model from its folder, or from a GGUF file.

    The folder has config.json, tokenizer.json and *.safetensors, as Hugging Face keeps them. Making
    a Generator reads and checks all but the numbers; `load`, or the first batch, compiles what the
    store (`out`) does not have for `target`, and puts weights and one paged cache on the device.
    On a CPU steps of any number of tokens have one graph; on a GPU graphs for more tokens are
    compiled when a step first needs them, or by `load`.

    Sizes: `batch` sequences in a step (4), of at most `step_tokens` tokens (512 on a GPU, else
    256), those of prompts and one of each sequence whose prompt is read; `context` tokens of a
    sequence (2048, or all that the model has positions for), `block_size` (16) and `num_blocks` of
    the cache (enough for `batch` contexts). The artifacts serve all prompts. `io_dtype` is the
    config's unless it is given. `cache_dtype` (`int8`, `fp8_e4m3` and so on: CacheElements) has
    caches quantised, with a scale for each token and head. `activation_format` (`int8`: LinearSpec)
    rounds what quantised weights in blocks are multiplied with, which is faster on CPUs.
    `ignore_keys` of config.json are read as if they were not there. With `widen_weights` all
    quantised weights become numbers of `io_dtype` while they are loaded; without, those that no
    kernel takes are refused. With `cascade`, steps that decode read once what sequences share, such
    as a long system prompt, where that is enough to pay; without, no bit depends on who shares
    anything.
    `device` is as in `irattn.load`; `auto` falls back to the CPU with one warning.

    Tokens are the likeliest ones (greedy) unless a Sampling is given, or generation_config.json has
    one (`sampling`; `max_new_tokens` likewise, else 64), and the same whatever else is generated at
    the time, but for rounding where it shares a long prefix (`cascade`). For one thread at a time.
    ModelError for a folder that lacks something, ConfigError for a model that irattn does not have,
    TooLargeError where weights and cache do not fit into memory, UsageError where the extra
    `generate` is not installed.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        target: str | None = None,
        device: str = "auto",
        batch: int = Sizes.batch,
        step_tokens: int | None = None,
        context: int | None = None,
        block_size: int = Sizes.block_size,
        num_blocks: int | None = None,
        io_dtype: str | None = None,
        cache_dtype: str | None = None,
        activation_format: str | None = None,
        out: str | Path | None = None,
        ignore_keys: Collection[str] = (),
        widen_weights: bool = False,
        cascade: bool = True,
    ) -> None:
        self._target, self._driver = _place(target_or_here(target, device), device)
        self._root = Path(out) if out else None
        if not isinstance(folder, str | Path):
            raise ArgumentError(f"folder: expected a path, got {shown(folder)}")
        read = model_at(folder, ignore_keys, widens=widen_weights)
        if step_tokens is None:
            step_tokens = Sizes.step_tokens if self._target.is_gpu else _CPU_STEP
        self.sizes = Sizes.of_model(
            read,
            batch=batch,
            step_tokens=step_tokens,
            any_tokens=_takes_any_tokens(self._target),
            context=context,
            block_size=block_size,
            num_blocks=num_blocks,
        )
        element = _checked_dtype(io_dtype)
        self._graphs = graphs_of(read, self.sizes, element, cache_dtype, activation_format)
        if self._driver not in GPU_DRIVERS:
            check_memory("the model with its cache", self._graphs.bytes)
        self._cascade = self._cascade_of_steps() if cascade else None
        self._end_tokens = read.end_tokens
        self.sampling, self.max_new_tokens = read.sampling, read.max_new_tokens or _NEW_TOKENS
        if read.not_done:
            keys = ", ".join(read.not_done)
            logger.warning("generation_config.json: %s: not done: tokens are chosen without", keys)
        self.chat_template = ChatTemplate(read)
        self.tokenizer = Tokenizer(read)
        self._weights = Weights(read)
        self._parameters = parameters_of(read, self._graphs, self._weights)
        self._parameters.check(self._weights)
        self._model: DeviceModel | None = None
        self._report: Callable[[Built], None] = lambda built: None
        self.figures = Figures()

    def load(
        self,
        report: Callable[[Built], None] = lambda built: None,
        requests: Sequence[Request] | None = None,
    ) -> None:
        """Compile and put on the device what is not there yet; `report` is told of artifacts.

        That is what serves some requests, or all prompts where none are given.
        """
        self._report = report
        lengths = [] if requests is None else [len(one.prompt) for one in requests]
        phases = self._every_phase if requests is None else self._graphs.phases_for(lengths)
        self._loaded(phases, draws=requests is None or _draw(requests))

    @property
    def where(self) -> dict[str, str]:
        """The code and the device of each loaded graph, by what the graph is for."""
        named = self._graphs.named(self._every_phase, draws=True)
        kernels = self._model.kernels if self._model else {}
        return {
            named[spec]: f"{kernel.artifact.target} code on device {kernel.driver}"
            for spec, kernel in kernels.items()
        }

    def request(
        self,
        prompt: Prompt,
        max_new_tokens: int | None = None,
        sampling: Sampling | None = None,
        name: str = "prompt",
        *,
        stop: Sequence[str] = (),
        logprobs: int | None = None,
    ) -> Request:
        """A prompt to be served; `name` is what errors call it.

        Its text ends before the first of the `stop` texts. With `logprobs`, its `likelihoods` tell
        how likely each token was, and the so many likeliest.

        ArgumentError for a prompt without tokens, with tokens that the model does not know or with
        too many, OutOfBlocksError where the cache is too small for it.
        """
        if isinstance(prompt, str):
            if not prompt:
                raise ArgumentError(f"{name}: expected text, got an empty one")
            prompt = self.tokenizer.encode(prompt)
        vocab_size = self._graphs.head.vocab_size
        count = self.max_new_tokens if max_new_tokens is None else max_new_tokens
        way = self.sampling if sampling is None else sampling
        return request_of(prompt, count, way, name, self.sizes, vocab_size, stop, logprobs)

    def batch(self) -> Batch:
        """An empty batch, for engines: requests join at any time, and each step is theirs."""
        model = self._loaded(self._graphs.phases[:1])
        return Batch(model, self.sizes, self._end_tokens, self._cascade)

    def run(self, requests: Sequence[Request]) -> Tokens[Token, None, None]:
        """The tokens of requests as they come; `figures` counts them.

        `request.cancel()` ends one of them, and closing the iterator all.
        """
        # Before the time of steps is taken.
        phases = self._graphs.phases_for(len(request.prompt) for request in requests)
        self._loaded(phases, draws=_draw(requests))
        batch = self.batch()
        self.figures = batch.figures
        for request in requests:
            batch.add(request)
        texts = [TextStream(self.tokenizer, request.prompt) for request in requests]
        stops = [StopTexts(request.stop) for request in requests]
        try:
            while not batch.is_idle:
                for request in batch.step():
                    number = requests.index(request)
                    text = texts[number].add(request.tokens[-1])
                    rest = texts[number].rest() if request.ended else ""
                    said, is_end = stops[number].add(text + rest)
                    if is_end:
                        request.ended = "stop text"
                    elif request.ended:
                        said += stops[number].rest()
                    yield Token(number, request.tokens[-1], said)
        finally:
            batch.close()

    def stream(
        self,
        prompt: Prompt,
        max_new_tokens: int | None = None,
        sampling: Sampling | None = None,
        *,
        stop: Sequence[str] = (),
    ) -> Pieces:
        """The text after a prompt, piece by piece; closing the iterator ends it.

        Raises what `request` raises, before the first piece is asked for.
        """
        request = self.request(prompt, max_new_tokens, sampling, stop=stop)
        return self.pieces(request)

    def pieces(self, request: Request) -> Pieces:
        """The text of one request, piece by piece; closing the iterator cancels it."""
        tokens = self.run([request])
        try:
            yield from (new.text for new in tokens if new.text)
        finally:
            request.cancel()
            tokens.close()

    def generate(
        self,
        prompts: Sequence[Prompt],
        max_new_tokens: int | None = None,
        sampling: Sampling | None = None,
        *,
        stop: Sequence[str] = (),
    ) -> list[Generated]:
        """Generate for all prompts, and give the texts at the end; raises what `request` raises."""
        if not isinstance(prompts, list | tuple):
            raise ArgumentError(f"prompts: expected a list of them, got {type(prompts).__name__}")
        requests = [
            self.request(prompt, max_new_tokens, sampling, f"prompt {number}", stop=stop)
            for number, prompt in enumerate(prompts, 1)
        ]
        texts = [""] * len(requests)
        for new in self.run(requests):
            texts[new.request] += new.text
        return [
            Generated(request.prompt, tuple(request.tokens), text, request.ended or "")
            for request, text in zip(requests, texts, strict=True)
        ]

    @property
    def _every_phase(self) -> list[Phase]:
        return [*self._graphs.phases, *([self._cascade.phase] if self._cascade else [])]

    def _cascade_of_steps(self) -> Cascade | None:
        """The graphs of steps that decode, where what sequences share may pay."""
        least = LEAST_BYTES_OF_GPUS if self._target.is_gpu else LEAST_BYTES_OF_CPUS
        return Cascade.of(self._graphs.phases[0], self.sizes, least)

    def _loaded(self, phases: Collection[Phase], draws: bool = False) -> DeviceModel:
        """The model on its device, with what these phases take, and what draws tokens."""
        if self._model is None:
            model = DeviceModel(self._graphs, self.sizes, self._built, self._driver, phases)
            model.bind(self._parameters, self._weights)
            self._model = model
        self._model.prepare(phases)
        if draws:
            self._model.prepare_draws()
        return self._model

    def _built(self, named: Mapping[Spec, str]) -> dict[Spec, Artifact]:
        return build_all(named, self._target, self._root, self._report)


def _draw(requests: Sequence[Request]) -> bool:
    """Whether any of some requests draws its tokens."""
    return any(not request.sampling.is_greedy for request in requests)


def _takes_any_tokens(target: Target) -> bool:
    """Whether one graph is to serve steps of any number of tokens.

    The bits of a sequence then do not depend on who else is in its steps. A GPU has matrix
    instructions, and code that reads weights at full speed for few tokens, only where their number
    is known.
    """
    return not target.is_gpu


def _checked_dtype(given: str | None) -> str | None:
    name = None if given is None else float_name(given)
    if given is not None and name is None:
        raise ArgumentError(f"io_dtype: expected one of f32, f16, bf16, got {shown(given)}")
    return name


def _place(target: Target, device: str) -> tuple[Target, str]:
    """The target and the device: one for all graphs, whichever way it is chosen."""
    check_device(device)
    if device == "auto" and target.is_gpu:
        driver, reason = auto_device(target)
        if driver != "cpu":
            return target, driver
        logger.warning("%s; falling back to the CPU", reason)
        return targets.get("cpu"), device
    if problem := misfit(target, device):
        raise DeviceError(
            f"device {device}: cannot run {target.name} code: {problem}; use device auto or "
            "another target"
        )
    if problem := why_not(target, device):
        raise DeviceError(f"{problem}; `irattn doctor` shows what is there")
    check_device_arrays(target, device)
    return target, device
