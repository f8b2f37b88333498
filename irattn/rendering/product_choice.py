"""How a product of a weight with tokens is made on a target, or that the compiler makes it."""

from dataclasses import replace

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize
from irattn.core.weight_formats import weight_format
from irattn.rendering.cpu.registers import (
    has_bf16_dots,
    has_squares,
    has_wide_byte_dots,
    registers_of,
)
from irattn.rendering.depth_products import TILE_COLUMNS, DepthProduct
from irattn.rendering.dynamic import value_of
from irattn.rendering.exact_tokens import ExactTokens
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.integer_products import RoundedTokens, rounded_tokens, step_of
from irattn.rendering.many_rows import many_rows
from irattn.rendering.packed_blocks import (
    LANES,
    PackedBlocks,
    packed_blocks,
)
from irattn.rendering.packed_rows import packed_rows
from irattn.rendering.packed_tiles import packed_tile
from irattn.rendering.panels import PANEL_LANES, Panels
from irattn.rendering.scaled_weights import scaled_weight
from irattn.rendering.square_blocks import square_blocks
from irattn.rendering.values import Value
from irattn.rendering.widened_squares import WidenedSquares
from irattn.targets import Target


def depth_product(
    target: Target,
    io_dtype: str,
    tokens: tuple[str, AnySize, int],
    weight: tuple[str, int],
    sums: tuple[str, int],
    first: int = 0,
    heads: int | None = None,
    packed: str | None = None,
    rounds: bool = False,
    least_rows: int = 1,
    stored: bool = False,
) -> DepthProduct | None:
    """The product, or None where the compiler makes it: GPUs, depths that leave a rest, but not of
    squares, and heads whose columns leave one.

    `tokens` have a name, rows and a depth, `weight` a name and rows, `sums` a name and columns.
    `packed` is the format of a weight in bytes, whose product is made so on all CPUs; one that
    `rounds` has tokens in int8. Sums that are only `stored` have the type of tokens where squares
    make them.
    """
    x, rows, depth = tokens
    if packed:
        made = packed_product(
            target, io_dtype, tokens, weight, sums, first, packed, rounds, least_rows, stored
        )
        return in_lanes(made, target, rows, packed) if target.is_gpu else made
    registers = registers_of(target)
    if target.is_gpu:
        return None
    pairs = io_dtype == "bf16" and has_bf16_dots(target)
    if heads and sums[1] // heads % TILE_COLUMNS[0]:
        return None
    element, count = dtype(io_dtype).mlir, value_of(rows)
    fills_squares = least_rows >= registers.lanes and pairs and has_squares(target) and not heads
    shape = (count, depth) if heads is None else (count, heads, depth)
    given = Value(x, shape, element)
    squares = square_blocks(sums[0], given, sums[1]) if fills_squares else None
    if not squares and depth % (registers.lanes * (2 if pairs else 1)):
        return None
    return DepthProduct(
        tokens=given,
        weight=Value(weight[0], (weight[1], depth), element),
        sums=Value(sums[0], (count, sums[1]), element if stored and squares else "f32"),
        first=first,
        registers=registers,
        pairs=pairs,
        heads=heads,
        many=None if heads else many_rows(registers, element, count, depth),
        squares=squares,
    )


def packed_product(
    target: Target,
    io_dtype: str,
    tokens: tuple[str, AnySize, int],
    weight: tuple[str, int],
    sums: tuple[str, int],
    first: int,
    packed: str,
    rounds: bool = False,
    least_rows: int = 1,
    stored: bool = False,
) -> DepthProduct:
    """The product with a weight in bytes; arguments are those of `depth_product`."""
    x, rows, depth = tokens
    known, shape = weight_format(packed), (value_of(rows), depth)
    given = Value(x, shape, dtype(io_dtype).mlir)
    made = DepthProduct(
        tokens=given,
        weight=Value(weight[0], known.packed_shape(weight[1], depth), "i8"),
        sums=Value(sums[0], (shape[0], sums[1]), "f32"),
        first=first,
        registers=registers_of(target),
        pairs=False,
        scaled=scaled_weight(known, *weight, depth),
        given_tokens=given,
        wave_size=target.wave_size if target.is_gpu else None,
    )
    if made.scaled:
        return _in_squares(made, target, packed, least_rows, stored) or made
    made = replace(
        made, registers=replace(made.registers, lanes=LANES), packed=packed_blocks(packed)
    )
    if target.is_gpu:
        return made
    if rounds:
        rounded = rounded_tokens(target, given, sums[0], packed_blocks(packed))
        made = replace(made, tokens=rounded.numbers, packed=rounded.packed, rounded=rounded)
        return _in_panels(made, rounded) if has_wide_byte_dots(target) else made
    if _multiplies_exactly(target, given, packed_blocks(packed)):
        exact = ExactTokens(given, step_of(packed_blocks(packed), depth), sums[0])
        panels = Panels(exact, sums[1])
        return _in_squares(made, target, packed, least_rows, stored) or replace(
            made, tokens=exact.numbers, packed=exact.packed, panels=panels
        )
    return replace(made, tokens=Value(f"{x}_of_{sums[0]}", shape, "f32"))


def _in_squares(
    product: DepthProduct, target: Target, packed: str, least_rows: int, stored: bool
) -> DepthProduct | None:
    """The product by squares; None where some square would not be full."""
    if product.element != "bf16" or least_rows < PANEL_LANES or not has_squares(target):
        return None
    squares = square_blocks(product.sums.name, product.tokens, product.columns)
    if not squares or squares.depth_squares == 1:
        return None
    sums = replace(product.sums, element=product.element if stored else "f32")
    widened = WidenedSquares(squares, packed_blocks(packed), product.scaled)
    return replace(product, squares=squares, sums=sums, widened=widened)


def _multiplies_exactly(target: Target, tokens: Value, packed: PackedBlocks) -> bool:
    """Whether pairs of bf16 are multiplied, which prompts gain by.

    A single token takes less of the processor time in f32 where bytes have 8 bits, which no table
    has, or it would be two numbers for each. Where a call chooses how many there are, it has the
    bits that it has among others.
    """
    if not (has_bf16_dots(target) and has_wide_byte_dots(target)):
        return False
    if tokens.shape[0] == 1:
        return tokens.element == "bf16" and packed.byte < 0xFF
    return tokens.element in ("bf16", "f16")


def _in_panels(product: DepthProduct, rounded: RoundedTokens) -> DepthProduct:
    """The product by panels of columns."""
    rounded = replace(rounded, in_panels=True)
    return replace(product, rounded=rounded, panels=Panels(rounded, product.columns))


def in_lanes(
    product: DepthProduct,
    target: Target,
    rows: AnySize,
    packed: str,
    of: ExpertRows | None = None,
) -> DepthProduct:
    """The product of one token, or by matrix instructions, where there are such.

    Where blocks are `of` experts, `rows` are those of a block.
    """
    scale = product.scaled.scale if product.scaled else None
    given = (product.tokens, product.weight, product.sums)
    if rows == 1:
        made = packed_rows(target, *given, product.first, packed, scale, of)
        return replace(product, of_token=made)
    tile = packed_tile(target, *given, rows, product.first, packed, scale, of)
    return replace(product, tile=tile)
