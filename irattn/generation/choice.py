"""Which token comes next: how a request says it, and what its kernel is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.core.numbers import real, whole
from irattn.specs.base import store_plain
from irattn.specs.drawn_choice import LEAST_TEMPERATURE


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """The way to draw tokens: at temperature 0, or below 2^-17, the likeliest is taken (greedy).

    Else the softmax of the logits over `temperature` says how likely each is, and one is drawn: of
    the `top_k` likeliest, of the fewest of these that together reach `top_p` (Holtzman et al.
    2020), and of those at least `min_p` times as likely as the likeliest (Nguyen et al. 2024). The
    same seed draws the same tokens after the same prompt, whatever else is generated at the time
    (DrawnChoiceSpec).

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
        return self.temperature < LEAST_TEMPERATURE

    @property
    def words(self) -> tuple[int, int]:
        """The low and the high half of the seed."""
        return self.seed % 2**32, self.seed >> 32


GREEDY = Sampling()


class Draw(NamedTuple):
    """The next draw of a request: `step` counts its tokens so far."""

    sampling: Sampling
    step: int


def drawn_inputs(draws: Sequence[Draw], rows: int) -> dict[str, np.ndarray]:
    """The inputs of DrawnChoiceSpec besides logits; rows past the draws are greedy."""
    every = [*draws, *[Draw(GREEDY, 0)] * (rows - len(draws))]
    ways = [draw.sampling for draw in every]
    seeds = np.array([(*draw.sampling.words, draw.step) for draw in every], np.uint32)
    return {
        "temperature": np.array([[way.temperature] for way in ways], np.float32),
        "top_k": np.array([[min(way.top_k or 0, 2**31 - 1)] for way in ways], np.int32),
        "top_p": np.array([[way.top_p] for way in ways], np.float32),
        "min_p": np.array([[way.min_p] for way in ways], np.float32),
        "seeds": seeds.view(np.int32)[:, None],
    }


def penalised(logits: np.ndarray, seen: Sequence[int], penalty: float) -> np.ndarray:
    """Logits `[vocab_size]` as a repetition penalty leaves them after a text with `seen` tokens."""
    ids = np.unique(np.asarray(seen, np.int64))
    changed = logits.copy()
    wide = logits[ids].astype(np.float64)
    changed[ids] = wide * np.where(wide > 0, 1 / penalty, penalty)
    return changed


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
