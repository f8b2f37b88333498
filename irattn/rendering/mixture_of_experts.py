"""How the tokens of each expert come together: blocks of rows that have the same expert.

A token has a place for each of its experts. Places are counted by expert: those of expert 0 come
first, tokens in their order. A block is some places of one expert. How many blocks there are
depends on what the router chooses; there are as many as there may be, and some are empty.
"""

from collections.abc import Callable
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, largest
from irattn.core.weight_formats import weight_format
from irattn.rendering.depth_products import (
    TILE_ROWS,
    DepthProduct,
    depth_product,
    in_lanes,
    packed_product,
)
from irattn.rendering.dynamic import value_of
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.grouped_products import GroupedProduct
from irattn.rendering.grouped_tiles import GroupedTile, rows_of_block, tile_of
from irattn.rendering.integer_products import rounded_tokens
from irattn.rendering.packed_blocks import packed_blocks
from irattn.rendering.products import ProductTile, product_tile
from irattn.rendering.scaled_weights import scaled_weight
from irattn.rendering.values import Value
from irattn.specs.experts import CLAMPED_SWIGLU
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.weight_formats import format_of
from irattn.targets import Target

# Tokens that are counted together before chunks are.
_CHUNK = 64


@dataclass(frozen=True)
class MixtureOfExperts:
    """The numbers of the graph."""

    spec: MixtureOfExpertsSpec
    target: Target

    @property
    def rows(self) -> dict[str, AnySize]:
        """The dimension of all tokens."""
        return {"m": self.spec.rows}

    @property
    def row_groups(self) -> list[list[int]]:
        """Which dimensions of the hidden state are one dimension of the product."""
        return [[0, 1], [2]]

    @property
    def is_single(self) -> bool:
        """Whether there is one token, whose places are its experts' ranks."""
        return self.spec.rows == 1

    @property
    def block_rows(self) -> int:
        """The most rows of a block."""
        if self.is_single:
            return 1
        if not self.target.is_gpu:
            return TILE_ROWS
        of_expert = largest(self.pairs) // self.spec.num_experts
        if self.has_blocks:
            # Those of the tile that both products have; without matrix instructions, one.
            products = self._in_blocks(max(of_expert, 2), of_expert)
            return min(one.tile.tile_rows if one.tile else 1 for one in products.values())
        return rows_of_block(self.target, self.spec.io_dtype, of_expert)

    @property
    def has_blocks(self) -> bool:
        """Whether the experts' weights are quantised."""
        return format_of(self.spec.weight_format, "down") is not None

    @property
    def alignment(self) -> int:
        """The places of an expert begin at a multiple of this."""
        return self.block_rows if self.target.is_gpu else 1

    @property
    def groups(self) -> int:
        """Groups that are told apart: of one expert each, the best groups are the best experts."""
        return self.spec.num_groups if self.spec.group_size > 1 else 1

    @property
    def group_rows(self) -> AnySize:
        """Tokens with their groups."""
        return _sized(self.spec.rows, "group_rows", lambda rows: rows * self.spec.num_groups)

    @property
    def pairs(self) -> AnySize:
        """Tokens with their experts."""
        return _sized(self.spec.rows, "pairs", lambda rows: rows * self.spec.experts_per_token)

    @property
    def blocks(self) -> AnySize:
        """Blocks, the most that there may be."""
        return _sized(self.spec.rows, "blocks", self._most_blocks)

    def _most_blocks(self, rows: int) -> int:
        pairs = rows * self.spec.experts_per_token
        return pairs if self.is_single else pairs // self.block_rows + self.spec.num_experts

    @property
    def places(self) -> AnySize:
        """Places, the most that there may be."""
        if not self.target.is_gpu:
            return _sized(self.pairs, "places", lambda pairs: pairs)
        return _sized(self.blocks, "places", lambda blocks: blocks * self.block_rows)

    @property
    def chunks(self) -> AnySize:
        """Chunks of tokens that are counted together."""
        return _sized(self.spec.rows, "chunks", lambda rows: -(-rows // self.chunk))

    @property
    def chunk(self) -> int:
        """Tokens of a chunk."""
        return _CHUNK

    @property
    def padded_rows(self) -> AnySize:
        """Tokens of whole chunks."""
        return _sized(self.chunks, "padded", lambda chunks: chunks * _CHUNK)

    @property
    def counts(self) -> dict[str, str]:
        """Sizes that follow from a call's rows, by the names of their values: maps of n rows."""
        if not isinstance(self.spec.rows, DynamicSize):
            return {}
        each, block = self.spec.experts_per_token, self.block_rows
        blocks = f"(n * {each}) floordiv {block} + {self.spec.num_experts}"
        return {
            "group_rows": f"n * {self.spec.num_groups}",
            "pairs": f"n * {each}",
            "blocks": blocks,
            "places": f"({blocks}) * {block}" if self.target.is_gpu else f"n * {each}",
            "chunks": f"n ceildiv {_CHUNK}",
            "padded": f"n ceildiv {_CHUNK} * {_CHUNK}",
            "padding": f"n ceildiv {_CHUNK} * {_CHUNK} - n",
        }

    @property
    def padding(self) -> int | str:
        """Rows that make chunks whole."""
        rows = self.spec.rows
        return "%padding_dim" if isinstance(rows, DynamicSize) else -rows % _CHUNK

    @property
    def is_clamped(self) -> bool:
        """Whether gates are GPT-OSS's."""
        return self.spec.activation == CLAMPED_SWIGLU

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product with the router as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        router = depth_product(
            self.target,
            spec.io_dtype,
            (self.routed, spec.rows, spec.hidden_size),
            ("router_weight", spec.num_experts),
            ("products", spec.num_experts),
        )
        return {"products": router} if router else {}

    @property
    def router_tile(self) -> ProductTile | None:
        """The tile of the product with the router; with the compiler's own, RDNA 3 spills."""
        spec, sizes = self.spec, {**self.rows, "n": self.spec.num_experts}
        instruction = self.target.matrix.get(spec.io_dtype)
        if instruction is None or not instruction.repeats_operands:
            return None
        return product_tile(sizes, {"k": spec.hidden_size}, spec.io_dtype, self.target)

    @property
    def countings(self) -> list[tuple[str, list[int], list[int], list[int]]]:
        """How numbers are counted: an end of a name, and of each loop what a workgroup has, a lane
        has, and a step takes. A lane counts for one of them."""
        wave = self.target.wave_size or 1
        of_rows = ("", [1, wave, 0], [1, 1, 0], [0, 0, 1])
        of_row = ("_of_row", [wave, 0], [1, 0], [0, 1])
        return [of_rows, of_row] if self.is_single else [of_rows]

    @property
    def routed(self) -> str:
        """The rows that the router reads."""
        return "routed_tokens" if self.spec.has_router_input else "tokens"

    @property
    def widths(self) -> dict[str, tuple[int, int]]:
        """The columns that each product with experts' weights makes, and its depth, by name."""
        inner, hidden = self.spec.intermediate_size, self.spec.hidden_size
        rows = inner if self.spec.gates_are_apart else 2 * inner
        up = {name: (rows, hidden) for name in self.spec.up_names}
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
    def shared_arguments(self) -> list[str]:
        """The arguments of what is shared after the hidden state."""
        inputs = self.spec.shared.inputs[1:] if self.spec.shared else ()
        return [f"shared_{tensor.name}" for tensor in inputs]

    @property
    def scales(self) -> dict[str, Value]:
        """The scales of the experts' weights as rows, by name, where they are apart."""
        products = self.of_lanes or ({} if self.target.is_gpu else self.grouped)
        return {name: one.scaled.scale for name, one in products.items() if one.scaled}

    @property
    def of_lanes(self) -> dict[str, DepthProduct]:
        """The products with quantised weights on GPUs, by name."""
        if not (self.target.is_gpu and self.has_blocks):
            return {}
        return self._in_blocks(self.block_rows, self.places, self.blocks)

    def _in_blocks(
        self, rows: int, places: AnySize, blocks: AnySize = 1
    ) -> dict[str, DepthProduct]:
        """Products with quantised weights, by name: `rows` of a block, `places` in `blocks`."""
        tables = [
            Value(table, (value_of(blocks),), "i32") for table in ("block_experts", "block_ends")
        ]
        made = {}
        for name, (columns, depth) in self.widths.items():
            kind = str(format_of(self.spec.weight_format, name))
            product = packed_product(
                self.target,
                self.spec.io_dtype,
                (self._multiplied(name), places, depth),
                (f"{name}_rows", self.spec.num_experts * columns),
                (f"{name}_sums", columns),
                0,
                kind,
            )
            of = ExpertRows(tables[0], None if self.is_single else tables[1], columns)
            made[name] = in_lanes(product, self.target, rows, kind, of)
        return made

    def _multiplied(self, name: str) -> str:
        """The rows that a product with experts' weights multiplies."""
        of_tokens = "sorted" if self.target.is_gpu else "tokens"
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
    def grouped(self) -> dict[str, GroupedProduct]:
        """The products with the experts' weights on CPUs, by the names of their sums."""
        return {name: self._grouped(name, *sizes) for name, sizes in self.widths.items()}

    def _grouped(self, name: str, columns: int, depth: int) -> GroupedProduct:
        x = self._multiplied(name)
        x_rows = self.places if x == "inner" else self.spec.rows
        element = dtype(self.spec.io_dtype).mlir
        experts, places = self.spec.num_experts, value_of(self.places)
        rows, blocks = value_of(x_rows), value_of(self.blocks)
        tables = (
            ["block_experts"] if self.is_single else ["block_experts", "block_firsts", "block_ends"]
        )
        has_places = x == "tokens" and not self.is_single
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
            x=ordered if packed else given,
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
            has_one_row=x == "tokens" and self.is_single,
            bias=Value(f"{name}_bias", (experts, columns), element) if self.spec.has_bias else None,
            target=self.target,
        )


def _sized(size: AnySize, name: str, made: Callable[[int], int]) -> AnySize:
    """A size made of another: a number, or a size of that name where a call chooses."""
    if isinstance(size, DynamicSize):
        return DynamicSize(made(size.most), name)
    return made(size)


PLANS = {("mixture_of_experts", "linalg"): MixtureOfExperts}
