"""Logits to a token that is drawn by its likelihood, or to the likeliest."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import Role, TensorType, integers
from irattn.specs.token_choice import TokenChoice

# The least temperature that tokens are drawn at.
LEAST_TEMPERATURE = 2.0**-17

# A weight of 1 has so many bits below it, and a distance of 1, which halves it, so many.
WEIGHT_BITS, DISTANCE_BITS = 31, 16

# From this distance on weights are 0.
FAR = 32

# Half a weight's bits of 2^-u, for u below 1, is 1 - u (a - u (b - ...)) with these in units of
# 2^-32: fitted to the least relative error, 2^-23.4.
HALVING_TERMS = (2977029614, 1031565858, 237500342, 39538599, 4058329)

# All numbers of int32.
_ALL = (-(2**31), 2**31 - 1)


@dataclass(frozen=True, kw_only=True)
class DrawnChoiceSpec(TokenChoice):
    """A token of each row: drawn by the softmax of logits / temperature, or the likeliest.

    Tensors:

    - logits `[batch, q_len, vocab_size]` in `io_dtype`, as LmHeadSpec gives them
    - temperature f32 `[batch, q_len]`: below 2^-17, or NaN, the likeliest token is taken
    - top_k int32 `[batch, q_len]`: how many of the likeliest tokens are drawn from; all below 1
    - top_p f32 `[batch, q_len]`: of these the fewest of the likeliest that together reach so much
      of their sum (Holtzman et al. 2020); all from 1 on, or where it is NaN
    - min_p f32 `[batch, q_len]`: of these the ones at least so many times as likely as the
      likeliest (Nguyen et al. 2024); all at 0 or below, or where it is NaN, and at 1 or above
      those that are as likely
    - seeds int32 `[batch, q_len, 3]`: the bits of three unsigned numbers, the low and the high half
      of a request's seed, and its step. A row's token depends on its own numbers alone, not on its
      place or on other rows
    - token_ids int32 `[batch, q_len]`, as EmbeddingSpec takes them

    The likeliest token is GreedyChoiceSpec's: of equal logits the first, where there is a NaN the
    first one, whatever the temperature. The order of likelihood is that of logits, of equal ones
    that of token ids.

    Results are the same bits on every machine, because all that is added up is whole. A token's
    distance is floor((largest logit - logit) * f32(2^16 log2(e) / temperature)) in units of 2^-16,
    rounded to f32 after each of the three operations; equal logits have distance 0. Its weight is 2
    to the negative distance, in units of 2^-31, rounded down: half the units of HALVING_TERMS'
    polynomial for the fraction, shifted by the whole part; 0 from a distance of 32 on. With u of 64
    bits, the first token in the order of likelihood is drawn whose weight and those before it are
    together more than floor(u * sum / 2^64), of the sum of those that are drawn from. u is
    word 0 + 2^32 word 1 of Philox4x32-10 (Salmon et al. 2011) with the seed for a key and the
    counter (step, 0, 0, 0). top_p counts in units of 2^-32, rounded down, and its share of the sum
    is rounded up, to 1 at least; min_p's share of 2^31 is rounded up.

    `dynamic` may name batch.
    """

    op: ClassVar[str] = "drawn_choice"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        rows = self.rows
        return (
            self.logits,
            TensorType("temperature", rows, "f32", role=Role.TEMPERATURE),
            integers("top_k", rows, Role.TOP_K, _ALL),
            TensorType("top_p", rows, "f32", role=Role.LIKELIHOOD),
            TensorType("min_p", rows, "f32", role=Role.LIKELIHOOD),
            integers("seeds", (*rows, 3), Role.SEEDS, _ALL),
        )

    @property
    def flops(self) -> int:
        """Elements touched, once for each of two bits of logits and three searches."""
        return 48 * super().flops


CATALOGUE = {
    "drawn_choice_tiny": DrawnChoiceSpec(batch=3, q_len=2, vocab_size=97, io_dtype="f32"),
    "drawn_choice_f16_tiny": DrawnChoiceSpec(batch=2, q_len=1, vocab_size=97, dynamic=("batch",)),
    # Llama 3; the last token of each of four prompts.
    "drawn_choice_base": DrawnChoiceSpec(batch=4, q_len=1, vocab_size=128256, dynamic=("batch",)),
}
