"""The products of a mixture of experts: of blocks of rows that have the same expert.

On GPUs the rows of tokens have come together before; on CPUs a table says which row of the tokens
stands at a place.
"""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, largest
from irattn.core.weight_formats import weight_format
from irattn.rendering.cpu.registers import has_squares, registers_of
from irattn.rendering.depth_products import TILE_ROWS, DepthProduct
from irattn.rendering.dynamic import value_of
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.grouped_products import GroupedProduct
from irattn.rendering.grouped_tiles import GroupedTile, rows_of_block, tile_of
from irattn.rendering.integer_products import rounded_tokens
from irattn.rendering.many_rows import ManyRows, many_rows
from irattn.rendering.packed_blocks import packed_blocks
from irattn.rendering.product_choice import in_lanes, packed_product
from irattn.rendering.scaled_weights import scaled_weight
from irattn.rendering.values import Value
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.weight_formats import format_of
from irattn.targets import Target

# Columns and depths that fill a square, and rows of an expert that squares are worth it from. One
# Sapphire Rapids core, its own time of what lanes take: 0.95 with 8 rows of an expert, 0.5 with 64.
_LEAST_SIZE, _LEAST_ROWS = 32, 8


@dataclass(frozen=True)
class ExpertProducts:
    """The products with the experts' weights, of rows at `places`, in `blocks` of `block_rows`."""

    spec: MixtureOfExpertsSpec
    target: Target
    block_rows: int
    places: AnySize
    blocks: AnySize

    @property
    def widths(self) -> dict[str, tuple[int, int]]:
        """The columns that each product with experts' weights makes, and its depth, by name."""
        inner, hidden = self.spec.intermediate_size, self.spec.hidden_size
        up = {name: (self.spec.up_rows, hidden) for name in self.spec.up_names}
        return {**up, "down": (hidden, inner)}

    @property
    def weight_rows(self) -> dict[str, str]:
        """The types of the experts' weights as rows, by name."""
        weights = {
            name: (self.of_lanes.get(name) or self.tiled[name]).weight
            if self.target.is_gpu
            else self.grouped[name].weight
            for name in self.widths
        }
        return {name: weight.type for name, weight in weights.items()}

    @property
    def scales(self) -> dict[str, Value]:
        """The scales of the experts' weights as rows, by name, where they are apart."""
        products = self.of_lanes or ({} if self.target.is_gpu else self.grouped)
        return {name: one.scaled.scale for name, one in products.items() if one.scaled}

    @property
    def of_lanes(self) -> dict[str, DepthProduct]:
        """The products with quantised weights on GPUs, by name."""
        if not (self.target.is_gpu and _has_blocks(self.spec)):
            return {}
        tables = [
            Value(table, (value_of(self.blocks),), "i32")
            for table in ("block_experts", "block_ends")
        ]
        made = {}
        for name, (columns, depth) in self.widths.items():
            kind = str(format_of(self.spec.weight_format, name))
            product = packed_product(
                self.target,
                self.spec.io_dtype,
                (self._multiplied(name), self.places, depth),
                (f"{name}_rows", self.spec.num_experts * columns),
                (f"{name}_sums", columns),
                0,
                kind,
            )
            of = ExpertRows(tables[0], None if self._is_single else tables[1], columns)
            made[name] = in_lanes(product, self.target, self.block_rows, kind, of)
        return made

    def _multiplied(self, name: str) -> str:
        """The rows that a product with experts' weights multiplies."""
        of_tokens = "sorted" if self.target.is_gpu or self.in_squares else "tokens"
        return "inner" if name == "down" else of_tokens

    @property
    def tiled(self) -> dict[str, GroupedTile]:
        """The products with the experts' weights on GPUs, by name."""
        return {
            name: self._tiled(self._multiplied(name), name, *sizes)
            for name, sizes in self.widths.items()
        }

    def _tiled(self, x: str, name: str, columns: int, depth: int) -> GroupedTile:
        element = dtype(self.spec.io_dtype).mlir
        places, blocks = value_of(self.places), value_of(self.blocks)
        tile, width = tile_of(self.target, self.spec.io_dtype, self.block_rows, columns, depth)
        return GroupedTile(
            x=Value(x, (places, depth), element),
            weight=Value(f"{name}_rows", (self.spec.num_experts * columns, depth), element),
            sums=Value(f"{name}_sums", (places, columns), "f32"),
            rows=self.block_rows,
            rows_of_expert=columns,
            experts=Value("block_experts", (blocks,), "i32"),
            ends=Value("block_ends", (blocks,), "i32"),
            tile=tile,
            columns=width,
            wave_size=self.target.wave_size or 1,
        )

    @property
    def in_squares(self) -> bool:
        """Whether a CPU multiplies squares: where experts have tokens enough to fill some."""
        spec = self.spec
        if spec.dynamic or spec.activation_format:
            return False
        if spec.io_dtype != "bf16" or not has_squares(self.target):
            return False
        least = min(size for widths in self.widths.values() for size in widths)
        of_expert = largest(spec.rows) * spec.experts_per_token // spec.num_experts
        least_size = 2 * _LEAST_SIZE if spec.weight_format else _LEAST_SIZE
        return least >= least_size and of_expert >= _LEAST_ROWS

    @property
    def grouped(self) -> dict[str, GroupedProduct]:
        """The products with the experts' weights on CPUs, by the names of their sums."""
        return {name: self._grouped(name, *sizes) for name, sizes in self.widths.items()}

    def _grouped(self, name: str, columns: int, depth: int) -> GroupedProduct:
        x = self._multiplied(name)
        x_rows = self.spec.rows if x == "tokens" else self.places
        element = dtype(self.spec.io_dtype).mlir
        experts, places = self.spec.num_experts, value_of(self.places)
        rows, blocks = value_of(x_rows), value_of(self.blocks)
        tables = (
            ["block_experts"]
            if self._is_single
            else ["block_experts", "block_firsts", "block_ends"]
        )
        has_places = x == "tokens" and not self._is_single
        quantised = format_of(self.spec.weight_format, name)
        given = Value(x, (rows, depth), element)
        weight, scaled, rounded = (experts * columns, depth), None, None
        if quantised:
            known = weight_format(quantised)
            weight_rows = Value(f"{name}_rows", known.packed_shape(*weight), "i8")
            scaled = scaled_weight(known, f"{name}_rows", *weight)
        else:
            weight_rows = Value(f"{name}_rows", weight, element)
        packed = packed_blocks(quantised) if quantised and not scaled else None
        if packed and self.spec.activation_format:
            rounded = rounded_tokens(self.target, given, f"{name}_sums", packed)
            packed = rounded.packed
        ordered = Value(f"{x}_of_{name}_sums", (rows, depth), "i8" if rounded else "f32")
        return GroupedProduct(
            x=ordered if packed and not self.in_squares else given,
            weight=weight_rows,
            packed=packed,
            scaled=scaled,
            rounded=rounded,
            given=given if packed else None,
            sums=Value(f"{name}_sums", (places, columns), "f32"),
            rows_of_expert=columns,
            most_rows=largest(self.spec.rows),
            tables=[Value(table, (blocks,), "i32") for table in tables],
            places=Value("place_tokens", (places,), "i32") if has_places else None,
            has_one_row=x == "tokens" and self._is_single,
            bias=Value(f"{name}_bias", (experts, columns), element) if self.spec.has_bias else None,
            target=self.target,
            many=_many(self.spec, self.target, depth),
            in_squares=self.in_squares,
        )

    @property
    def _is_single(self) -> bool:
        return self.spec.rows == 1


