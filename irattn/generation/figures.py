"""Figures of a generation: tokens, seconds and transfers."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

from irattn.runtime import Transfers, transfers


@dataclass
class Figures:
    """Counts of one batch, and the wall-clock seconds of its steps.

    - prompt_tokens: tokens of prompts that were computed; reused_tokens: those whose keys and
      values the cache still had
    - new_tokens: all that were generated; decoded_tokens: those of them that steps without tokens
      of prompts gave, which are the steps of decoding
    - cascade_steps: steps of decoding that read once what sequences share; saved_tokens: tokens
      whose keys and values each layer did not read again for that
    - first_token_seconds: those of all steps up to the first token that any sequence got
    - transferred: copies between host and device that the steps made; on a CPU these are copies
      within its memory
    """

    prompt_tokens: int = 0
    reused_tokens: int = 0
    new_tokens: int = 0
    decoded_tokens: int = 0
    prefill_steps: int = 0
    decode_steps: int = 0
    cascade_steps: int = 0
    saved_tokens: int = 0
    prefill_seconds: float = 0.0
    decode_seconds: float = 0.0
    first_token_seconds: float = 0.0
    transferred: Transfers = field(default_factory=Transfers)

    @property
    def prefill_rate(self) -> float:
        """Tokens of prompts a second."""
        return self.prompt_tokens / self.prefill_seconds if self.prefill_seconds else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens that steps of decoding gave, of all sequences, a second."""
        return self.decoded_tokens / self.decode_seconds if self.decode_seconds else 0.0

    def per_token(self, name: str) -> float:
        """A count of `transferred` for each new token."""
        count: int = getattr(self.transferred, name)
        return count / self.new_tokens if self.new_tokens else 0.0

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Count a step, `prefill` if it has tokens of prompts, else `decode`, with its copies."""
        start, before = perf_counter(), transfers()
        try:
            yield
        finally:
            self._count(phase, perf_counter() - start, transfers() - before)

    def _count(self, phase: str, seconds: float, transferred: Transfers) -> None:
        for name, more in ((f"{phase}_seconds", seconds), (f"{phase}_steps", 1)):
            setattr(self, name, getattr(self, name) + more)
        if self.new_tokens and not self.first_token_seconds:
            self.first_token_seconds = self.prefill_seconds + self.decode_seconds
        self.transferred += transferred

    def to_dict(self) -> dict[str, Any]:
        """JSON form, with the rates."""
        directions = ("to_device", "to_host", "on_device")
        names = (*directions, *(f"bytes_{direction}" for direction in directions))
        return {
            **asdict(self),
            "prefill_tokens_per_second": round(self.prefill_rate, 3),
            "decode_tokens_per_second": round(self.decode_rate, 3),
            "transfers_per_token": {name: round(self.per_token(name), 3) for name in names},
        }
