"""Which token comes next: the likeliest, or one drawn by its likelihood."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.core.numbers import real, whole
from irattn.specs.base import store_plain


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """The way to draw tokens: at temperature 0 the likeliest is taken (greedy).

    Else the softmax of the logits over `temperature` says how likely each is, and one is drawn: of
    the `top_k` likeliest, of the fewest of these that together reach `top_p` (Holtzman et al.
    2020), and of those at least `min_p` times as likely as the likeliest (Nguyen et al. 2024). The
    same seed draws the same tokens after the same prompt, whatever else is generated at the time.

    Before all that, logits of tokens that the prompt or the text has are divided by
    `repetition_penalty` where they are positive, and multiplied with it where they are not
    (Keskar et al. 2019).
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        store_plain(self)
        words = "a number, 0 to 1000"
        real("temperature", self.temperature, 0, 1e3, expected=words, error=ArgumentError)
        words = "a number, above 0, up to 1"
        real("top_p", self.top_p, 5e-324, 1, expected=words, error=ArgumentError)
        if self.top_k is not None:
            whole("top_k", self.top_k, error=ArgumentError)
        real("min_p", self.min_p, 0, 1, expected="a number, 0 to 1", error=ArgumentError)
        words = "a number, 0.01 to 100"
        penalty = self.repetition_penalty
        real("repetition_penalty", penalty, 0.01, 100, expected=words, error=ArgumentError)
        whole("seed", self.seed, least=0, error=ArgumentError)

    @property
    def is_greedy(self) -> bool:
        """Whether the likeliest token is taken."""
        return not self.temperature

    @property
    def needs_logits(self) -> bool:
        """Whether the largest of the logits alone does not tell the token."""
        return not self.is_greedy or self.repetition_penalty != 1

    def generator(self) -> np.random.Generator:
        """The generator of random numbers that draws the tokens of one request."""
        return np.random.default_rng(self.seed)

    def choose(
        self, logits: np.ndarray, generator: np.random.Generator, seen: Sequence[int] = ()
    ) -> int:
        """The next token, by its logits `[vocab_size]`, after a text with the `seen` tokens."""
        wide = logits.astype(np.float64)
        if self.repetition_penalty != 1:
            ids = np.unique(np.asarray(seen, np.int64))
            factors = np.where(wide[ids] > 0, 1 / self.repetition_penalty, self.repetition_penalty)
            wide[ids] *= factors
        if self.is_greedy:
            return int(wide.argmax())
        weights = np.exp((wide - wide.max()) / self.temperature)
        likelihoods = weights / weights.sum()
        order = np.argsort(-likelihoods, kind="stable")[: self.top_k]
        ordered = likelihoods[order]
        # As many as reach top_p, the one that does included.
        kept = ordered[np.cumsum(ordered) - ordered < self.top_p * min(ordered.sum(), 1.0)]
        kept = kept[kept >= self.min_p * kept[0]]
        return int(order[generator.choice(len(kept), p=kept / kept.sum())])


GREEDY = Sampling()


class Likelihood(NamedTuple):
    """The natural logarithm of the likelihood that the model gave a token, whatever was drawn.

    `likeliest` are as many tokens as were asked for, each with its own, the likeliest first.
    """

    token: int
    logprob: float
    likeliest: tuple[tuple[int, float], ...]


def likelihood(logits: np.ndarray, token: int, count: int) -> Likelihood:
    """The likelihood of a token and of the likeliest ones, by the logits `[vocab_size]`."""
    wide = logits.astype(np.float64)
    above = wide - wide.max()
    logprobs = above - np.log(np.exp(above).sum())
    order = np.argsort(-logprobs, kind="stable")[:count].tolist()
    return Likelihood(token, float(logprobs[token]), tuple((n, float(logprobs[n])) for n in order))
