"""How products of a weight with few tokens are said for CPUs: in pairs, summed in lanes."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from irattn.rendering.values import tensor_type
from irattn.targets import Target
from irattn.tensors import AnySize, DynamicSize, largest

# The compiler makes columns of rows before it multiplies, which for few tokens takes longer than
# reading them: one with 4096 x 4096 on two Zen 4 cores 3.4 ms in f16 and bf16, in lanes 1.1 and 1.0
# (PyTorch 1.2 and 1.6). Processor time of more tokens, over the compiler's: bf16 2 0.33, 4 0.53 to
# 0.59, 8 0.9; f16 2 0.6, 4 1.0 to 1.2. In f32 reading takes longer: left to the compiler.
_MOST_TOKENS = {"bf16": 4, "f16": 2}
_LANES = 16


@dataclass(frozen=True)
class LaneProduct:
    """Sums over the depth, of tokens by columns, by dimension.

    A pair of neighbours counts as one i32. Each lane l sums every 16th pair k, so that no number is
    moved between lanes before the end.
    """

    tokens: Mapping[str, int]
    columns: Mapping[str, int]
    sums: Mapping[str, int]
    depth: int

    @property
    def pairs(self) -> list[int]:
        """The sizes that the depth has in pairs: k and l."""
        return [self.depth // 2 // _LANES, _LANES]

    @property
    def tokens_type(self) -> str:
        """What is multiplied."""
        return tensor_type((*self.tokens.values(), *self.pairs), "i32")

    @property
    def columns_type(self) -> str:
        """The weight."""
        return tensor_type((*self.columns.values(), *self.pairs), "i32")

    @property
    def lanes_type(self) -> str:
        """The sums of each lane."""
        return tensor_type((*self.sums.values(), _LANES), "f32")

    @property
    def sums_type(self) -> str:
        """Those of all lanes."""
        return tensor_type(self.sums.values(), "f32")


def lane_product(
    target: Target,
    io_dtype: str,
    tokens: Mapping[str, AnySize],
    columns: Mapping[str, AnySize],
    sums: Mapping[str, AnySize],
    depth: int,
) -> LaneProduct | None:
    """The product, or None where the compiler does well, or sizes do not fit."""
    most = _MOST_TOKENS.get(io_dtype, 0)
    if target.is_gpu or any(isinstance(size, DynamicSize) for size in tokens.values()):
        return None
    tokens, columns, sums = (
        {dim: largest(size) for dim, size in sizes.items()} for sizes in (tokens, columns, sums)
    )
    fits = prod(tokens.values()) <= most and depth % (2 * _LANES) == 0
    return LaneProduct(tokens, columns, sums, depth) if fits else None
