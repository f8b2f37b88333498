"""Products of tokens with the weights of their experts on GPUs.

A workgroup has a block of rows, which all have one expert, and some columns of its weight. Rows of
blocks that are not full are multiplied too, but an empty block ends at once where lanes sum up.
"""

from dataclasses import dataclass, replace

from irattn.core.tensors import AnySize
from irattn.rendering.few_tokens import VectorTile, vector_tile
from irattn.rendering.gathered_products import GatheredProduct
from irattn.rendering.product_tiles import ProductTile, matrix_tile
from irattn.rendering.values import Value
from irattn.targets import MatrixInstruction, Target

# Rows of a block that lanes multiply, and matrix instructions of one: of both subgroups of rows.
VECTOR_ROWS = 8
_MATRIX_ROWS = 2
_COLUMNS = (128, 64, 32)
_DEPTH = 32


@dataclass(frozen=True)
class GroupedTile:
    """x · weightᵀ as the f32 `sums`, blocks of `rows`: of each with the weight of its expert.

    `experts` are those of the blocks; `ends` are 0 of an empty one. `tile` is that of a workgroup,
    of `columns`; without, `gathered` is that of a plain loop, by `wave_size` lanes.
    """

    x: Value
    weight: Value
    sums: Value
    rows: int
    rows_of_expert: int
    experts: Value
    ends: Value
    tile: ProductTile | VectorTile | None
    columns: int
    wave_size: int

    @property
    def has_one_column(self) -> bool:
        """Whether rows have one sum each: IREE 3.13.0 takes the dimension away, and any tile."""
        return self.rows_of_expert == 1

    @property
    def has_one_expert(self) -> bool:
        """Whether all blocks have the same expert, whatever a router says."""
        return self.weight.shape[0] == self.rows_of_expert

    @property
    def is_gathered(self) -> bool:
        """Whether a plain loop gathers the weight as it multiplies."""
        return self.tile is None and not self.has_one_column

    def gathered(self, blocks: AnySize) -> GatheredProduct:
        """The plain loop where sizes do not divide."""
        return GatheredProduct(blocks, self.rows, self.rows_of_expert, self.depth, self.wave_size)

    @property
    def kernel_name(self) -> str:
        """The name of the kernel."""
        return f"{self.sums.name}_kernel"

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return int(self.x.shape[1])

    @property
    def dims(self) -> list[str]:
        """The dimensions of a workgroup's sums: one row is none."""
        return ["m", "n"] if self.rows > 1 else ["n"]

    @property
    def row_sizes(self) -> list[int]:
        """The sizes of rows of a workgroup."""
        return [self.rows] if self.rows > 1 else []

    @property
    def skips_empty(self) -> bool:
        """Whether an empty block ends at once; IREE 3.13.0 has no branch around matrix products."""
        return isinstance(self.tile, VectorTile) and self.rows > 1

    @property
    def column_tiles(self) -> int:
        """Workgroups of a block."""
        return self.rows_of_expert // self.columns

    @property
    def arguments(self) -> list[Value]:
        """The tensors that the kernel reads."""
        return [self.x, self.weight, self.experts, *([self.ends] if self.skips_empty else [])]

    @property
    def sizes(self) -> list[str]:
        """The sizes that a call chooses."""
        return list(dict.fromkeys([*self.x.chosen, *self.experts.chosen]))


def rows_of_block(target: Target, io_dtype: str, most_of_expert: int) -> int:
    """Rows of a block, where an expert has so many on average: those of the widest instruction."""
    instruction = _instruction(target, io_dtype)
    if instruction is None or most_of_expert <= VECTOR_ROWS:
        return VECTOR_ROWS
    return _MATRIX_ROWS * instruction.m


def tile_of(
    target: Target, io_dtype: str, rows: int, columns: int, depth: int
) -> tuple[ProductTile | VectorTile | None, int]:
    """The tile of a workgroup, and its columns; None where sizes do not divide."""
    if rows > VECTOR_ROWS:
        instruction = _instruction(target, io_dtype)
        fitting = next((count for count in _COLUMNS if columns % count == 0), None)
        if instruction is None or fitting is None or depth % _DEPTH:
            return None, columns
        whole = matrix_tile(instruction, rows, fitting, target.wave_size or 1)
        return replace(whole, workgroup=[0, 0, 0]), fitting
    sizes = {"m": rows, "n": columns} if rows > 1 else {"n": columns}
    tile = vector_tile(sizes, {"k": depth}, io_dtype, target)
    # Of one column, IREE 3.13.0 takes the dimension away, and with it the tile.
    if tile is None or tile.workgroup[-2] == 1:
        return None, columns
    return replace(tile, workgroup=[0 for _ in tile.workgroup]), tile.workgroup[-2]


def _instruction(target: Target, io_dtype: str) -> MatrixInstruction | None:
    found = target.matrix.get(io_dtype)
    return found if found and found.family != "NV" else None