def rows_of_blocks(spec: MixtureOfExpertsSpec, target: Target) -> int:
    """The most rows of a block."""
    if spec.rows == 1:
        return 1
    if not target.is_gpu:
        return _tile_rows(spec, target)
    of_expert = largest(spec.rows) * spec.experts_per_token // spec.num_experts
    if _has_blocks(spec):
        # Those of the tile that both products have; without matrix instructions, one.
        products = ExpertProducts(spec, target, max(of_expert, 2), of_expert, 1).of_lanes
        return min(one.tile.tile_rows if one.tile else 1 for one in products.values())
    return rows_of_block(target, spec.io_dtype, of_expert)


def _tile_rows(spec: MixtureOfExpertsSpec, target: Target) -> int:
    """The most rows of a block on a CPU: of many, whole blocks of registers."""
    products = ExpertProducts(spec, target, TILE_ROWS, 1, 1).grouped
    down = products["down"]
    return down.blocks["several"].tile_rows if down.many else TILE_ROWS


def _many(spec: MixtureOfExpertsSpec, target: Target, depth: int) -> ManyRows | None:
    """How a CPU multiplies rows, where experts have many."""
    if spec.dynamic or spec.weight_format is not None:
        return None
    rows = largest(spec.rows) * spec.experts_per_token // spec.num_experts
    return many_rows(registers_of(target), spec.io_dtype, rows, depth)


def _has_blocks(spec: MixtureOfExpertsSpec) -> bool:
    """Whether the experts' weights are quantised."""
    return format_of(spec.weight_format, "down") is not None
