"""Where GGUF files have the rows and columns of a model's own tensors, whose order they change."""

import re

import numpy as np

from irattn.generation.gguf_model import GgufModel
from irattn.models.values import whole

_TURNED = re.compile(r"blk\.\d+\.attn_[qk]\.(weight|bias)")
# What delta nets have of value heads: rows of each, rows behind those of queries and keys, a row
# or a number of each, and columns.
_VALUES = re.compile(r"blk\.\d+\.attn_gate\.weight")
_BEHIND = re.compile(r"blk\.\d+\.(attn_qkv|ssm_conv1d)\.weight")
_HEADS = re.compile(r"blk\.\d+\.(ssm_a|ssm_dt\.bias|ssm_(alpha|beta)\.weight)")
_COLUMNS = re.compile(r"blk\.\d+\.ssm_out\.weight")

_SIZES = ("linear_num_key_heads", "linear_num_value_heads", "linear_value_head_dim")


class FileOrders:
    """The places of rows and columns in a file, by the names of its tensors.

    Rows of queries and keys that rotation turns as neighbours are those where it turns halves.
    Value heads of delta nets that go round the key heads are those of one key head after the other.
    """

    def __init__(self, model: GgufModel) -> None:
        self._turns, self._tiles = model.turns_neighbours, model.tiles_heads
        self._head_dim = model.head_dim
        if self._tiles:
            sizes = [whole(model.fields, name) or 1 for name in _SIZES]
            self._key_heads, self._value_heads, self._value_dim = sizes

    def rows(self, name: str, count: int) -> np.ndarray | None:
        """The place of each row; None where the file has them in their order."""
        if self._turns and _TURNED.fullmatch(name):
            pairs = np.arange(count).reshape(-1, self._head_dim // 2, 2)
            return pairs.swapaxes(1, 2).reshape(-1)
        if not self._tiles:
            return None
        if _VALUES.fullmatch(name):
            return self._of_heads(self._value_dim)
        if _HEADS.fullmatch(name):
            return self._of_heads(1)
        if _BEHIND.fullmatch(name):
            first = count - self._value_heads * self._value_dim
            return np.concatenate([np.arange(first), first + self._of_heads(self._value_dim)])
        return None

    def columns(self, name: str) -> np.ndarray | None:
        """The place of each column; None where the file has them in their order."""
        is_tiled = self._tiles and _COLUMNS.fullmatch(name)
        return self._of_heads(self._value_dim) if is_tiled else None

    def _of_heads(self, size: int) -> np.ndarray:
        """The places of what value heads have so much of each."""
        shares = self._value_heads // self._key_heads
        places = np.arange(self._value_heads * size).reshape(shares, self._key_heads, size)
        return places.swapaxes(0, 1).reshape(-1)
