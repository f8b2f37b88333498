"""Which token comes next: the likeliest, or one drawn by its likelihood."""

from dataclasses import dataclass

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.core.numbers import real, whole
from irattn.specs.base import store_plain


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """The way to draw tokens: at temperature 0 the likeliest is taken (greedy).

    Else the softmax of the logits over `temperature` says how likely each is, and one is drawn from
    the fewest that together reach `top_p` (Holtzman et al. 2020). The same seed draws the same
    tokens after the same prompt, whatever else is generated at the time.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        store_plain(self)
        words = "a number, 0 to 1000"
        real("temperature", self.temperature, 0, 1e3, expected=words, error=ArgumentError)
        words = "a number, above 0, up to 1"
        real("top_p", self.top_p, 5e-324, 1, expected=words, error=ArgumentError)
        whole("seed", self.seed, least=0, error=ArgumentError)

    @property
    def is_greedy(self) -> bool:
        """Whether the likeliest token is taken."""
        return not self.temperature

    def generator(self) -> np.random.Generator:
        """The generator of random numbers that draws the tokens of one request."""
        return np.random.default_rng(self.seed)

    def choose(self, logits: np.ndarray, generator: np.random.Generator) -> int:
        """The next token, by its logits `[vocab_size]`."""
        if self.is_greedy:
            return int(logits.argmax())
        wide = logits.astype(np.float64)
        weights = np.exp((wide - wide.max()) / self.temperature)
        likelihoods = weights / weights.sum()
        order = np.argsort(-likelihoods, kind="stable")
        ordered = likelihoods[order]
        # As many as reach top_p, the one that does included.
        kept = ordered[np.cumsum(ordered) - ordered < self.top_p]
        return int(order[generator.choice(len(kept), p=kept / kept.sum())])


GREEDY = Sampling()
