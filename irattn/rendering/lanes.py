"""How products of a weight with few tokens are said for CPUs: two at once, summed in lanes."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from irattn.core.tensors import AnySize, DynamicSize, largest
from irattn.rendering.values import tensor_type
from irattn.targets import Target

# The compiler makes columns of rows before it multiplies, which for few tokens takes longer than
# reading them: one with 4096 x 4096 on two Zen 4 cores 3.4 ms in f16 and bf16, in lanes 0.68 and
# 0.53 (PyTorch 0.85 and 1.7); four 3.6 in f16, in lanes 1.3 and 1.3 (PyTorch 3.6 and 1.8). In f32
# reading takes longer: left to the compiler.
_MOST_TOKENS = 4
_LANES = 16
# bf16 is the upper half of f32: a pair of neighbours, as one i32, is two numbers by a shift and a
# mask. An instruction widens f16 that lie side by side, so that a step takes two runs of them. (One
# run the compiler would take for a product of matrices, which it turns: 3.3 ms.)
_ELEMENTS = {"bf16": "i32", "f16": "f16"}
_RUNS = {"bf16": 1, "f16": 2}
# Rows of the weight at once, for which tokens are widened once. With one token, row by row is
# quicker (0.52 ms; 0.77 with 4 rows in bf16), with 2 and 4 these are, also where AVX2 has registers
# for the sums of 2 rows (1.84 ms; 1.94).
_ROWS = 4
# Rows of a workgroup: the first that divides those of the weight. Where none does, it has its rows
# one by one.
_WORKGROUP_ROWS = (64, 32, 16)


@dataclass(frozen=True)
class CoreTile:
    """The tile of a product's loops on a CPU, those of its sums first (0: not cut)."""

    distribution: list[int]
    parallel: list[int]
    reduction: list[int]


@dataclass(frozen=True)
class LaneOperand:
    """A run of each step, of tokens or columns: a slice of `source`, of all.

    `loops` are its dimensions before k and l.
    """

    name: str
    is_token: bool
    source: str
    type: str
    offsets: list[int]
    sizes: list[int]
    loops: list[str]

    @property
    def strides(self) -> list[int]:
        """The strides of the slice."""
        return [1 for _ in self.sizes]


@dataclass(frozen=True)
class LaneProduct:
    """Sums over the depth, of tokens by columns, by dimension.

    Each lane l sums what is 16 apart, in steps k, so that no number is moved between lanes before
    the end.
    """

    tokens: Mapping[str, int]
    columns: Mapping[str, int]
    sums: Mapping[str, int]
    depth: int
    io_dtype: str

    @property
    def element(self) -> str:
        """The element that a lane reads: a pair of bf16 as one integer, or a number of f16."""
        return _ELEMENTS[self.io_dtype]

    @property
    def parts(self) -> list[int]:
        """The sizes of the depth: k, the runs of a step, and l."""
        return [self._steps, _RUNS[self.io_dtype], _LANES]

    @property
    def _steps(self) -> int:
        return self.depth // 2 // _LANES

    @property
    def tokens_type(self) -> str:
        """The type of the tokens that are multiplied."""
        return tensor_type((*self.tokens.values(), *self.parts), self.element)

    @property
    def columns_type(self) -> str:
        """The weight."""
        return tensor_type((*self.columns.values(), *self.parts), self.element)

    @property
    def loops(self) -> list[str]:
        """The dimensions of sums that are loops."""
        return list(_loops(self.sums))

    @property
    def operands(self) -> list[LaneOperand]:
        """The runs of tokens, then those of columns."""
        return [
            *self._operands("x", self.tokens, self.tokens_type),
            *self._operands("w", self.columns, self.columns_type),
        ]

    def _operands(self, name: str, sizes: Mapping[str, int], source: str) -> list[LaneOperand]:
        loops = _loops(sizes)
        return [
            LaneOperand(
                name=f"{name}{run}",
                is_token=name == "x",
                source=source,
                type=tensor_type((*loops.values(), self._steps, _LANES), self.element),
                offsets=[*(0 for _ in sizes), 0, run, 0],
                sizes=[*sizes.values(), self._steps, 1, _LANES],
                loops=list(loops),
            )
            for run in range(_RUNS[self.io_dtype])
        ]

    @property
    def lanes_type(self) -> str:
        """The type of the sums that the lanes keep apart."""
        return tensor_type((*_loops(self.sums).values(), _LANES), "f32")

    @property
    def sums_type(self) -> str:
        """The type of the sums over all lanes."""
        return tensor_type(self.sums.values(), "f32")

    @property
    def tile(self) -> CoreTile:
        """How the product is cut up: a workgroup has rows of one head."""
        fitting = [rows for rows in _WORKGROUP_ROWS if self.columns["n"] % rows == 0]
        rows = _ROWS if fitting and prod(self.tokens.values()) > 1 else 1
        cores = {"n": (fitting or _WORKGROUP_ROWS)[0], "h": 1}
        vectors, sums = {"n": rows, "h": 1}, _loops(self.sums)
        return CoreTile(
            distribution=[*(cores.get(dim, 0) for dim in sums), 0, 0],
            parallel=[*(vectors.get(dim, size) for dim, size in sums.items()), _LANES, 0],
            reduction=[*(0 for _ in sums), 0, 1],
        )


def lane_product(
    target: Target,
    io_dtype: str,
    tokens: Mapping[str, AnySize],
    columns: Mapping[str, AnySize],
    sums: Mapping[str, AnySize],
    depth: int,
) -> LaneProduct | None:
    """The product, or None where the compiler does well, or sizes do not fit."""
    if io_dtype not in _ELEMENTS or target.is_gpu:
        return None
    if any(isinstance(size, DynamicSize) for size in tokens.values()):
        return None
    tokens, columns, sums = (
        {dim: largest(size) for dim, size in sizes.items()} for sizes in (tokens, columns, sums)
    )
    fits = prod(tokens.values()) <= _MOST_TOKENS and depth % (2 * _LANES) == 0
    return LaneProduct(tokens, columns, sums, depth, io_dtype) if fits else None


def _loops(sizes: Mapping[str, int]) -> dict[str, int]:
    """The dimensions that are loops: the compiler drops one of size 1, and with it the tile."""
    return {dim: size for dim, size in sizes.items() if size > 1 or dim == "n"}
