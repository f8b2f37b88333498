"""The tensors of a folder whose weights are quantised: as they are stored, or as numbers.

Scales are <part>.weight_scale, one for each row or square, whatever the files call them. Blocks of
MXFP4 are as GGUF files have them: of 17 bytes, the scale first, and halves of bytes in their order.
"""

from collections.abc import Collection
from pathlib import Path

import ml_dtypes
import numpy as np

from irattn.core.errors import ModelError
from irattn.core.weight_formats import weight_format
from irattn.generation.safetensors_files import SafetensorsFiles
from irattn.models.quantised import QuantisedWeights

_WEIGHT, _SCALE = ".weight", ".weight_scale"
_BLOCKS, _SCALES = "_blocks", "_scales"
_OF_EIGHT_BITS, _FLOATS = ("I8", "F8_E4M3"), ("F32", "F16", "BF16")
# The scale of MXFP4 that is none, and the numbers of four bits (OCP).
_NO_SCALE = 255
_NUMBERS = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
_NUMBERS = np.concatenate([_NUMBERS, -_NUMBERS])


class QuantisedFiles:
    """The files, whose tensors are also what graphs take of quantised ones.

    A weight of 8 bits is itself, or numbers where a graph takes these; one of MXFP4 has the name of
    the plain one, of which there are blocks and scales.
    """

    said_by = "config.json"
    remedy = ""

    def __init__(self, files: SafetensorsFiles, quantised: QuantisedWeights) -> None:
        self._files, self._quantised = files, quantised

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are."""
        return self._files.names

    def place(self, name: str) -> Path:
        """The file that has a tensor."""
        return self._files.place(self._stored(name))

    def described(self, name: str, packed: bool = False) -> tuple[str, tuple[int, ...]] | None:
        """The type and the shape of a tensor, or of what is stored; None where there is none."""
        if self._is_mxfp4(name):
            return self._of_mxfp4(name, packed)
        if name.endswith(_SCALE):
            return self._of_scales(name)
        found = self._files.described(name)
        return ("F32", found[1]) if found and not packed and self._is_scaled(name) else found

    def rows(
        self, name: str, first: int, end: int, columns: tuple[int, int] | None = None
    ) -> np.ndarray:
        """Some rows of a tensor as numbers, whole or some of their columns."""
        if self._is_mxfp4(name):
            rows = _numbers_of(*self._mxfp4(name, first, end))
        elif name.endswith(_SCALE):
            rows = self._scales(name)[first:end]
        elif self._is_scaled(name):
            rows = self._widened(name, first, end)
        else:
            return self._files.rows(name, first, end, columns)
        return rows if columns is None else rows[:, slice(*columns)]

    def blocks(self, name: str, first: int, end: int) -> np.ndarray:
        """Some rows as they are stored; ModelError for scales and numbers that are none."""
        if self._is_mxfp4(name):
            return _as_gguf(*self._mxfp4(name, first, end))
        rows = self._files.blocks(name, first, end)
        if rows.dtype == ml_dtypes.float8_e4m3fn and (rows.view(np.uint8) & 127 == 127).any():
            raise ModelError(f"{name}: expected finite numbers, got NaN in {self.place(name)}")
        return rows

    def check_rest(self, read: Collection[str]) -> None:
        """Refuse what the files refuse."""
        self._files.check_rest(read)

    def _stored(self, name: str) -> str:
        """The name that the files have for a tensor."""
        if self._is_mxfp4(name):
            return name + _BLOCKS
        is_scale = name.endswith(_SCALE)
        return name.removesuffix(_SCALE) + self._quantised.scale if is_scale else name

    def _is_scaled(self, name: str) -> bool:
        """Whether a weight is of 8 bits and has the scales that its shape asks for."""
        weight = self._files.described(name) if name.endswith(_WEIGHT) else None
        if weight is None or weight[0] not in _OF_EIGHT_BITS or len(weight[1]) != 2:
            return False
        scales = self._of_scales(name.removesuffix(_WEIGHT) + _SCALE)
        wanted = weight_format(self._quantised.format).scale_shape(*weight[1])
        return scales is not None and scales[0] in _FLOATS and scales[1] == wanted

    def _of_scales(self, name: str) -> tuple[str, tuple[int, ...]] | None:
        """The type of scales, and their shape, which one for a whole weight has not."""
        found = self._files.described(self._stored(name))
        weight = self._files.described(name.removesuffix(_SCALE) + _WEIGHT)
        if found is None or weight is None or len(weight[1]) != 2:
            return found
        kind, shape = found
        scaled = weight_format(self._quantised.format).scale_shape(*weight[1])
        of_rows = ((), (1,), (1, 1), (weight[1][0], 1))
        is_known = len(scaled or ()) == 1 and shape in of_rows
        return (kind, scaled) if is_known and scaled else (kind, shape)

    def _scales(self, name: str) -> np.ndarray:
        """All scales of a weight, in their own type."""
        described = self._of_scales(name)
        assert described is not None
        stored = self._files.whole(self._stored(name))
        if len(described[1]) > 1:
            return stored
        return np.broadcast_to(stored.reshape(-1), described[1])

    def _widened(self, name: str, first: int, end: int) -> np.ndarray:
        """Some rows of a weight of 8 bits, in f32."""
        scales = self._scales(name.removesuffix(_WEIGHT) + _SCALE).astype(np.float32)
        rows = self.blocks(name, first, end).astype(np.float32)
        if scales.ndim == 1:
            return rows * scales[first:end, None]
        squares = weight_format(self._quantised.format).scaled
        assert squares is not None
        own = scales[np.arange(first, first + len(rows)) // squares[0]]
        return rows * np.repeat(own, squares[1], axis=1)[:, : rows.shape[1]]

    def _is_mxfp4(self, name: str) -> bool:
        return self._quantised.format == "mxfp4" and name + _BLOCKS in self.names

    def _of_mxfp4(self, name: str, packed: bool) -> tuple[str, tuple[int, ...]]:
        """The type and shape of blocks with their scales, or of numbers `[experts, in, out]`."""
        kind, shape = self._files.described(name + _BLOCKS) or ("", ())
        scales = self._files.described(name + _SCALES)
        if kind != "U8" or len(shape) != 4 or shape[-1] != 16:
            return kind, shape
        if scales != ("U8", shape[:-1]):
            got = "none" if scales is None else f"{list(scales[1])} of {scales[0]}"
            raise ModelError(
                f"{name}{_SCALES}: expected {list(shape[:-1])} of U8, one for each block of "
                f"{name}{_BLOCKS}, got {got}"
            )
        experts, rows, blocks, _ = shape
        if packed:
            return "U8", (experts, rows, blocks * 17)
        return "F32", (experts, blocks * 32, rows)

    def _mxfp4(self, name: str, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """The blocks and the scales of some experts."""
        scales = self._files.rows(name + _SCALES, first, end)
        if (scales == _NO_SCALE).any():
            raise ModelError(f"{name}{_SCALES}: expected scales, got NaN in {self.place(name)}")
        return self._files.rows(name + _BLOCKS, first, end), scales


def _halves(blocks: np.ndarray) -> np.ndarray:
    """The numbers of blocks in four bits each: the low half of a byte comes first."""
    return np.stack([blocks & 15, blocks >> 4], axis=-1).reshape(*blocks.shape[:-1], 32)


def _as_gguf(blocks: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Rows of blocks of 17 bytes, of which low halves come first, then the high ones."""
    made = np.empty((*scales.shape, 17), np.uint8)
    halves = _halves(blocks)
    made[..., 0] = scales
    made[..., 1:] = halves[..., :16] | halves[..., 16:] << 4
    return made.reshape(*scales.shape[:-1], -1)


def _numbers_of(blocks: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The numbers of experts, `[experts, in, out]`, in f32."""
    powers = np.ldexp(np.float32(1), scales.astype(np.int32) - 127)
    rows: np.ndarray = _NUMBERS[_halves(blocks)] * powers[..., None]
    return rows.reshape(*scales.shape[:2], -1).swapaxes(1, 2)
