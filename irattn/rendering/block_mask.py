"""The blocks of a mask function: its steps on a score, and the axes along which blocks differ."""

from dataclasses import dataclass
from functools import cached_property

from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import (
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    captured_arrays,
)
from irattn.rendering.values import tensor_type
from irattn.specs.block_mask import BlockMaskSpec
from irattn.targets import Target

_LEVEL = "element"


@dataclass(frozen=True)
class BlockMaskPlan:
    """A mask is asked once for all sequences, and for all heads, where it does not ask which."""

    spec: BlockMaskSpec
    target: Target

    @cached_property
    def function(self) -> ScoreFunction:
        """The mask, on one score."""
        places = {"first_key": "%key_i32", "offset": "%no_offset"}
        places |= {name: f"%{name}_i32" for name in ("batch", "head", "query")}
        named = {name: NumberPlace(place, _LEVEL) for name, place in places.items()}
        functions = score_functions(
            self.spec,
            named,
            (_LEVEL,),
            has_neighbours=False,
            multiplies_shares=self.target.multiplies_shares,
        )
        return functions["mask_mod"]

    @property
    def captured(self) -> list[CapturedArray]:
        """The arrays that the mask reads."""
        return captured_arrays(self.spec)

    @property
    def letters(self) -> list[str]:
        """The axes of blocks: b sequence and h head where they differ there, r row, c column."""
        asked = self.spec.mask_mod.names
        named = {"b": "batch" in asked, "h": "head" in asked, "r": True, "c": True}
        return [letter for letter, is_there in named.items() if is_there]

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of all axes of the lists."""
        batch, heads, rows, columns = map(int, self.spec.outputs[1].largest_shape)
        return {"b": batch, "h": heads, "r": rows, "c": columns}

    @property
    def blocks(self) -> str:
        """The type of a number for each block."""
        return tensor_type(self._shape, "i32")

    @property
    def keys(self) -> str:
        """The type of a number for each row of blocks and each key, in whole blocks."""
        return tensor_type([*self._shape[:-1], self._shape[-1] * self._block_keys], "i32")

    @property
    def split_sizes(self) -> list[int]:
        """The shape of these by blocks."""
        return [*self._shape, self._block_keys]

    @property
    def keys_of_blocks(self) -> str:
        """The type of these by blocks."""
        return tensor_type(self.split_sizes, "i32")

    @property
    def split(self) -> list[list[int]]:
        """The axes by blocks that each axis of keys becomes."""
        last = len(self._shape) - 1
        return [*([axis] for axis in range(last)), [last, last + 1]]

    @property
    def _shape(self) -> list[int]:
        return [self.sizes[letter] for letter in self.letters]

    @property
    def _block_keys(self) -> int:
        _, keys = self.spec.mask_blocks
        return int(keys)


PLANS = {("block_mask", "linalg"): BlockMaskPlan}
