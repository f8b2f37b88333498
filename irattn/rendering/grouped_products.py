"""Products of tokens with the weights of their experts on CPUs.

Tokens are sorted by expert. A workgroup has some rows of one expert and some columns, and makes
their sums as `depth_products` does: in an order that depends on no other token.
"""

from dataclasses import dataclass, replace

from irattn.rendering.cpu.kernels import CpuKernel
from irattn.rendering.cpu.registers import has_bf16_dots, registers_of
from irattn.rendering.depth_products import TILE_ROWS, DepthProduct
from irattn.rendering.integer_products import RoundedTokens
from irattn.rendering.many_rows import ManyRows
from irattn.rendering.packed_blocks import PackedBlocks, packed_blocks
from irattn.rendering.scaled_weights import ScaledWeight
from irattn.rendering.square_blocks import ExpertBlocks, SquareBlocks
from irattn.rendering.values import Value
from irattn.rendering.widened_squares import WidenedSquares
from irattn.targets import Target

# Columns of a workgroup, of one token and of several. The experts of a decoded token have so many
# that cores have enough; rows of several come from the cache of all cores for each workgroup anew.
# 512 tokens with 8 of 64 experts take 0.96 of the time of 64 columns (f32, AVX-512).
_TILE_COLUMNS, _MOST_TILE_COLUMNS = 64, 128


@dataclass(frozen=True)
class GroupedProduct:
    """x · weightᵀ as the f32 `sums`: of each row of x with the `rows_of_expert` of its expert.

    `tables` are, of each block of rows, its expert, its first row and the row after its last one.
    `places` says which row of x stands at each place, where x is not in their order, unless it
    `has_one_row`, which all have. `bias`, of each expert a row, is added. A weight may be `packed`,
    and x then is what DepthProduct has as tokens, made of `given`, or `rounded`; or `scaled`.
    """

    x: Value
    weight: Value
    sums: Value
    rows_of_expert: int
    most_rows: int
    tables: list[Value]
    places: Value | None
    has_one_row: bool
    bias: Value | None
    target: Target
    packed: PackedBlocks | None = None
    given: Value | None = None
    scaled: ScaledWeight | None = None
    rounded: RoundedTokens | None = None
    many: ManyRows | None = None
    in_squares: bool = False

    @property
    def of_squares(self) -> DepthProduct | None:
        """The product by squares, where it is made so."""
        if not self.in_squares:
            return None
        number = (int(self.weight.shape[0]) // self.rows_of_expert,)
        experts, firsts, ends = self.tables
        first_blocks, counts = (
            Value(name, number, "i32") for name in ("first_blocks", "of_expert")
        )
        blocks = ExpertBlocks(experts, firsts, ends, first_blocks, counts, self.rows_of_expert)
        squares = SquareBlocks(self.sums.name, self.x, self.rows_of_expert, experts=blocks)
        packed = packed_blocks(self.scaled.name) if self.scaled else self.packed
        widened = WidenedSquares(squares, packed, self.scaled) if packed else None
        return replace(self.blocks["single"], squares=squares, widened=widened, bias=self.bias)

    @property
    def blocks(self) -> dict[str, DepthProduct]:
        """How rows are multiplied, by name: `single` where an expert has only one, or `several`."""
        registers = registers_of(self.target)
        if self.packed:
            registers = replace(registers, lanes=self.packed.lanes)
        pairs = self.x.element == "bf16" and has_bf16_dots(self.target) and not self.scaled
        single = DepthProduct(
            *(self.x, self.weight, self.sums, 0, registers, pairs),
            packed=self.packed,
            scaled=self.scaled,
            given_tokens=self.given,
            rounded=self.rounded,
            many=self.many,
            at_once=1,
        )
        if self.most_rows == 1:
            return {"single": single}
        return {"single": single, "several": replace(single, at_once=single.most_rows)}

    @property
    def depth_part(self) -> int | None:
        """The part of the depth that all rows take before the next, where there is one."""
        return self.blocks["several"].depth_part if self.many else None

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch."""
        any_block = self.blocks["single"]
        given = [any_block.read_tokens, self.weight, *self.tables]
        given += any_block.made_of_tokens
        given += [self.scaled.scale] if self.scaled else []
        given += [value for value in (self.places, self.bias) if value]
        return CpuKernel(
            arguments=given,
            sources=[(any_block.apart or self.x).name, *(value.name for value in given[1:])],
            results=[self.sums],
            gives=[self.sums.name],
            sizes=list(
                dict.fromkeys(size for value in (*given, self.sums) for size in value.chosen)
            ),
            constants={
                "none": 0,
                "one": 1,
                "depth": any_block.depth,
                "depth_step": any_block.step,
                "columns": any_block.columns,
                **any_block.packed_steps,
                **any_block.scale_steps,
            },
        )

    @property
    def bias_element(self) -> str:
        """The element of a bias."""
        return self.given.element if self.given else self.x.element

    @property
    def tile_columns(self) -> int:
        """Columns of a workgroup."""
        return _TILE_COLUMNS if self.most_rows == 1 else _MOST_TILE_COLUMNS

    @property
    def tile_rows(self) -> int:
        """Rows of a workgroup."""
        return TILE_ROWS
