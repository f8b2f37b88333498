"""Choose the lengths of a model's prompts and contexts, and the blocks of its cache."""

from dataclasses import dataclass

from irattn.core import numbers
from irattn.core.errors import ConfigError
from irattn.models.names import POSITIONS
from irattn.models.values import Fields, key_of, whole
from irattn.models.vision import image_tokens
from irattn.specs.base import store_plain

_CONTEXT = 2048
_PROMPT = 512
_BLOCK_SIZE = 16


@dataclass(frozen=True, kw_only=True)
class AskedSizes:
    """The sizes that were asked for; None leaves one to the model."""

    batch: int = 1
    q_len: int | None = None
    kv_len: int | None = None
    num_blocks: int | None = None
    block_size: int | None = None

    def __post_init__(self) -> None:
        store_plain(self)
        for name, size in vars(self).items():
            if size is not None or name == "batch":
                numbers.whole(name, size, error=ConfigError)


@dataclass(frozen=True)
class Lengths:
    """Queries and keys of a prompt, the longest context of decode, and the blocks of its cache.

    `num_blocks` None: as many as the contexts of the batch take.
    """

    q_len: int
    kv_len: int
    context: int
    block_size: int = _BLOCK_SIZE
    num_blocks: int | None = None

    def in_blocks(self, tokens: int) -> int:
        """The tokens of so many blocks as hold these."""
        return -(-tokens // self.block_size) * self.block_size


def without_cache(
    fields: Fields, asked: AskedSizes, causal: bool, extra_tokens: int | None
) -> Lengths:
    """Lengths of a model that sees all of its tokens at once."""
    # An encoder of sound always has all of its positions, silent ones too.
    if frames := whole(fields, "max_source_positions"):
        return Lengths(frames, frames, frames)
    longest = _positions(fields, asked)
    usual = image_tokens(fields, extra_tokens) or min(_PROMPT, longest or _PROMPT)
    q_len = asked.q_len or min(usual, asked.kv_len or usual)
    kv_len = asked.kv_len or q_len
    if causal:
        _refuse_early_queries(q_len, kv_len)
    return Lengths(q_len, kv_len, kv_len)


def with_cache(fields: Fields, asked: AskedSizes) -> Lengths:
    """Lengths of a decoder, whose cache is one pool of blocks for all sequences and layers."""
    block_size = asked.block_size or _BLOCK_SIZE
    most = min(_CONTEXT, _positions(fields, asked) or _CONTEXT)
    # Whole blocks only, so that the cache holds no token beyond the limit.
    longest = most // block_size * block_size or most
    q_len = asked.q_len or min(_PROMPT, longest, asked.kv_len or longest)
    kv_len = asked.kv_len or q_len
    _refuse_early_queries(q_len, kv_len)
    context = asked.kv_len or max(longest, q_len)
    if asked.num_blocks:
        _check_pool(asked.num_blocks, block_size, context)
    return Lengths(q_len, kv_len, context, block_size, asked.num_blocks)


def _positions(fields: Fields, asked: AskedSizes) -> int | None:
    """The most tokens that the model has positions for; ConfigError where more are asked for."""
    longest = whole(fields, *POSITIONS)
    wanted = max(asked.q_len or 0, asked.kv_len or 0)
    if longest and wanted > longest:
        raise ConfigError(
            f"{key_of(fields, *POSITIONS)}: {longest} is the model's longest context; "
            f"{wanted} tokens were asked for"
        )
    return longest


def _refuse_early_queries(q_len: int, kv_len: int) -> None:
    if q_len > kv_len:
        raise ConfigError(
            f"q_len: expected at most kv_len = {kv_len}, got {q_len}; the keys of a causal model "
            f"include the queries' own, so that the first {q_len - kv_len} queries would stand "
            "before the first key and see nothing"
        )


def _check_pool(num_blocks: int, block_size: int, context: int) -> None:
    """An engine cannot promise a context that does not fit in its pool even alone."""
    needed = -(-context // block_size)
    if num_blocks < needed:
        raise ConfigError(
            f"num_blocks: expected at least {needed}, got {num_blocks}: blocks of {block_size} "
            f"for one context of {context} tokens; give more blocks or a smaller kv_len"
        )
