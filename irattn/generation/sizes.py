"""Choose the tokens and sequences that a generator's artifacts and cache are made for."""

from dataclasses import dataclass
from typing import Self

from irattn.core.errors import ArgumentError
from irattn.core.numbers import whole
from irattn.generation.folder import ModelFolder
from irattn.specs.base import store_plain

# Tokens of a sequence, unless it is said otherwise; the same for all models, so that their
# artifacts serve most prompts.
_CONTEXT = 2048

# Tokens of the chunks that short prompts, and the ends of long ones, are computed in. A step of a
# CPU takes as long as it has rows: with 8 layers of width 512 on two Zen 4 cores, 11 tokens take
# 21 ms in a chunk of 16 and 52 ms in one of 64.
_SHORT_CHUNKS = (16, 64)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The sizes that the artifacts are compiled for: the same whatever the prompts.

    - batch: sequences that decode in one step
    - chunk: the most tokens of a prompt that are computed in one step; `chunks` are all sizes
    - least_chunk: the fewest that there may be graphs for, besides `chunk`
    - prompts_at_once: prompts of which a chunk is computed in one step, at most `batch`
    - context: the most tokens of a sequence, its prompt included
    - block_size, num_blocks: the cache's; by default as many blocks as `batch` contexts take
    """

    batch: int = 4
    chunk: int = 64
    least_chunk: int = 64
    prompts_at_once: int = 1
    context: int = _CONTEXT
    block_size: int = 16
    num_blocks: int

    def __post_init__(self) -> None:
        store_plain(self)
        for name, size in vars(self).items():
            whole(name, size, error=ArgumentError)

    @classmethod
    def of_model(
        cls,
        folder: ModelFolder,
        *,
        batch: int = batch,
        chunk: int = chunk,
        least_chunk: int = least_chunk,
        prompts_at_once: int = prompts_at_once,
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
            chunk=chunk,
            least_chunk=least_chunk,
            prompts_at_once=prompts_at_once,
            context=context,
            block_size=block_size,
            num_blocks=1,
        )
        most = checked.batch * checked.blocks_of(checked.context)
        return cls(
            batch=checked.batch,
            chunk=min(checked.chunk, checked.context),
            least_chunk=checked.least_chunk,
            prompts_at_once=min(checked.prompts_at_once, checked.batch),
            context=checked.context,
            block_size=checked.block_size,
            num_blocks=most if num_blocks is None else num_blocks,
        )

    @property
    def chunks(self) -> tuple[int, ...]:
        """The tokens of the chunks that there may be graphs for, from the shortest on."""
        short = [one for one in _SHORT_CHUNKS if self.least_chunk <= one < self.chunk]
        return (*short, self.chunk)

    def blocks_of(self, tokens: int) -> int:
        """Blocks that so many tokens of a sequence take."""
        return -(-tokens // self.block_size)
