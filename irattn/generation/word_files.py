"""The tensors of a folder whose weights are whole numbers in words: blocks of GGUF's, or numbers.

Where nothing but the order of bits differs, a weight is made of Q4_0's or Q8_0's blocks while it is
read: a group of columns is some blocks of 32 with the same scale.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irattn.core.errors import ModelError
from irattn.core.weight_formats import weight_format
from irattn.generation.safetensors_files import SafetensorsFiles
from irattn.models.word_weights import WordWeights

_WEIGHT = ".weight"
_FLOATS = ("F32", "F16", "BF16")
_WORD = 32
_BLOCK = 32


@dataclass(frozen=True)
class _Layout:
    """The names of a maker's tensors, and the order of a word's numbers, lowest bits first."""

    weight: str
    zeros: str
    scales: str
    groups: str
    order: tuple[int, ...] | None = None


_LAYOUTS = {
    "gptq": _Layout(".qweight", ".qzeros", ".scales", ".g_idx"),
    "awq": _Layout(".qweight", ".qzeros", ".scales", ".g_idx", (0, 2, 4, 6, 1, 3, 5, 7)),
    "pack-quantized": _Layout(
        ".weight_packed", ".weight_zero_point", ".weight_scale", ".weight_g_idx"
    ),
}


class WordFiles:
    """The files, whose weights in words have the names of plain ones.

    ModelError where a tensor beside a weight is missing, or not of the shape that this asks for.
    """

    said_by = "config.json"
    remedy = "; --widen-weights (widen_weights) makes numbers of quantised ones"

    def __init__(self, files: SafetensorsFiles, words: WordWeights) -> None:
        self._files, self._words, self._layout = files, words, _LAYOUTS[words.maker]
        self._parts: dict[str, tuple[int, int]] = {}
        self._names = set(files.names)
        suffix = self._layout.weight
        in_words = {
            name.removesuffix(suffix) + _WEIGHT for name in files.names if name.endswith(suffix)
        }
        for name in sorted(self._names & in_words):
            raise ModelError(
                f"{name}: expected words ({name.removesuffix(_WEIGHT)}{suffix}) or plain numbers, "
                "got both, and nothing says which of them the model has; remove one"
            )
        self._names |= in_words

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are, weights in words by the names of plain ones, too."""
        return self._names

    def place(self, name: str) -> Path:
        """The file that has a tensor."""
        part = self._part(name)
        return self._files.place(name if part is None else part + self._layout.weight)

    def described(self, name: str, packed: bool = False) -> tuple[str, tuple[int, ...]] | None:
        """The type and the shape of a tensor, or of a weight's blocks; None where there is none."""
        part = self._part(name)
        if part is None:
            return self._files.described(name)
        shape = self._shape(part)
        if not packed or shape[1] % _BLOCK:
            return "F32", shape
        return "U8", weight_format(self._words.format).packed_shape(*shape)

    def rows(
        self, name: str, first: int, end: int, columns: tuple[int, int] | None = None
    ) -> np.ndarray:
        """Some rows of a tensor as numbers, whole or some of their columns."""
        part = self._part(name)
        if part is None:
            return self._files.rows(name, first, end, columns)
        groups = self._groups(part)
        numbers = self._numbers(part, first, end).astype(np.float32)
        numbers -= self._zeros(part, first, end).astype(np.float32)[:, groups]
        # Who reads them names what is not finite.
        with np.errstate(over="ignore", invalid="ignore"):
            numbers *= self._scales(part, first, end)[:, groups]
        return numbers if columns is None else numbers[:, slice(*columns)]

    def blocks(self, name: str, first: int, end: int) -> np.ndarray:
        """Some rows as blocks of the words' GGUF format; ModelError where they are none."""
        part = self._part(name)
        if part is None:
            return self._files.blocks(name, first, end)
        columns = self._shape(part)[1]
        self._check_symmetric(part, first, end)
        numbers = self._numbers(part, first, end).reshape(end - first, -1, _BLOCK)
        halves = self._half_scales(part, first, end)
        of_blocks = halves[:, self._words.groups_in_order(columns)[::_BLOCK]]
        made = of_blocks[..., None].view(np.uint8), self._in_block(numbers)
        return np.concatenate(made, axis=-1).reshape(end - first, -1)

    def check_rest(self, read: Collection[str]) -> None:
        """Refuse what the files refuse."""
        self._files.check_rest(read)

    def _in_block(self, numbers: np.ndarray) -> np.ndarray:
        """The bytes of the numbers of blocks, without their scales."""
        if self._words.bits == 8:
            made: np.ndarray = numbers - np.uint8(self._words.middle)
        else:
            made = numbers[..., :16] | numbers[..., 16:] << np.uint8(4)
        return made

    def _part(self, name: str) -> str | None:
        """The part whose weight is in words; None for tensors that are as they are named."""
        part = name.removesuffix(_WEIGHT)
        is_words = part != name and part + self._layout.weight in self._files.names
        return part if is_words else None

    def _shape(self, part: str) -> tuple[int, int]:
        """The rows and columns of a weight, whose tensors are checked at the first call."""
        if part not in self._parts:
            self._parts[part] = self._checked(part)
        return self._parts[part]

    def _checked(self, part: str) -> tuple[int, int]:
        layout, words = self._layout, self._words
        count = words.numbers_of_word
        found = self._files.described(part + layout.weight)
        if found is None or found[0] != "I32" or len(found[1]) != 2 or 0 in found[1]:
            raise self._unlike(part + layout.weight, "words in two axes", "I32")
        one, other = found[1]
        rows, columns = {
            "gptq": (other, one * count),
            "awq": (other * count, one),
            "pack-quantized": (one, other * count),
        }[words.maker]
        groups = words.num_groups(columns)
        is_turned = words.maker == "pack-quantized"
        scales = (rows, groups) if is_turned else (groups, rows)
        zeros = (-(-rows // count), groups) if is_turned else (groups, -(-rows // count))
        self._check(part + layout.scales, scales, _FLOATS)
        if words.has_zeros or not is_turned:
            self._check(part + layout.zeros, zeros, ("I32",))
        if words.has_order or part + layout.groups in self._files.names:
            self._check(part + layout.groups, (columns,), ("I32", "I64"))
        return rows, columns

    def _check(self, name: str, shape: tuple[int, ...], kinds: tuple[str, ...]) -> None:
        found = self._files.described(name)
        if found is None or found[1] != shape or found[0] not in kinds:
            raise self._unlike(name, f"[{', '.join(map(str, shape))}]", *kinds)

    def _unlike(self, name: str, wanted: str, *kinds: str) -> ModelError:
        found = self._files.described(name)
        got = "none" if found is None else f"[{', '.join(map(str, found[1]))}] of {found[0]}"
        return ModelError(
            f"{name}: expected {wanted} of {' or '.join(kinds)}, as the {self._words.maker} of "
            f"{self.said_by} has them, got {got}"
        )

    def _numbers(self, part: str, first: int, end: int) -> np.ndarray:
        """The whole numbers of some rows, in bytes."""
        name = part + self._layout.weight
        if self._words.maker == "awq":
            return self._across(name, first, end)
        if self._words.maker == "gptq":
            words = self._files.rows(name, 0, self._height(name), (first, end)).T
        else:
            words = self._files.rows(name, first, end)
        return self._taken_apart(words)

    def _zeros(self, part: str, first: int, end: int) -> np.ndarray:
        """The zero points of some rows, `[rows, groups]`."""
        name = part + self._layout.zeros
        if self._words.maker == "pack-quantized":
            if not self._words.has_zeros:
                count = self._words.num_groups(self._shape(part)[1])
                return np.full((end - first, count), self._words.middle)
            count = self._words.numbers_of_word
            words = self._files.rows(name, first // count, -(-end // count)).T
            return self._taken_apart(words).T[first % count :][: end - first].astype(np.int64)
        zeros = self._across(name, first, end).astype(np.int64) + self._words.zero_step
        if zeros.size and zeros.max() >= 1 << self._words.bits:
            raise ModelError(
                f"{name}: expected zero points from {self._words.zero_step} to "
                f"{(1 << self._words.bits) - 1}, got {zeros.max()}, which no word can say"
            )
        return zeros

    def _check_symmetric(self, part: str, first: int, end: int) -> None:
        """ModelError where a file has zero points, or an order, that the config denies."""
        odd = self._zeros(part, first, end) != self._words.middle
        if odd.any():
            raise ModelError(
                f"{part}{self._layout.zeros}: expected {self._words.middle} everywhere, as "
                f"{self.said_by} says that weights are symmetric, got others{self.remedy}"
            )
        in_order = self._words.groups_in_order(self._shape(part)[1])
        if not np.array_equal(self._groups(part), in_order):
            raise ModelError(
                f"{part}{self._layout.groups}: expected groups in order, as {self.said_by} says, "
                f"got another order{self.remedy}"
            )

    def _scales(self, part: str, first: int, end: int) -> np.ndarray:
        """The scales of some rows, `[rows, groups]`, in f32."""
        name = part + self._layout.scales
        if self._words.maker == "pack-quantized":
            scales = self._files.rows(name, first, end)
        else:
            scales = self._files.rows(name, 0, self._height(name), (first, end)).T
        return np.ascontiguousarray(scales).astype(np.float32)

    def _half_scales(self, part: str, first: int, end: int) -> np.ndarray:
        """The scales of some rows as blocks have them; ModelError for others."""
        name, scales = part + self._layout.scales, self._scales(part, first, end)
        if not np.isfinite(scales).all():
            raise ModelError(f"{name}: expected finite scales, got NaN or infinity")
        with np.errstate(over="ignore"):
            halves = scales.astype(np.float16)
        if not np.array_equal(halves, scales):
            raise ModelError(
                f"{name}: expected scales that f16 can hold, as blocks of {self._words.format} "
                f"have them{self.remedy}"
            )
        return halves

    def _groups(self, part: str) -> np.ndarray:
        """The group of each column."""
        columns = self._shape(part)[1]
        name = part + self._layout.groups
        if name not in self._files.names:
            return self._words.groups_in_order(columns)
        groups: np.ndarray = self._files.whole(name)
        count = self._words.num_groups(columns)
        if groups.min(initial=0) < 0 or groups.max(initial=0) >= count:
            raise ModelError(
                f"{name}: expected groups from 0 to {count - 1}, got "
                f"{groups.min()} to {groups.max()}"
            )
        return groups

    def _height(self, name: str) -> int:
        """The first axis of a tensor."""
        described = self._files.described(name)
        assert described is not None
        return described[1][0]

    def _across(self, name: str, first: int, end: int) -> np.ndarray:
        """Some rows of a weight whose words have numbers of several rows, `[rows, words]`."""
        count = self._words.numbers_of_word
        begin = first // count
        words = self._files.rows(name, 0, self._height(name), (begin, -(-end // count)))
        numbers = self._taken_apart(words)[:, first - begin * count :][:, : end - first]
        return np.ascontiguousarray(numbers.T)

    def _taken_apart(self, words: np.ndarray) -> np.ndarray:
        """The numbers of words in the last axis, in bytes."""
        bits = self._words.bits
        shifts = np.arange(0, _WORD, bits, dtype=np.uint32)
        apart = np.ascontiguousarray(words).view(np.uint32)[..., None] >> shifts
        numbers = (apart & np.uint32((1 << bits) - 1)).astype(np.uint8)
        if self._layout.order:
            numbers = numbers[..., np.argsort(self._layout.order)]
        return numbers.reshape(*words.shape[:-1], -1)
