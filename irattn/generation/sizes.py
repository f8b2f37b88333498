"""Choose the tokens and sequences that a generator's artifacts and cache are made for."""

from dataclasses import dataclass
from typing import Self

from irattn.core.errors import ArgumentError
from irattn.core.numbers import whole
from irattn.generation.folder import ModelFolder
from irattn.specs.base import store_plain
from irattn.specs.packed_paged_attention import FEW_QUERIES

# Tokens of a sequence, unless it is said otherwise; the same for all models, so that their
# artifacts serve most prompts.
_CONTEXT = 2048

# Of steps with graphs of their own: a GPU takes as long for a few rows as for so many.
_SHORT_STEP = 64


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The sizes that the artifacts are compiled for: the same whatever the prompts.

    - batch: sequences of a step
    - step_tokens: the most tokens of a step, those of prompts and one of each other sequence
    - any_tokens: whether one graph serves steps of any number of tokens; otherwise there is one for
      each of `token_counts`, and a step is filled up to the next
    - context: the most tokens of a sequence, its prompt included
    - block_size, num_blocks: the cache's; by default as many blocks as `batch` contexts take
    """

    batch: int = 4
    step_tokens: int = 512
    any_tokens: bool = True
    context: int = _CONTEXT
    block_size: int = 16
    num_blocks: int

    def __post_init__(self) -> None:
        store_plain(self)
        for name, size in vars(self).items():
            if name != "any_tokens":
                whole(name, size, error=ArgumentError)
        if self.step_tokens < self.batch:
            raise ArgumentError(
                f"step_tokens: expected at least one for each of batch = {self.batch} sequences, "
                f"got {self.step_tokens}"
            )

    @classmethod
    def of_model(
        cls,
        folder: ModelFolder,
        *,
        batch: int = batch,
        step_tokens: int = step_tokens,
        any_tokens: bool = any_tokens,
        context: int | None = None,
        block_size: int = block_size,
        num_blocks: int | None = None,
    ) -> Self:
        """The sizes for a model; what is not given follows from the others.

        ArgumentError for a size that is no number of at least 1.
        """
        if context is None:
            context = min(_CONTEXT, folder.positions or _CONTEXT)
        checked = cls(
            batch=batch,
            step_tokens=step_tokens,
            any_tokens=any_tokens,
            context=context,
            block_size=block_size,
            num_blocks=1,
        )
        most = checked.batch * checked.blocks_of(checked.context)
        return cls(
            batch=checked.batch,
            step_tokens=min(checked.step_tokens, checked.batch * checked.context),
            any_tokens=any_tokens,
            context=checked.context,
            block_size=checked.block_size,
            num_blocks=most if num_blocks is None else num_blocks,
        )

    @property
    def token_counts(self) -> tuple[int, ...]:
        """The tokens of the steps that there are graphs for, from the fewest on."""
        if self.any_tokens:
            return (self.step_tokens,)
        counts = {self.batch, _SHORT_STEP, self.step_tokens}
        return tuple(sorted(one for one in counts if self.batch <= one <= self.step_tokens))

    def chunk_of(self, left: int, room: int) -> int:
        """Tokens of a prompt in a step that has room for some, where so many are left.

        A few queries of a sequence have another kernel, whose bits differ. For a prompt to have the
        same bits in company, none is cut to a few tokens, where steps have room enough for that.
        """
        least = FEW_QUERIES + 1
        if left <= room or not self.has_room_enough:
            return min(left, room)
        most = min(room, left - least)
        return most if most >= least else 0

    def least_left(self, tokens: int) -> int:
        """Tokens of a prompt of so many that are computed, whatever of it others have computed.

        For the prompt to have the same bits, not a few, unless it has no more.
        """
        return FEW_QUERIES + 1 if self.has_room_enough and tokens > FEW_QUERIES else 1

    @property
    def has_room_enough(self) -> bool:
        """Whether steps of all sequences have room for two cuts of a prompt that are not few."""
        return self.step_tokens >= 2 * (FEW_QUERIES + 1) + self.batch

    def blocks_of(self, tokens: int) -> int:
        """Blocks that so many tokens of a sequence take."""
        return -(-tokens // self.block_size)
