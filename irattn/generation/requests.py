"""Requests for text: a prompt, and how many tokens after it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from irattn.core.errors import ArgumentError, OutOfBlocksError, shown
from irattn.core.numbers import whole
from irattn.generation.choice import GREEDY, Draw, Likelihood, Sampling, likelihood, penalised
from irattn.generation.folder import TOKENIZER
from irattn.generation.sizes import Sizes
from irattn.specs.base import plain


@dataclass(eq=False)
class Request:
    """A prompt, and the tokens that it got so far.

    `ended` is None until no more are to come, then `length`, `end token`, which is the last of the
    tokens then, `stop text`, or `cancelled`. With `logprobs`, `likelihoods` has that of each token,
    and of so many of the likeliest. `stop` are texts that the text ends before, where a Generator
    makes it. `keeps`: the cache keeps the new tokens, too, for prompts that go on with them.
    """

    prompt: tuple[int, ...]
    max_new_tokens: int
    sampling: Sampling = GREEDY
    stop: tuple[str, ...] = ()
    logprobs: int | None = None
    keeps: bool = False
    tokens: list[int] = field(default_factory=list)
    likelihoods: list[Likelihood] = field(default_factory=list)
    ended: str | None = None
    # In the cache, while it is in a batch; and how many tokens of the prompt are there.
    sequence: int | None = None
    # Among the states of a batch.
    place: int = 0
    computed: int = 0

    @property
    def draw(self) -> Draw:
        """How its next token is chosen."""
        return Draw(self.sampling, len(self.tokens))

    @property
    def penalty(self) -> float | None:
        """The repetition penalty of tokens that are there already; None where there is none."""
        penalty = self.sampling.repetition_penalty
        return None if penalty == 1 else penalty

    @property
    def needs_logits(self) -> bool:
        """Whether the logits of its tokens must come to the host."""
        return self.penalty is not None or self.logprobs is not None

    def penalised(self, logits: np.ndarray) -> np.ndarray:
        """The logits that its next token is chosen by, of those that the model gave all tokens."""
        if self.penalty is None:
            return logits
        return penalised(logits, (*self.prompt, *self.tokens), self.penalty)

    def note(self, token: int, logits: np.ndarray) -> None:
        """Keep the likelihood of its next token, where that is asked for."""
        if self.logprobs is not None:
            self.likelihoods.append(likelihood(logits, token, self.logprobs))

    def cancel(self) -> None:
        """Let no more tokens come; the next step of its batch gives its blocks back."""
        self.end("cancelled")

    def end(self, why: str) -> None:
        """Let no more tokens come, for a reason; what has ended before stays as it is."""
        self.ended = self.ended or why

    def take(self, token: int, end_tokens: frozenset[int]) -> None:
        """Go on with a token."""
        self.tokens.append(token)
        if self.tokens[-1] in end_tokens:
            self.ended = "end token"
        elif len(self.tokens) == self.max_new_tokens:
            self.ended = "length"

    @property
    def most_tokens(self) -> int:
        """Tokens that the cache must hold at the end: the last one need not be there."""
        return len(self.prompt) + self.max_new_tokens - 1

    @property
    def is_read(self) -> bool:
        """Whether the whole prompt is computed."""
        return self.computed == len(self.prompt)


def request_of(
    prompt: Sequence[int],
    max_new_tokens: int,
    sampling: Sampling,
    name: str,
    sizes: Sizes,
    vocab_size: int,
    stop: Sequence[str] = (),
    logprobs: int | None = None,
) -> Request:
    """A request that can be served; `name` is what errors call the prompt.

    ArgumentError for token ids that the model does not know and for more tokens than a context has,
    OutOfBlocksError where even the empty cache has too few blocks for them.
    """
    whole("max_new_tokens", max_new_tokens, error=ArgumentError)
    if not isinstance(sampling, Sampling):
        raise ArgumentError(f"sampling: expected a Sampling, got {type(sampling).__name__}")
    if logprobs is not None:
        whole("logprobs", logprobs, least=0, error=ArgumentError)
    ids = _checked_ids(prompt, name, vocab_size)
    request = Request(ids, max_new_tokens, sampling, _checked_stop(stop), logprobs)
    check_size(request, name, sizes)
    return request


def check_size(request: Request, name: str, sizes: Sizes) -> None:
    """Refuse what is longer than a context, or than the empty cache; see `request_of`."""
    what = f"{len(request.prompt)} of it and {request.max_new_tokens} new ones"
    if request.most_tokens > sizes.context:
        room = sizes.context + 1 - len(request.prompt)
        raise ArgumentError(
            f"{name}: expected at most {sizes.context + 1} tokens, got "
            f"{request.most_tokens + 1} ({what}); {_lower(room)}, or raise context (--context), up "
            "to the positions that the model has"
        )
    needed = sizes.blocks_of(request.most_tokens)
    if needed > sizes.num_blocks:
        room = sizes.num_blocks * sizes.block_size + 1 - len(request.prompt)
        raise OutOfBlocksError(
            f"num_blocks: expected at least {needed} blocks of {sizes.block_size} tokens for "
            f"{name} ({what}), got {sizes.num_blocks}; {_lower(room)}, or raise num_blocks "
            "(--num-blocks)"
        )


def _lower(room: int) -> str:
    """A way to make a request shorter, where it has room for so many new tokens."""
    if room < 1:
        return "give a shorter prompt"
    return f"lower max_new_tokens (--max-new-tokens) to at most {room}"


def _checked_stop(stop: object) -> tuple[str, ...]:
    texts = plain(stop)
    if not isinstance(texts, tuple) or not all(isinstance(one, str) and one for one in texts):
        raise ArgumentError(f"stop: expected a list of texts, none empty, got {shown(stop)}")
    return texts


def _checked_ids(prompt: object, name: str, vocab_size: int) -> tuple[int, ...]:
    ids = plain(prompt)
    if not isinstance(ids, tuple):
        raise ArgumentError(
            f"{name}: expected text or a list of token ids, got {type(prompt).__name__}"
        )
    if not ids:
        raise ArgumentError(f"{name}: expected at least one token, got none")
    for token in ids:
        if type(token) is not int or not 0 <= token < vocab_size:
            raise ArgumentError(
                f"{name}: expected token ids from 0 to {vocab_size - 1} (vocab_size of "
                f"config.json), got {shown(token)}; if {TOKENIZER} gave that, it is another model's"
            )
    return ids
